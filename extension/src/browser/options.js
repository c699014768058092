/** The options page. */

import { byId } from "./elements.js";
import { api } from "./messages.js";
import { CHOICES, dropModel, readOptions, saveModel, writeOptions } from "./store.js";

const form = /** @type {HTMLFormElement} */ (byId("options"));
const file = /** @type {HTMLInputElement} */ (byId("file"));

/** @param {string} message @param {boolean} isError */
function showMessage(message, isError = false) {
  byId("message").textContent = message;
  byId("message").className = isError ? "error" : "soft";
}

/** Makes the background load the chosen model again, and shows its name. */
async function showModel() {
  const { name, error } = await api.runtime.sendMessage({ type: "model" });
  byId("model").textContent = name ?? "none";
  if (error) showMessage(error, true);
}

const options = await readOptions();
for (const name of Object.keys(CHOICES)) {
  const select = /** @type {HTMLSelectElement} */ (form.elements.namedItem(name));
  select.value = /** @type {any} */ (options)[name];
}
form.addEventListener("change", async () => {
  await writeOptions(/** @type {any} */ (Object.fromEntries(new FormData(form))));
  showMessage("Saved. The options apply to the next page.");
});

file.addEventListener("change", async () => {
  const chosen = file.files?.[0];
  if (!chosen) return;
  try {
    const { spec } = await saveModel(await chosen.arrayBuffer());
    showMessage(`The model ${spec.name} is used from now on.`);
  } catch (error) {
    showMessage(`${chosen.name} cannot be used: ${/** @type {Error} */ (error).message}`, true);
  }
  file.value = "";
  await showModel();
});
byId("default").addEventListener("click", async () => {
  await dropModel();
  showMessage("The model that came with the extension is used from now on.");
  await showModel();
});
await showModel();
