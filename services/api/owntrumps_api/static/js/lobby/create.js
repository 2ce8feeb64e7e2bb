// The form for a new table.

import { button, h, replace } from "../dom.js";
import { t } from "../i18n.js";
import { facesFor } from "../rules.js";
import { levelName, rulesetName } from "../words.js";
import { trumpPicker } from "./trumps.js";

const CLOCKS = [0, 30, 60, 300, 86_400];
const SERIES = [1, 3, 5, 10];
const DECKS = [24, 32, 36, 52];
const PICK_UPS = ["pile", "graded", "same_suit"];

function select(label, options, value, onChange) {
  const field = h("select", { on: { change: () => onChange?.(field.value) } }, options.map(([key, text]) => h("option", { value: key, selected: String(key) === String(value) }, text)));
  return { field, element: h("label", { class: "field" }, h("span", {}, label), field), get value() { return field.value; } };
}

function clockText(seconds) {
  if (seconds === 0) return t("create.clock.none");
  if (seconds < 60) return t("seconds", { n: seconds });
  return seconds < 3600 ? t("minutes", { n: seconds / 60 }) : t("hours", { n: seconds / 3600 });
}

/**
 * Opens the dialog. `rulesets` by name, `levels` of bots; `start` = {ruleset, others: level | "open", private}.
 * Resolves to the body of POST /v1/matches, or null when closed.
 */
export function askForMatch(app, { rulesets, levels, start }) {
  let ruleset = rulesets[start.ruleset] ?? Object.values(rulesets)[0];
  let name = start.ruleset in rulesets ? start.ruleset : Object.keys(rulesets)[0];
  let picker = null;
  const others = [start.others, start.others, start.others];
  const seatsHolder = h("div", { class: "field-group" });
  const trumpHolder = h("div", {});

  const seats = select(t("create.players"), [], 4, () => drawSeats());
  const deck = select(t("create.deck"), DECKS.map((n) => [n, t("cards", { n })]), ruleset.deck);
  const pickUp = select(t("create.pick_up"), PICK_UPS.map((key) => [key, t(`pick_up.${key}`)]), ruleset.pick_up);
  const games = select(t("create.games"), SERIES.map((n) => [n, t("deals", { n })]), 1);
  const turn = select(t("create.clock"), CLOCKS.map((n) => [n, clockText(n)]), 0, (value) => { away.element.hidden = value === "0"; });
  const away = select(t("create.away"), [["bot", t("away.bot")], ["forfeit", t("away.forfeit")]], "bot");
  away.element.hidden = true;
  const secret = h("input", { type: "checkbox", checked: start.private });

  const game = select(t("create.game"), Object.keys(rulesets).map((key) => [key, rulesetName(key)]), name, (key) => {
    name = key;
    ruleset = rulesets[key];
    drawRuleset();
  });
  const about = h("p", { class: "about" });

  function drawRuleset() {
    about.textContent = t(`about.${name}`);
    const counts = ruleset.deal === "mirrored" ? [2] : [2, 3, 4];
    replace(seats.field, counts.map((n) => h("option", { value: n, selected: n === ruleset.seats }, t("players", { n }))));
    deck.field.value = ruleset.deck;
    pickUp.field.value = ruleset.pick_up;
    drawSeats();
    const style = facesFor({ ...ruleset, name }, app.settings.get("faces"));
    picker = ruleset.trump_choice === "declared" ? trumpPicker(style) : null;
    replace(trumpHolder, picker ? picker.element : h("p", { class: "about" }, t("trump.turned")));
  }

  function drawSeats() {
    const options = [["open", t("create.open")], ...levels.map((level) => [level, t("seat.bot", { level: levelName(level) })])];
    replace(seatsHolder, Array.from({ length: Number(seats.value) - 1 }, (_, k) => select(t("create.seat", { n: k + 2 }), options, others[k], (value) => { others[k] = value; }).element));
  }

  function body() {
    const changed = {};
    if (Number(seats.value) !== ruleset.seats) changed.seats = Number(seats.value);
    if (Number(deck.value) !== ruleset.deck) changed.deck = Number(deck.value);
    if (pickUp.value !== ruleset.pick_up) changed.pick_up = pickUp.value;
    const seconds = Number(turn.value);
    return {
      ruleset: Object.keys(changed).length ? { base: name, ...changed } : name,
      seats: [{ kind: "me" }, ...others.slice(0, Number(seats.value) - 1).map((other) => (other === "open" ? { kind: "open" } : { kind: "bot", level: other }))],
      games: Number(games.value),
      ...(picker?.value ? { trump: picker.value } : {}),
      ...(seconds ? { turn_seconds: seconds, on_timeout: away.value } : {}),
      private: secret.checked,
    };
  }

  drawRuleset();
  return app.dialog(t("create.title"), (close) => h("form", { method: "dialog", class: "form create", on: { submit: (event) => { event.preventDefault(); close(body()); } } },
    game.element, about, seats.element, seatsHolder, trumpHolder,
    h("div", { class: "field-group" }, games.element, turn.element, away.element),
    h("details", { class: "house-rules" }, h("summary", {}, t("create.house")), h("div", { class: "field-group" }, deck.element, pickUp.element)),
    h("label", { class: "check" }, secret, h("span", {}, t("create.private"))),
    h("div", { class: "panel-buttons" }, h("button", { class: "btn primary", type: "submit" }, t("create.go")), button(t("cancel"), () => close(null), { class: "btn quiet" }))));
}
