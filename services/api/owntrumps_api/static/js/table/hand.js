// The viewer's hand: sorted, own trump at the right, playable cards raised. One tab stop; arrow keys move inside.

import { fullCard } from "../cards/card.js";
import { h } from "../dom.js";
import { t } from "../i18n.js";
import { sortHand } from "../rules.js";
import { cardName } from "../words.js";
import { fanned, split } from "./layout.js";

/**
 * `playable` are the cards that may be tapped now; `purpose` is "lead", "beat" or null; `onPick(card)`.
 */
export function handElement(view, { style, width, card, without, playable, purpose, active, onPick }) {
  const trump = view.seats[view.you].trump;
  const cards = sortHand(view.hand, trump).filter((name) => name !== without);
  const { rows, strip, fan } = fanned(cards.length, width, card);
  const first = cards.includes(active) ? active : cards.find((name) => playable.has(name)) ?? cards[0];

  const item = (name, position, row) => {
    const can = playable.has(name);
    const at = row.length > 1 ? position / (row.length - 1) - 0.5 : 0;
    const note = can ? t(`hand.can.${purpose}`) : purpose ? t("hand.cannot") : "";
    return h("button", {
      type: "button", class: `card${can ? " playable" : ""}${name[1] === trump ? " trump" : ""}`,
      data: { focus: `card-${name}`, pick: name }, tabindex: name === first ? 0 : -1, "aria-disabled": can ? null : "true",
      "aria-label": [cardName(style, name), name[1] === trump ? t("hand.trump") : "", note].filter(Boolean).join(", "),
      vars: { r: `${(at * fan).toFixed(2)}deg`, y: `${((at * at - 0.25) * fan * 2.2).toFixed(1)}px` },
      on: { click: () => onPick(name, can) },
    }, fullCard(style, name));
  };

  return h("div", {
    class: `hand${rows.length > 1 ? " in-rows" : ""}${purpose ? " choosing" : ""}`, role: "group", "aria-label": t("hand.label", { n: cards.length }),
    vars: { strip: `${strip.toFixed(1)}px` }, on: { keydown: rove },
  }, h("div", { class: "hand-rows" }, split(cards, rows).map((row) => h("div", { class: "hand-row" }, row.map(item)))));
}

function rove(event) {
  const cards = [...event.currentTarget.querySelectorAll("button.card")];
  const at = cards.indexOf(document.activeElement);
  if (at < 0) return;
  const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: cards.length - 1 }[event.key];
  let next = to === undefined ? null : cards[(to + cards.length) % cards.length];
  if (event.key === "ArrowUp" || event.key === "ArrowDown") {
    // Up and down go from one playable card to the next.
    const step = event.key === "ArrowDown" ? 1 : -1;
    for (let k = 1; k <= cards.length && !next; k += 1) {
      const other = cards[(((at + step * k) % cards.length) + cards.length) % cards.length];
      if (other.classList.contains("playable")) next = other;
    }
  }
  if (!next) return;
  event.preventDefault();
  cards.forEach((button) => { button.tabIndex = button === next ? 0 : -1; });
  next.focus();
}
