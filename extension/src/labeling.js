/** All steps from a page to its labels, as in `scrapy_boilernet/extractor/labeling.py`. */

import { labelAds } from "./decide/ad_labels.js";
import { standsApart } from "./decide/apart.js";
import { applyOptions, blockKinds, foundIn } from "./decide/kinds.js";
import { dialogsOf, isThePage } from "./decide/dialogs.js";
import { fallBack, isHiddenAsAWhole, showsMainText } from "./decide/fallback.js";
import { hasNoText } from "./decide/no_text.js";
import { completeFormulas, completeNotes, completePosts } from "./decide/notes.js";
import { completeTerms } from "./decide/terms.js";
import { pooled } from "./decide/pooling.js";
import { completeQuotes } from "./decide/quotes.js";
import { STUB_CONFIDENCE, isStub } from "./decide/stubs.js";
import { leadElsewhere } from "./decide/read_also.js";
import { copied } from "./decide/copies.js";
import { completeRecipes } from "./decide/recipes.js";
import { completeReferences } from "./decide/references.js";
import { completeReplies } from "./decide/replies.js";
import { askToSignUp } from "./decide/sign_up.js";
import { completeSpeakers } from "./decide/speakers.js";
import { completeStructures } from "./decide/structures.js";
import { completeTables } from "./decide/tables.js";
import { completeTeasers } from "./decide/teasers.js";
import { confidence, thresholdFor } from "./decide/threshold.js";
import { completeWikis } from "./decide/wikis.js";
import { featurize } from "./features/hashed.js";
import { score } from "./labelers/network.js";
import tables from "./tables.json" with { type: "json" };

/** @import { Labeled, Page, Step } from "./page.js" */
/** @import { Selection } from "./decide/fallback.js" */
/** @import { Favor } from "./decide/threshold.js" */
/** @import { KindOption } from "./decide/kinds.js" */
/** @import { Model, Spec } from "./labelers/model.js" */

/**
 * @typedef {object} Options How probabilities become labels.
 * @property {Favor} favor
 * @property {KindOption} title
 * @property {KindOption | "auto"} comments
 * @property {KindOption} captions
 */

/** @type {Readonly<Options>} */
export const DEFAULTS = Object.freeze(/** @type {any} */ (tables.options.DEFAULTS));

/**
 * @param {Page} page
 * @param {Model} model
 * @param {Options} options
 * @returns {Labeled}
 */
export function labelPage(page, model, options) {
  return decide(page, model, probabilitiesOf(page, model), options);
}

/** @param {Page} page @param {Model} model @returns {Float32Array} P(content) per block, in [0, 1] */
export function probabilitiesOf(page, model) {
  if (!page.blocks.length) return new Float32Array(0);
  const features = featurize(page, Object.keys(model.spec.architecture.bags));
  return pooled(page, score(model, features), model.spec.templateShare);
}

/**
 * @param {Page} page
 * @param {Model} model
 * @param {Float32Array} probabilities
 * @param {Options} options
 * @returns {Labeled}
 */
export function decide(page, model, probabilities, options) {
  const { spec } = model;
  const { selection, used, steps } = select(page, model, probabilities, options.favor);
  const isByModel = selection.source === "model";
  const formed = isByModel
    ? completeWikis(
        page,
        completeRecipes(
          page,
          completeReferences(
            page,
            completeStructures(page, completeTables(page, selection.kept), used, selection.threshold),
            used,
            selection.threshold,
          ),
          used,
          selection.threshold,
        ),
      )
    : selection.kept;
  const replied = isByModel ? completeReplies(page, formed) : formed;
  const whole = isByModel
    ? completeQuotes(page, completeTerms(page, completeSpeakers(page, replied)))
    : selection.kept;
  const completed = isByModel
    ? completeNotes(page, completePosts(page, completeFormulas(page, whole)))
    : selection.kept;
  setSteps(steps, "structure", (i) => whole[i] && !selection.kept[i]);
  setSteps(steps, "reply", (i) => replied[i] && !formed[i]);
  setSteps(steps, "note", (i) => completed[i] && !whole[i]);
  const elsewhere = isByModel ? leadElsewhere(page, completed) : [];
  setSteps(steps, "read also", (i) => elsewhere[i]);
  const isArticle = completed.map((keep, i) => keep && !elsewhere[i]);
  const asking = isByModel ? askToSignUp(page, isArticle) : [];
  setSteps(steps, "sign-up", (i) => asking[i]);
  const isText = isArticle.map((keep, i) => keep && !asking[i]);
  const ads = isByModel ? labelAds(page, isText) : [];
  setSteps(steps, "ad label", (i) => ads[i]);
  const isUnlabeled = isText.map((keep, i) => keep && !ads[i]);
  const apart = isByModel ? standsApart(page, isUnlabeled) : [];
  setSteps(steps, "apart", (i) => apart[i]);
  const isOwn = isUnlabeled.map((keep, i) => keep && !apart[i]);
  const copies = isByModel ? copied(page, isOwn) : [];
  setSteps(steps, "copy", (i) => copies[i]);
  const isOnce = isOwn.map((keep, i) => keep && !copies[i]);
  const isWithoutText = isByModel && hasNoText(page, isOnce);
  setSteps(steps, "no text", (i) => isWithoutText && isOnce[i]);
  const content = isOnce.map((keep) => keep && !isWithoutText);
  const listed = isByModel ? completeTeasers(page, content, () => confidence(spec, page, used, content)) : content;
  setSteps(steps, "teaser", (i) => listed[i] && !content[i]);
  const found = foundIn(page, selection.kept, selection.source === "hidden");
  const kept = [...listed];
  applyOptions(options, page, found, kept, steps, spec.judgesComments ? used : null);
  const isEmpty = !kept.some(Boolean);
  const sure = isEmpty ? 0 : confidence(spec, page, used, content);
  return {
    labels: kept.map((keep) => (keep ? "content" : "boilerplate")),
    kinds: blockKinds(page, kept, found),
    steps,
    probabilities: Array.from(probabilities),
    confidence: isStub(page, kept) ? Math.min(sure, STUB_CONFIDENCE) : sure,
    threshold: selection.threshold,
    source: isEmpty ? "nothing" : selection.source,
    beside: besideKinds(options),
    model: spec.name,
  };
}

