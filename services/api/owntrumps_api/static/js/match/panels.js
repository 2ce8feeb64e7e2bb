// What lies over the table before and after play: waiting for players, and the result.

import { button, h, hidden, replace } from "../dom.js";
import { t } from "../i18n.js";
import { trumpPicker } from "../lobby/trumps.js";
import { isCalfGame } from "../rules.js";
import { calfIcon, medal, plaque } from "../table/seat.js";
import { playerName, resultText, suitName } from "../words.js";

/** The invitation: a link to copy. Private matches carry their key in it. */
export function inviteLink(view) {
  const address = new URL(location.href);
  address.hash = `#/m/${view.id}${view.link ? `?key=${encodeURIComponent(view.link)}` : ""}`;
  return address.href;
}

function copyLine(view) {
  const field = h("input", { type: "text", readonly: true, value: inviteLink(view), "aria-label": t("invite.link"), on: { focus: () => field.select() } });
  const copy = button(t("invite.copy"), async () => {
    field.select();
    try {
      await navigator.clipboard.writeText(field.value);
      copy.textContent = t("invite.copied");
    } catch (error) {
      if (!(error instanceof DOMException || error instanceof TypeError)) throw error; // not allowed: the text is selected to copy by hand
    }
  }, { class: "btn quiet" });
  return h("div", { class: "copy-line" }, field, copy);
}

/** Seats still open: who is here, how to bring others, and for a visitor the way to sit down. */
export function waitingPanel(view, { style, onSit }) {
  const declared = view.ruleset.trump_choice === "declared";
  const taken = view.seats.map((seat) => seat.trump).filter(Boolean);
  const picker = declared ? trumpPicker(style, taken) : null;
  const seated = view.you !== null;
  return h("section", { class: "panel waiting", "aria-labelledby": "waiting-title" },
    h("h2", { id: "waiting-title" }, t("waiting.title")),
    h("ul", { class: "waiting-seats" }, view.seats.map((seat) => h("li", { class: seat.kind === "open" ? "open" : "" }, plaque(view, seat.seat, style)))),
    seated ? [h("p", {}, t(view.link ? "waiting.private" : "waiting.public")), copyLine(view)]
      : [picker?.element, button(t("sit"), () => onSit(picker?.value ?? null), { class: "btn primary", data: { focus: "sit" } })]);
}

/** What the result is known by: a calf's head, or in a duel the trump that won. */
function sign(view, style) {
  const losers = view.result?.losers ?? [];
  if (!losers.length) return null;
  if (isCalfGame(view.ruleset)) return calfIcon();
  if (view.seats.length !== 2 || losers.length !== 1) return null;
  const { trump } = view.seats[1 - losers[0]];
  return medal(style, trump, t("seat.trump", { suit: suitName(style, trump) }));
}

/** The result of the match, with what one may want next. */
export function resultPanel(view, { style, onRematch, onReview }) {
  const losers = view.result?.losers ?? [];
  const won = view.you !== null && losers.length > 0 && !losers.includes(view.you);
  return h("section", { class: `panel result${won ? " won" : losers.includes(view.you) ? " lost" : ""}`, "aria-labelledby": "result-title" },
    h("div", { class: "result-sign" }, sign(view, style)),
    h("h2", { id: "result-title", tabindex: -1 }, resultText(view)),
    won && view.seats.length > 2 && h("p", { class: "safe" }, t("result.safe")),
    view.games > 1 && h("ul", { class: "score" }, view.seats.map((seat) => h("li", {}, `${playerName(view, seat.seat)}: ${view.losses[seat.seat]}`))),
    h("div", { class: "panel-buttons" },
      view.you !== null && view.status === "finished" && button(t("rematch"), onRematch, { class: "btn primary", data: { focus: "rematch" } }),
      button(t("review"), onReview, { class: "btn quiet" }),
      h("a", { class: "btn quiet", href: "#/" }, t("to.lobby"))));
}

/** A short notice between the deals of a series. */
export function dealNotice(text) {
  return h("div", { class: "panel notice" }, calfIcon(), h("p", {}, text), hidden(""));
}

export function showPanel(holder, panel) {
  replace(holder, panel);
  holder.hidden = !panel;
}
