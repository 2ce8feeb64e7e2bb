// Cards as elements: a full face, a small one for cards known in somebody's hand, and a back.

import { h, hidden } from "../dom.js";
import { t } from "../i18n.js";
import { cardName, indexOf } from "../words.js";
import { cardBack, cardFace } from "./face.js";
import { suitIcon } from "./suits.js";

const drawn = new Map(); // a card is in one place at a time, so its drawing is made once and moved

function drawing(style, card) {
  const index = indexOf(style, card);
  const title = style === "german" && "JQK".includes(card[0]) ? t(`band.${card[0]}`) : "";
  const key = `${style} ${card} ${index} ${title}`;
  if (!drawn.has(key)) drawn.set(key, cardFace(style, card, { index, title }));
  return drawn.get(key);
}

/** The moving part of a card: what animations measure and fly is always a `.flip` with data-card. */
export function fullCard(style, card) {
  return h("span", { class: "flip full", data: { card } }, drawing(style, card));
}

export function miniCard(style, card, trump = false) {
  return h("span", { class: `flip mini ink-${card[1]}${trump ? " is-trump" : ""}`, data: { card } },
    h("span", { class: "mini-rank", "aria-hidden": "true" }, indexOf(style, card)), suitIcon(style, card[1]), hidden(cardName(style, card)));
}

/** A card drawn small inside a sentence: rank and sign. */
export function inlineCard(style, card) {
  return h("span", { class: `inline-card ink-${card[1]}` },
    h("span", { "aria-hidden": "true" }, indexOf(style, card)), suitIcon(style, card[1]), hidden(cardName(style, card)));
}

let back = null;

export function backCard() {
  back ??= cardBack();
  return h("span", { class: "card-back", "aria-hidden": "true" }, back.cloneNode(true));
}
