/**
 * Builds the extension into `dist/chromium` and `dist/firefox`, and packs each as a zip file.
 *
 * With `--test` it builds into `dist/test-chromium` and `dist/test-firefox` instead. This extension may
 * read all pages without a click, so that tests can drive it. It also builds `dist/dom.js`, which tests
 * run in a page.
 */

import { cp, mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { zipSync } from "fflate";

const FOLDER = dirname(fileURLToPath(import.meta.url));
const MODEL = join(FOLDER, "..", "models", "default");
const PAGES = ["options", "panel", "popup", "reader"];
const isTest = process.argv.includes("--test");

/** @param {"chromium" | "firefox"} browser @returns {Promise<string>} the text of its manifest */
async function manifest(browser) {
  const { version } = JSON.parse(await readFile(join(FOLDER, "package.json"), "utf8"));
  const keys = JSON.parse(await readFile(join(FOLDER, "manifest.json"), "utf8"));
  keys.version = version;
  if (browser === "chromium") delete keys.browser_specific_settings;
  else {
    keys.background = { scripts: [keys.background.service_worker] };
    delete keys.minimum_chrome_version;
    // Firefox has a sidebar, which needs no permission.
    keys.permissions = keys.permissions.filter((/** @type {string} */ name) => name !== "sidePanel");
    keys.sidebar_action = { default_panel: keys.side_panel.default_path, open_at_install: false };
    delete keys.side_panel;
  }
  if (isTest) keys.host_permissions = keys.optional_host_permissions;
  return JSON.stringify(keys, null, 1);
}

/** @param {string} folder @returns {Promise<Record<string, Uint8Array>>} its files, by their paths in it */
async function files(folder) {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  /** @type {Record<string, Uint8Array>} */
  const found = {};
  for (const entry of entries.filter((one) => one.isFile())) {
    const path = join(entry.parentPath, entry.name);
    found[path.slice(folder.length + 1)] = await readFile(path);
  }
  return found;
}

/** Builds the extension of a browser, and packs it. @param {"chromium" | "firefox"} browser */
async function pack(browser) {
  const name = isTest ? `test-${browser}` : browser;
  const out = join(FOLDER, "dist", name);
  await rm(out, { recursive: true, force: true });
  await mkdir(out, { recursive: true });
  for (const [names, format] of /** @type {[string[], "iife" | "esm"][]} */ ([
    [["background", "content"], "iife"],
    [PAGES, "esm"],
  ])) {
    await build({
      entryPoints: names.map((name) => join(FOLDER, "src", "browser", `${name}.js`)),
      bundle: true,
      outdir: out,
      format,
      target: ["chrome123", "firefox128"],
      charset: "ascii",
    });
  }
  for (const page of PAGES) {
    await cp(join(FOLDER, "src", "browser", `${page}.html`), join(out, `${page}.html`));
  }
  for (const sheet of ["highlight", "page"]) {
    await cp(join(FOLDER, "src", "browser", `${sheet}.css`), join(out, `${sheet}.css`));
  }
  await cp(join(FOLDER, "icons"), join(out, "icons"), { recursive: true });
  for (const part of ["model.json", "model.safetensors"]) {
    await cp(join(MODEL, part), join(out, part));
  }
  await writeFile(join(out, "manifest.json"), await manifest(browser));
  const packed = zipSync(await files(out), { level: 9, mtime: "1980-01-02" });
  await writeFile(join(FOLDER, "dist", `${name}.zip`), packed);
  process.stdout.write(`dist/${name}: ${packed.length} bytes zipped\n`);
}

if (isTest) {
  await build({
    entryPoints: [join(FOLDER, "tests", "dom.js")],
    bundle: true,
    outfile: join(FOLDER, "dist", "dom.js"),
    format: "iife",
    charset: "ascii",
  });
}
await pack("chromium");
await pack("firefox");
