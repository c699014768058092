/** The page of options. */

import { api } from "./messages.js";
import { CHOICES, dropModel, keepModel, readOptions, writeOptions } from "./store.js";

/** @param {string} id @returns {HTMLElement} */
function element(id) {
  return /** @type {HTMLElement} */ (document.getElementById(id));
}

const form = /** @type {HTMLFormElement} */ (element("options"));
const file = /** @type {HTMLInputElement} */ (element("file"));

/** @param {string} message @param {boolean} isError */
function tell(message, isError = false) {
  element("message").textContent = message;
  element("message").className = isError ? "error" : "soft";
}

/** Has the background load the chosen model anew, and shows its name. */
async function showModel() {
  const { name, error } = await api.runtime.sendMessage({ type: "model" });
  element("model").textContent = name ?? "none";
  if (error) tell(error, true);
}

const options = await readOptions();
for (const name of Object.keys(CHOICES)) {
  const select = /** @type {HTMLSelectElement} */ (form.elements.namedItem(name));
  select.value = /** @type {any} */ (options)[name];
}
form.addEventListener("change", async () => {
  await writeOptions(/** @type {any} */ (Object.fromEntries(new FormData(form))));
  tell("Saved. It holds from the next page on.");
});

file.addEventListener("change", async () => {
  const chosen = file.files?.[0];
  if (!chosen) return;
  try {
    const { spec } = await keepModel(await chosen.arrayBuffer());
    tell(`The model ${spec.name} is used from now on.`);
  } catch (error) {
    tell(`${chosen.name} was not taken: ${/** @type {Error} */ (error).message}`, true);
  }
  file.value = "";
  await showModel();
});
element("default").addEventListener("click", async () => {
  await dropModel();
  tell("The model that came with the extension is used from now on.");
  await showModel();
});
await showModel();