/** @param {Options} options @returns {string[]} the kinds that Markdown has although they are no content */
function besideKinds(options) {
  const chosen = new Map([["title", options.title], ["caption", options.captions]]);
  return tables.options.BESIDE.filter((/** @type {string} */ kind) => chosen.get(kind) !== "drop");
}

/**
 * @param {Step[]} steps
 * @param {Step} step the step that decided the blocks
 * @param {(place: number) => boolean} isDecided
 */
function setSteps(steps, step, isDecided) {
  for (const i of steps.keys()) if (isDecided(i)) steps[i] = step;
}

/**
 * @typedef {object} Selected
 * @property {Selection} selection What the model or a step of the fallback keeps.
 * @property {Float32Array} used The probabilities that it used: 0 for hidden text and dialogs that are
 *   dropped.
 * @property {Step[]} steps The step that decided each block.
 */

/**
 * @param {Page} page
 * @param {Model} model
 * @param {Float32Array} probabilities
 * @param {Favor} favor
 * @returns {Selected}
 */
function select(page, model, probabilities, favor) {
  const places = dialogsOf(page);
  if (!places.some(Boolean)) return selectOf(page, model, probabilities, favor);
  const { kept } = byModel(page, model.spec, probabilities, favor);
  const isPage = isThePage(page, kept, places);
  const dropped = places.map((place) => place === "consent" || (place === "dialog" && !isPage));
  const without = probabilities.map((p, i) => (dropped[i] ? 0 : p));
  const { selection, used, steps } = selectOf(page, model, without, favor);
  const rest = selection.kept.map((keep, i) => keep && !dropped[i]);
  if (!rest.some(Boolean)) return selectOf(page, model, probabilities, favor);
  setSteps(steps, "dialog", (i) => dropped[i] && steps[i] !== "hidden");
  return { selection: { ...selection, kept: rest }, used, steps };
}

/**
 * @param {Page} page
 * @param {Model} model
 * @param {Float32Array} probabilities
 * @param {Favor} favor
 * @returns {Selected} the same, by these probabilities alone
 */
function selectOf(page, model, probabilities, favor) {
  let selection = byModel(page, model.spec, probabilities, favor);
  let used = probabilities;
  const shown = page.blocks.map((block) => !block.hidden);
  /** @type {Step[]} */
  const steps = page.blocks.map(() => "model");
  if (!shown.every(Boolean)) {
    if (hidesMainText(page, model, selection.kept, probabilities)) {
      setSteps(steps, "fallback: hidden", (i) => selection.kept[i]);
      return { selection: { ...selection, source: "hidden" }, used, steps };
    }
    used = probabilities.map((p, i) => (shown[i] ? p : 0));
    selection = byModel(page, model.spec, used, favor);
    setSteps(steps, "hidden", (i) => !shown[i]);
  }
  let kept = selection.kept.map((keep, i) => keep && shown[i]);
  if (!kept.some(Boolean)) {
    selection = fallBack(page, used, selection.threshold, favor);
    kept = selection.kept.map((keep, i) => keep && shown[i]);
    setSteps(steps, /** @type {Step} */ (`fallback: ${selection.source}`), (i) => kept[i]);
  }
  return { selection: { ...selection, kept }, used, steps };
}

/**
 * @param {Page} page
 * @param {Model} model
 * @param {boolean[]} kept
 * @param {Float32Array} probabilities
 * @returns {boolean} whether the page is hidden as a whole, also if its visible text is labeled alone;
 *   hidden text, if there is enough of it, changes the labels of all other text
 */
function hidesMainText(page, model, kept, probabilities) {
  if (!isHiddenAsAWhole(page, kept, probabilities)) return false;
  const shown = [...page.blocks.keys()].filter((i) => !page.blocks[i].hidden);
  if (!shown.length) return true;
  const alone = { ...page, blocks: shown.map((i) => page.blocks[i]) };
  const scores = probabilitiesOf(alone, model).map((p, i) => (probabilities[shown[i]] ? p : 0)); // 0: a dialog
  const own = byModel(alone, model.spec, scores, DEFAULTS.favor);
  const [keptNow, used] = [[...kept], probabilities.slice()];
  for (const [place, i] of shown.entries()) [keptNow[i], used[i]] = [own.kept[place], scores[place]];
  return !showsMainText(page, keptNow) && isHiddenAsAWhole(page, keptNow, used);
}

/**
 * @param {Page} page
 * @param {Spec} spec
 * @param {Float32Array} probabilities
 * @param {Favor} favor
 * @returns {Selection}
 */
function byModel(page, spec, probabilities, favor) {
  const threshold = thresholdFor(spec, page, probabilities, favor);
  return { source: "model", kept: Array.from(probabilities, (p) => p >= threshold), threshold };
}
