/** Opens the panel for corrections: Chromium's side panel, Firefox's sidebar, or a tab. */

import { api } from "./messages.js";

/**
 * Call it directly in the handler of a person's click or key: later, browsers refuse to open the panel.
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
