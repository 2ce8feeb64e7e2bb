// The lobby: start at once, games to choose from, open tables, one's own matches, and joining by link.

import { isUnknownPlayer } from "../api.js";
import { cardFace } from "../cards/face.js";
import { suitIcon } from "../cards/suits.js";
import { button, h, replace } from "../dom.js";
import { t } from "../i18n.js";
import { facesFor } from "../rules.js";
import { indexOf, players, problemText, rulesetName, waitText } from "../words.js";
import { askForMatch } from "./create.js";
import { seekOpponents } from "./seek.js";

const REFRESH_MS = 5000;
const AT_ONCE = { retryForMs: 0 }; // what is asked for every few seconds is tried again then
const EASY_LEVEL = "greedy";
const HERO = [["german", "As", -25], ["french", "Kh", -8.5], ["german", "Qd", 8.5], ["french", "Qs", 25]];

function heroCards() {
  return h("div", { class: "hero-cards", "aria-hidden": "true" }, HERO.map(([style, card, angle]) => h("span", { vars: { angle: `${angle}deg` } },
    cardFace(style, card, { index: indexOf(style, card), title: style === "german" && "JQK".includes(card[0]) ? t(`band.${card[0]}`) : "" }))));
}

export class LobbyPage {
  constructor(app) {
    this.app = app;
    this.rulesets = {};
    this.levels = [EASY_LEVEL];
    this.loaded = false;
    this.looking = false;
    this.waits = new Map(); // why a button or the lists wait, if they do
    this.error = h("p", { class: "error-line", role: "alert", hidden: true });
    this.state = h("p", { class: "error-line link-state lost", role: "status", hidden: true });
    this.tiles = h("ul", { class: "tiles" });
    this.mine = h("ul", { class: "match-list", id: "mine" });
    this.open = h("ul", { class: "match-list", id: "open-tables" });
    this.playing = h("ul", { class: "match-list", id: "playing" });
    this.link = h("input", { type: "text", required: true, placeholder: t("join.placeholder"), "aria-label": t("join.label"), autocomplete: "off", on: { input: () => this.link.setCustomValidity("") } });
    this.heading = h("h1", { tabindex: -1 }, t("title"));
    this.mineBox = h("section", { class: "box", hidden: true }, h("h2", {}, t("lobby.mine")), this.mine);
    this.element = h("main", { class: "lobby", id: "main" },
      h("section", { class: "hero" }, h("div", { class: "hero-text" }, this.heading, h("p", { class: "tagline" }, t("tagline")),
        h("div", { class: "hero-buttons" }, button(t("play.now"), () => this.quick("bornyu"), { class: "btn primary big", id: "play-now" }),
          button(t("create.title"), () => this.create({}), { class: "btn big quiet", id: "create" }), button(t("how"), () => this.app.howTo(), { class: "btn big text" }))), heroCards()),
      this.error, this.state,
      h("div", { class: "lobby-grid" },
        h("section", { class: "games", "aria-labelledby": "games-title" }, h("h2", { id: "games-title" }, t("lobby.games")), this.tiles),
        h("div", { class: "lobby-side" }, this.mineBox,
          h("section", { class: "box" }, h("h2", {}, t("lobby.open")), this.open),
          h("section", { class: "box" }, h("h2", {}, t("lobby.watch")), this.playing),
          h("form", { class: "box join", on: { submit: (event) => this.join(event) } }, h("h2", {}, t("join.title")), h("div", { class: "copy-line" }, this.link, h("button", { class: "btn quiet", type: "submit" }, t("join.go")))))));
  }

  /** Looks what there is, once at a time. An outage is told for as long as it lasts. */
  async look() {
    if (this.looking || this.closed) return;
    this.looking = true;
    try {
      await this.load(AT_ONCE);
      await this.refresh();
      this.waiting("lists", null);
    } catch (error) {
      this.waiting("lists", error);
    } finally {
      this.looking = false;
    }
  }

  /** What can be played, and with which bots: asked for until it is known, also by a button that is pressed at once. */
  async load(options) {
    if (this.loaded) return;
    const [rulesets, bots] = await Promise.all([this.app.api.rulesets(options), this.app.api.bots(options)]);
    if (this.loaded) return; // somebody else was faster
    for (const ruleset of rulesets.rulesets) this.rulesets[ruleset.name] = ruleset;
    this.levels = bots.bots.map((bot) => bot.level);
    this.loaded = true;
    this.drawTiles();
  }

  async activate() {
    this.heading.focus({ preventScroll: true });
    this.ticker = setInterval(() => { if (document.visibilityState === "visible") this.look(); }, REFRESH_MS);
    await this.look();
  }

  close() {
    this.closed = true;
    clearInterval(this.ticker);
  }

