// The line between pile and hand: what is asked of the viewer, and the moves that are not a card.

import { inlineCard } from "../cards/card.js";
import { button, h } from "../dom.js";
import { t } from "../i18n.js";
import { afterTake, NOBODY } from "../rules.js";
import { playerName, resultText } from "../words.js";

/**
 * The sentence that says what is going on, as nodes: text and drawn cards. It asks the viewer for something only where
 * something can be done (`interactive`): not while older moves are shown.
 */
export function promptParts(table, { style, interactive }) {
  const { view, staged } = table;
  if (table.replaced && !table.options.past) return [t("stand.in")];
  const top = view.pile.at(-1);
  if (view.status === "open") return [t("prompt.open", { n: view.seats.filter((seat) => seat.kind === "open").length })];
  if (view.status !== "playing") return [resultText(view)];
  if (view.turn === NOBODY) return [];
  if (view.turn === view.you && interactive) {
    if (staged) return [t("prompt.then")];
    if (view.phase === "lead") return [t("prompt.lead")];
    const canBeat = view.legal.some((play) => play !== "take");
    const key = !canBeat ? "prompt.take" : view.legal.includes("take") ? "prompt.beat" : "prompt.must";
    return around(t(key), inlineCard(style, top));
  }
  const name = playerName(view, view.turn);
  if (view.phase === "lead") return [t("prompt.other.lead", { name })];
  return around(t("prompt.other.beat", { name }), inlineCard(style, top));
}

function around(text, node) {
  const [before, after = ""] = text.split("{card}");
  return [before, node, after];
}

function consequence(table, style) {
  const { view } = table;
  const next = afterTake(view, view.you);
  const name = next.seat === view.you ? t("you") : playerName(view, next.seat);
  if (next.phase === "lead") return [t("take.then.lead", { name })];
  return around(t("take.then.beat", { name }), inlineCard(style, next.top));
}

export function actionsElement(table, { style, interactive, busy }) {
  const { view, staged, canTake } = table;
  const take = canTake && !staged && afterTake(view, view.you).size;
  const preview = (on) => () => table.preview(on);
  return h("div", { class: "actions" },
    h("p", { class: `prompt${view.turn === view.you && view.status === "playing" && interactive ? " yours" : ""}` }, busy ? t("prompt.sending") : promptParts(table, { style, interactive })),
    table.replaced && !table.options.past && button(t("return"), () => table.onReturn(), { class: "btn primary", data: { focus: "return" } }),
    take && h("div", { class: "take-line" },
      button(t("take", { n: take }), () => table.send({ action: "take" }), {
        class: "btn take", data: { focus: "take" }, "aria-describedby": "take-note",
        on: { pointerenter: preview(true), pointerleave: preview(false), focus: preview(true), blur: preview(false) },
      }),
      h("span", { class: "take-note", id: "take-note" }, consequence(table, style))),
    staged && h("div", { class: "take-line" },
      button(t("undo"), () => table.stage(null), { class: "btn quiet", data: { focus: "undo" } }),
      button(t("beat.only"), () => table.send({ action: "play", cards: [staged] }), { class: "btn quiet", data: { focus: "beat-only" } })));
}
