// One player at the table: name, trump, how many cards, those everybody knows, and what they did last.

import { backCard, inlineCard, miniCard } from "../cards/card.js";
import { suitIcon } from "../cards/suits.js";
import { h, hidden, s } from "../dom.js";
import { t } from "../i18n.js";
import { sortHand } from "../rules.js";
import { levelName, playerName, suitName } from "../words.js";

const BACKS_DRAWN = 12;

/** The trump as a medal: the page's one sign for "this suit is mine". */
export function medal(style, suit, label) {
  return h("span", { class: `medal${suit ? ` suit-${suit}` : " empty"}`, title: label },
    suit ? suitIcon(style, suit) : h("span", { "aria-hidden": "true" }, "?"), hidden(label));
}

export function calfIcon() {
  return s("svg", { class: "calf", viewBox: "0 0 64 64", "aria-hidden": "true" },
    s("path", { d: "M14 16C6 12 3 18 4 24c6 3 11 1 14-3M50 16c8-4 11 2 10 8-6 3-11 1-14-3", fill: "#c98a52", stroke: "#2a1a10", "stroke-width": 2.5, "stroke-linejoin": "round" }),
    s("path", { d: "M32 8c12 0 19 8 18 20l-4 20c-2 9-26 9-28 0l-4-20C13 16 20 8 32 8Z", fill: "#e2ab74", stroke: "#2a1a10", "stroke-width": 2.5 }),
    s("path", { d: "M26 9c1 8 3 12 6 16 3-4 5-8 6-16Z", fill: "#fbf1de" }),
    s("path", { d: "M19 44c2-6 24-6 26 0 2 12-28 12-26 0Z", fill: "#f6d3c2", stroke: "#2a1a10", "stroke-width": 2.5 }),
    s("circle", { cx: 24, cy: 28, r: 3.2, fill: "#2a1a10" }), s("circle", { cx: 40, cy: 28, r: 3.2, fill: "#2a1a10" }),
    s("circle", { cx: 27, cy: 46, r: 2, fill: "#2a1a10" }), s("circle", { cx: 37, cy: 46, r: 2, fill: "#2a1a10" }));
}

export function lastAction(actions, style) {
  if (!actions?.length) return null;
  return h("p", { class: "last" }, actions.map((action) => {
    if (action.type === "pile-taken") return h("span", { class: "did took" }, t("did.took", { n: action.cards.length }));
    const verb = t(action.type === "top-beaten" ? "did.beat" : "did.led");
    return h("span", { class: "did" }, `${verb} `, inlineCard(style, action.card));
  }));
}

function badges(view, seat) {
  const { out } = view.seats[seat];
  const lost = view.losses[seat];
  return [
    view.dealer === seat && h("span", { class: "badge dealer", title: t("seat.dealer") }, t("seat.dealer.short"), hidden(t("seat.dealer"))),
    out && view.status === "playing" && h("span", { class: "badge out" }, t("seat.out")),
    view.games > 1 && lost > 0 && h("span", { class: "badge lost", title: t("seat.losses", { n: lost }) }, calfIcon(), `×${lost}`, hidden(t("seat.losses", { n: lost }))),
  ];
}

/** The name plate alone (the viewer's own is shown by the hand). */
export function plaque(view, seat, style) {
  const { kind, level, trump, cards } = view.seats[seat];
  const name = playerName(view, seat);
  const trumpText = trump ? t("seat.trump", { suit: suitName(style, trump) }) : t("seat.trump.none");
  const kindText = kind === "bot" ? t("seat.bot", { level: levelName(level ?? "") }) : kind === "open" ? t("seat.waiting") : "";
  return h("div", { class: "plaque" },
    medal(style, trump, trumpText),
    h("div", { class: "who" },
      h("span", { class: "name" }, seat === view.you ? t("seat.you", { name }) : name),
      h("span", { class: "meta" }, view.status === "open" ? kindText : t("cards", { n: cards }), kind === "bot" && view.status !== "open" && h("span", { class: "level", title: kindText }, ` · ${levelName(level ?? "")}`))),
    h("div", { class: "badges" }, badges(view, seat)));
}

export function seatElement(view, seat, place, style, actions) {
  const { cards, known, trump } = view.seats[seat];
  const unseen = Math.max(0, cards - known.length);
  const turn = view.turn === seat;
  const loser = view.result?.losers?.includes(seat);
  return h("section", {
    class: `seat pos-${place}${turn ? " is-turn" : ""}${loser ? " is-loser" : ""}${view.seats[seat].out ? " is-out" : ""}`, data: { seat },
    "aria-label": `${playerName(view, seat)}${turn ? `, ${t("seat.turn")}` : ""}`,
  },
  plaque(view, seat, style),
  h("div", { class: "held" },
    unseen > 0 && h("div", { class: "backs", title: t("seat.hidden", { n: unseen }) },
      Array.from({ length: Math.min(unseen, BACKS_DRAWN) }, () => backCard()), h("span", { class: "count", "aria-hidden": "true" }, unseen), hidden(t("seat.hidden", { n: unseen }))),
    known.length > 0 && h("ul", { class: "known", "aria-label": t("seat.known") },
      sortHand(known, trump).map((card) => h("li", {}, miniCard(style, card, card[1] === trump))))),
  lastAction(actions, style));
}