  drawTiles() {
    replace(this.tiles, Object.values(this.rulesets).map((ruleset) => {
      const style = facesFor(ruleset, this.app.settings.get("faces"));
      return h("li", { class: `tile game-${ruleset.name}` },
        h("div", { class: "tile-suits", "aria-hidden": "true" }, ["c", "d", "h", "s"].slice(0, ruleset.seats).map((suit) => h("span", { class: "medal" }, suitIcon(style, suit)))),
        h("h3", {}, rulesetName(ruleset.name)), h("p", { class: "tile-facts" }, `${t("players", { n: ruleset.seats })} · ${t("cards", { n: ruleset.deck })}`), h("p", {}, t(`about.${ruleset.name}`)),
        h("div", { class: "tile-buttons" },
          button(t("tile.bots"), () => this.quick(ruleset.name), { class: "btn primary", "aria-label": `${t("tile.bots")}: ${rulesetName(ruleset.name)}`, data: { quick: ruleset.name } }),
          button(t("tile.people"), () => this.seek(ruleset.name), { class: "btn quiet", "aria-label": `${t("tile.people")}: ${rulesetName(ruleset.name)}`, data: { seek: ruleset.name } }),
          button(t("tile.custom"), () => this.create({ ruleset: ruleset.name }), { class: "btn text", "aria-label": `${t("tile.custom")}: ${rulesetName(ruleset.name)}` })));
    }));
  }

  /** The lists as this browser's player sees them; as a visitor does, if the server no longer knows that player. */
  async refresh() {
    try {
      await this.list();
    } catch (error) {
      if (!isUnknownPlayer(error)) throw error;
      this.report(error);
      await this.list();
    }
  }

  async list() {
    const { api, settings } = this.app;
    const me = settings.player?.id;
    const [open, playing, mine, turns] = await Promise.all([
      api.matches({ status: "open" }, AT_ONCE), api.matches({ status: "playing" }, AT_ONCE),
      me ? api.matches({ player: me }, AT_ONCE) : { matches: [] }, me ? api.turns(AT_ONCE) : { turns: [] },
    ]);
    if (this.closed) return;
    const waiting = new Set(turns.turns.map((turn) => turn.match));
    const own = mine.matches.filter((match) => match.status === "open" || match.status === "playing");
    own.sort((a, b) => waiting.has(b.id) - waiting.has(a.id));
    const known = new Set(mine.matches.map((match) => match.id));
    this.mineBox.hidden = !own.length;
    this.fillList(this.mine, own.slice(0, 8), (match) => [t(waiting.has(match.id) ? "match.your.turn" : `match.${match.status}`), t("match.return")], waiting);
    this.fillList(this.open, open.matches.filter((match) => !known.has(match.id)).slice(0, 8), () => ["", t("sit")]);
    this.fillList(this.playing, playing.matches.filter((match) => !known.has(match.id)).slice(0, 5), () => ["", t("match.watch")]);
  }

  fillList(list, matches, words, hot = new Set()) {
    const signature = JSON.stringify([matches.map((match) => [match.id, match.status, match.seats.map((seat) => seat.name)]), [...hot]]);
    if (list.dataset.signature === signature) return; // leave focus where it is
    list.dataset.signature = signature;
    replace(list, matches.map((match) => {
      const [note, action] = words(match);
      return h("li", { class: hot.has(match.id) ? "hot" : "" }, h("a", { href: `#/m/${match.id}`, data: { match: match.id } },
        h("span", { class: "match-name" }, h("strong", {}, rulesetName(match.ruleset.name)), h("span", {}, players(match))), note && h("span", { class: "note" }, note), h("span", { class: "go" }, action)));
    }), !matches.length && h("li", { class: "none" }, t("lobby.none")));
  }

  /** What a pressed button does. For as long as it has to be tried again, the page says so. */
  async attempt(action) {
    this.report(null);
    try {
      await action({ onWait: (failure) => this.waiting("button", failure) });
    } catch (error) {
      this.report(error);
    } finally {
      this.waiting("button", null);
    }
  }

  quick(name) {
    return this.attempt(async (options) => {
      const view = await this.app.asPlayer(async () => {
        await this.load(options);
        const { seats } = this.rulesets[name];
        const level = this.levels.includes(EASY_LEVEL) ? EASY_LEVEL : this.levels[0];
        return this.app.api.createMatch({ ruleset: name, seats: [{ kind: "me" }, ...Array.from({ length: seats - 1 }, () => ({ kind: "bot", level }))] }, options);
      });
      if (view) this.app.enter(view);
    });
  }

  seek(name) {
    return this.attempt(async (options) => {
      const match = await this.app.asPlayer(() => seekOpponents(this.app, name, options));
      if (match) this.app.enter({ id: match });
    });
  }

  create({ ruleset = "bornyu", others = "open" }) {
    return this.attempt(async (options) => {
      await this.load(options);
      const body = await askForMatch(this.app, { rulesets: this.rulesets, levels: this.levels, start: { ruleset, others, private: false } });
      const view = body && await this.app.asPlayer(() => this.app.api.createMatch(body, options));
      if (view) this.app.enter(view);
    });
  }

  /** A pasted link, or just a match's id. */
  join(event) {
    event.preventDefault();
    const text = this.link.value.trim();
    const hash = text.includes("#") ? text.slice(text.indexOf("#")) : `#/m/${text}`;
    if (/^#\/m\/[\w-]+(\?key=[^&]+)?$/.test(hash)) {
      location.hash = hash;
      return;
    }
    this.link.setCustomValidity(t("problem.bad-link"));
    this.link.reportValidity();
  }

  report(error) {
    this.error.hidden = !error;
    this.error.textContent = error ? problemText(error) : "";
  }

  /** Says that the server does not answer `who` but is asked again; null once it does. */
  waiting(who, failure) {
    this.waits.set(who, failure);
    const first = this.waits.get("button") ?? this.waits.get("lists");
    const text = first ? waitText(first) : "";
    if (this.state.textContent === text) return; // said already
    this.state.hidden = !text;
    this.state.textContent = text;
  }
}
