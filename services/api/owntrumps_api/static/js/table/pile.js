// The pile: every card in it, bottom to top, the top one clear; and what a take would pick up.

import { fullCard } from "../cards/card.js";
import { h, hidden } from "../dom.js";
import { t } from "../i18n.js";
import { takeSize } from "../rules.js";
import { cardName } from "../words.js";
import { overlap, split } from "./layout.js";

/** A small steady tilt, so that the pile looks thrown by hand and a card keeps its own. */
const tilt = (card) => ((card.charCodeAt(0) * 7 + card.charCodeAt(1) * 13) % 9) - 4;

/**
 * `staged` is a beating card laid on the pile but not sent yet; `taking` says whether the viewer may take now.
 */
export function pileElement(view, { style, width, card, staged, taking, fresh, onUndo }) {
  const shown = staged ? [...view.pile, staged] : view.pile;
  if (!shown.length) {
    return h("div", { class: "pile empty" }, h("p", { class: "pile-empty" }, view.status === "playing" ? t("pile.empty") : ""));
  }
  const size = taking && !staged ? takeSize(view, view.you) : 0;
  const { rows, strip } = overlap(shown.length, width, card, "pile");
  let place = 0;
  const item = (name) => {
    place += 1;
    const top = place === shown.length;
    const mine = name === staged;
    const taken = place > view.pile.length - size && !mine;
    const cls = ["card", top && "topmost", mine && "staged", taken && "would-take", fresh?.has(name) && "fresh"].filter(Boolean).join(" ");
    const label = cardName(style, name);
    const inner = mine
      ? h("button", { type: "button", class: "undo", data: { focus: "staged" }, "aria-label": t("pile.undo", { card: label }), on: { click: onUndo } }, fullCard(style, name))
      : [fullCard(style, name), hidden(top ? t("pile.top", { card: label }) : label)];
    return h("div", { class: cls, role: "listitem", vars: { tilt: `${top && !mine ? 0 : tilt(name)}deg` } }, inner);
  };
  return h("div", { class: `pile${size ? " can-take" : ""}` },
    h("p", { class: "pile-count" }, t("pile.count", { n: view.pile.length })),
    h("div", { class: "pile-rows", role: "list", "aria-label": t("pile.label"), vars: { strip: `${strip.toFixed(1)}px` } },
      split(shown, rows).map((row) => h("div", { class: "pile-row", role: "none" }, row.map(item)))));
}
