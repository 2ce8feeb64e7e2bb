// Cards and events in words, in the reader's language and in the names of the faces on the table.

import { isOutage } from "./api.js";
import { t } from "./i18n.js";
import { isCalfGame } from "./rules.js";

/** What stands in the corner of a card. */
export function indexOf(style, card) {
  return card[0] === "T" ? "10" : "JQKA".includes(card[0]) ? t(`index.${style}.${card[0]}`) : card[0];
}

export const suitName = (style, suit) => t(`suit.${style}.${suit}`);
export const rankName = (style, rank) => (style === "german" && "JQ".includes(rank) ? t(`rank.german.${rank}`) : t(`rank.${rank}`));

export function cardName(style, card) {
  return t("card", { rank: rankName(style, card[0]), suit: t(`suit.${style}.${card[1]}.of`) });
}

export const cardNames = (style, cards) => cards.map((card) => cardName(style, card)).join(", ");

/** What a seat is called at this table; the house's bots have names as cows have. */
export function playerName(view, seat) {
  const { kind, name, level } = view.seats[seat];
  if (kind === "bot" && (!name || name === level)) return t(`bot.${seat}`); // three called "greedy" could not be told apart
  return name || t("seat.open", { n: seat + 1 });
}

/** Who plays, for a list: the people by name, the bots by number and level. */
export function players(match) {
  const people = match.seats.filter((seat) => seat.kind !== "bot").map((seat) => (seat.kind === "open" ? "…" : seat.name));
  const levels = match.seats.filter((seat) => seat.kind === "bot" && !seat.stand_in).map((seat) => seat.level);
  const standIns = match.seats.filter((seat) => seat.stand_in).map((seat) => seat.name);
  const bots = [...new Set(levels)].map((level) => {
    const n = levels.filter((each) => each === level).length;
    const text = t("seat.bot", { level: levelName(level) });
    return n > 1 ? `${n} × ${text}` : text;
  });
  return [...people, ...standIns, ...bots].join(", ");
}

/** A bot level's name in the reader's language, or as the server calls it. */
export function levelName(level) {
  const key = `level.${level}`;
  const name = t(key);
  return name === key ? level : name;
}

export function rulesetName(name) {
  const key = `ruleset.${name}`;
  const text = t(key);
  return text === key ? name : text;
}

/** A problem's code in the reader's language, else the server's own sentence. */
export function problemText(error) {
  const key = `problem.${error.code}`;
  const text = t(key);
  return text === key ? error.message : text;
}

/** What is said while a call that failed is tried again. */
export function waitText(failure) {
  return isOutage(failure) ? t("offline") : problemText(failure);
}

export function resultText(view) {
  const { result } = view;
  if (view.status === "aborted") return t("result.aborted");
  if (!result) return "";
  if (result.draw) return t(`draw.${result.draw}`);
  const names = result.losers.map((seat) => playerName(view, seat)).join(", ");
  const calf = isCalfGame(view.ruleset);
  if (result.losers.includes(view.you) && result.losers.length === 1) return t(calf ? "result.you.calf" : "result.you.lost");
  if (view.you !== null && view.seats.length === 2 && !result.losers.includes(view.you)) return t("result.you.won");
  return t(calf ? "result.calf" : "result.lost", { n: result.losers.length, names });
}

/** A sentence for an event (several, one to a line, where it tells of every seat), or null where there is nothing to tell. */
export function describe(event, view, style) {
  const name = (seat) => (seat === view.you ? t("you") : playerName(view, seat));
  const say = (key, params = {}, seat = event.seat) => t(seat === view.you ? `${key}.you` : key, { name: name(seat), ...params });
  switch (event.type) {
    case "seat-taken": return say("log.seat", { name: event.name ?? name(event.seat) });
    case "match-started": return t("log.started", { name: name(event.dealer) });
    case "deal-dealt": return t("log.dealt", { game: event.game, dealer: name(event.dealer), leader: name(event.leader) });
    case "trumps-turned":
      return event.trumps.map((trump, seat) => say("log.turned", { suit: suitName(style, trump), cards: cardNames(style, event.turned[seat]) }, seat)).join("\n");
    case "cards-exchanged":
      return event.exchanges.map(({ card, giver, receiver }) => t("log.exchanged", { card: cardName(style, card), giver: name(giver), receiver: name(receiver) })).join("\n");
    case "card-led": return say("log.led", { card: cardName(style, event.card) });
    case "top-beaten": return say("log.beat", { card: cardName(style, event.card) });
    case "pile-taken": return say("log.took", { n: event.cards.length, cards: cardNames(style, event.cards) });
    case "pile-discarded": return t("log.discarded", { n: event.cards.length });
    case "deal-lost": return t(isCalfGame(view.ruleset) ? "log.calf" : "log.lost", { name: name(event.loser), game: event.game });
    case "deal-drawn": return t(`draw.${event.reason}`);
    case "seat-left": return say(`log.left.${event.then}`);
    case "seat-regained": return say("log.back");
    case "turn-warned": return say("log.warned");
    case "match-lost": case "match-drawn": case "match-aborted": return t("log.over");
    default: return null;
  }
}
