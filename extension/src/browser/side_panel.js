/** Opens the panel in which labels are corrected, as a browser has it. */

import { api } from "./messages.js";

/**
 * To be called at once when a person asks for it: later, browsers refuse.
 *
 * @param {{id?: number, windowId: number}} tab
 * @returns {Promise<unknown>}
 */
export function openSidePanel({ id, windowId }) {
  if (api.sidePanel) return api.sidePanel.open({ windowId });
  const { sidebarAction } = /** @type {any} */ (api);
  if (sidebarAction) return sidebarAction.open();
  return api.tabs.create({ url: api.runtime.getURL(`panel.html?tab=${id}`) });
}
