// Looking for an opponent: a seek on the server, and a dialog that waits for its match.

import { backoff, pause, Problem } from "../api.js";
import { button, h } from "../dom.js";
import { t } from "../i18n.js";
import { rulesetName } from "../words.js";

const ASK_SECONDS = 20; // the server answers as soon as there is a match
const BOTS_AFTER_SECONDS = 30;

/** Resolves to the id of the match that came about, or null if the player gave up or the seek expired. */
export async function seekOpponents(app, ruleset, options) {
  const seek = await startSeek(app.api, { ruleset, bots_after: BOTS_AFTER_SECONDS }, options);
  if (seek.match) return seek.match;
  const abort = new AbortController();
  const found = app.dialog(t("seek.title"), (close) => {
    watch(app, seek.id, abort.signal).then(close, close);
    return h("div", { class: "form seeking" }, h("div", { class: "seek-cards", "aria-hidden": "true" }, h("i"), h("i"), h("i")),
      h("p", { role: "status" }, t("seek.waiting", { game: rulesetName(ruleset), n: BOTS_AFTER_SECONDS })),
      h("div", { class: "panel-buttons" }, button(t("cancel"), () => close(null), { class: "btn quiet" })));
  });
  const match = await found;
  abort.abort();
  if (match instanceof Error) throw match;
  return match ?? await giveUp(app.api, seek.id);
}

/** One looks for one game at a time: what was looked for before (in another window, before a reload) gives way. */
async function startSeek(api, body, options) {
  try {
    return await api.seek(body, options);
  } catch (error) {
    if (!(error instanceof Problem && error.code === "already-seeking")) throw error;
    const match = await giveUp(api, error.body.seek);
    return match ? { match } : api.seek(body, options);
  }
}

/** Resolves to null, or to the match if one came about just before: then others wait at it. */
async function giveUp(api, id) {
  try {
    await api.cancelSeek(id);
    return null;
  } catch (error) {
    if (error instanceof Problem && error.code === "already-paired") return error.body.match;
    throw error;
  }
}

async function watch(app, id, signal) {
  for (let asked = 0; ; asked += 1) {
    try {
      const state = await app.api.seekState(id, ASK_SECONDS, signal);
      if (state.match) return state.match;
      await pause(backoff(Math.min(asked, 2)), signal); // the server may have been told not to hold calls
    } catch (error) {
      if (error instanceof Problem && error.status === 404) return null; // expired
      throw error;
    }
  }
}
