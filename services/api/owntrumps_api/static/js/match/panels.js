// What lies over the table before and after play: waiting for players, and the result.

import { button, h, replace } from "../dom.js";
import { t } from "../i18n.js";
import { trumpPicker } from "../lobby/trumps.js";
import { isCalfGame } from "../rules.js";
import { calfIcon, medal, plaque } from "../table/seat.js";
import { playerName, resultText, suitName } from "../words.js";

/** A match's place on this page. Private matches carry their key in it. */
export const matchHash = ({ id, link }) => `#/m/${id}${link ? `?key=${encodeURIComponent(link)}` : ""}`;

/** The invitation: a link to copy. */
export function inviteLink(view) {
  const address = new URL(location.href);
  address.hash = matchHash(view);
  return address.href;
}

const lobbyLink = (cls) => h("a", { class: cls, href: "#/", data: { focus: "lobby" } }, t("to.lobby"));

function copyLine(view) {
  const field = h("input", { type: "text", readonly: true, value: inviteLink(view), "aria-label": t("invite.link"), data: { focus: "link" }, on: { focus: () => field.select() } });
  const copy = button(t("invite.copy"), async () => {
    field.select();
    try {
      await navigator.clipboard.writeText(field.value);
      copy.textContent = t("invite.copied");
    } catch (error) {
      if (!(error instanceof DOMException || error instanceof TypeError)) throw error; // not allowed: the text is selected to copy by hand
    }
  }, { class: "btn quiet", data: { focus: "copy" } });
  return h("div", { class: "copy-line" }, field, copy);
}

/**
 * Seats still open: who is here, how to bring others, for a visitor the way to sit down (with the `trump` chosen so far),
 * and for whoever opened the table (`onAbort`) the way to call it off.
 */
export function waitingPanel(view, { style, trump, onTrump, onSit, onAbort }) {
  const declared = view.ruleset.trump_choice === "declared";
  const taken = view.seats.map((seat) => seat.trump).filter(Boolean);
  const picker = declared ? trumpPicker(style, { taken, chosen: trump, onPick: onTrump }) : null;
  const seated = view.you !== null;
  return h("section", { class: "panel waiting", "aria-labelledby": "waiting-title" },
    h("h2", { id: "waiting-title" }, t("waiting.title")),
    h("ul", { class: "waiting-seats" }, view.seats.map((seat) => h("li", { class: seat.kind === "open" ? "open" : "" }, plaque(view, seat.seat, style)))),
    seated ? [h("p", {}, t(view.link ? "waiting.private" : "waiting.public")), copyLine(view)]
      : [picker?.element, button(t("sit"), () => onSit(picker?.value ?? null), { class: "btn primary", data: { focus: "sit" } })],
    onAbort && h("div", { class: "panel-buttons" }, button(t("abort"), onAbort, { class: "btn quiet", data: { focus: "abort" } })));
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

/** Once more: by asking for it, or (`made`) at the table that somebody's asking has led to. */
function rematchButton(view, { made, onRematch, onEnter }) {
  if (view.you === null) return made && h("a", { class: "btn quiet", href: matchHash(made), data: { focus: "rematch" } }, t("rematch.watch"));
  if (view.status !== "finished") return null;
  return button(t(made ? "rematch.go" : "rematch"), made ? () => onEnter(made) : onRematch, { class: "btn primary", data: { focus: "rematch" } });
}

/** The result of the match, with what one may want next. */
export function resultPanel(view, { style, made, onRematch, onEnter, onReview }) {
  const losers = view.result?.losers ?? [];
  const won = view.you !== null && losers.length > 0 && !losers.includes(view.you);
  return h("section", { class: `panel result${won ? " won" : losers.includes(view.you) ? " lost" : ""}`, "aria-labelledby": "result-title" },
    h("div", { class: "result-sign" }, sign(view, style)),
    h("h2", { id: "result-title", tabindex: -1 }, resultText(view)),
    won && view.seats.length > 2 && h("p", { class: "safe" }, t("result.safe")),
    view.games > 1 && h("ul", { class: "score" }, view.seats.map((seat) => h("li", {}, `${playerName(view, seat.seat)}: ${view.losses[seat.seat]}`))),
    h("div", { class: "panel-buttons" },
      rematchButton(view, { made, onRematch, onEnter }),
      button(t("review"), onReview, { class: "btn quiet", data: { focus: "review" } }),
      lobbyLink("btn quiet")));
}

/** There is nothing to see here: why, and the way back. */
export function lostPanel(text) {
  return h("section", { class: "panel lost-table", role: "alert" }, h("p", {}, text), h("div", { class: "panel-buttons" }, lobbyLink("btn primary")));
}

/** A short notice between the deals of a series; `calf` if there is one. */
export function dealNotice(text, calf) {
  return h("div", { class: "panel notice" }, calf && calfIcon(), h("p", {}, text));
}

/** Lays a panel over the table, or none. Drawn anew it does not lose the keyboard's place. */
export function showPanel(holder, panel) {
  const focused = holder.contains(document.activeElement) ? document.activeElement.dataset.focus : null;
  replace(holder, panel);
  holder.hidden = !panel;
  if (!focused) return;
  const target = holder.querySelector(`[data-focus="${focused}"]:enabled`) ?? holder.querySelector("[data-focus]:enabled");
  target?.focus({ preventScroll: true });
}
