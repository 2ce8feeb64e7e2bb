// Looking for an opponent: a seek on the server, and a dialog that waits for its match.

import { pause, Problem } from "../api.js";
import { button, h } from "../dom.js";
import { t } from "../i18n.js";
import { rulesetName } from "../words.js";

const ASK_EVERY_MS = 1000;
const BOTS_AFTER_SECONDS = 30;

/** Resolves to the id of the match that came about, or null if the player gave up or the seek expired. */
export async function seekOpponents(app, ruleset) {
  const seek = await app.api.seek({ ruleset, bots_after: BOTS_AFTER_SECONDS });
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
  if (match === null) await app.api.cancelSeek(seek.id);
  return match;
}

async function watch(app, id, signal) {
  for (;;) {
    await pause(ASK_EVERY_MS, signal);
    try {
      const state = await app.api.seekState(id);
      if (state.match) return state.match;
    } catch (error) {
      if (error instanceof Problem && error.status === 404) return null; // expired
      throw error;
    }
  }
}
