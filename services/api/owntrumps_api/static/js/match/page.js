// The page of one match: ties the session to the table, the log, the history and the panels.

import { Problem } from "../api.js";
import { button, h } from "../dom.js";
import { t } from "../i18n.js";
import { afterMoves } from "../rules.js";
import { calm } from "../settings.js";
import { PACES, Table } from "../table/table.js";
import { describe, problemText, rulesetName } from "../words.js";
import { StatusLine } from "./clock.js";
import { History } from "./history.js";
import { MoveLog, Voice } from "./log.js";
import { dealNotice, resultPanel, showPanel, waitingPanel } from "./panels.js";
import { freshCards, lastActions, Session } from "./session.js";

const BETWEEN_MOVES_MS = 260;
const CALM_BETWEEN_MOVES_MS = 700; // without motion, a pause is what separates one move from the next
const LAST_CARDS_MS = 700;
const DEAL_NOTICE_MS = 2200;

const wait = (ms) => new Promise((resolve) => { setTimeout(resolve, ms); });

export class MatchPage {
  constructor(app, id, key) {
    this.app = app;
    this.id = id;
    this.match = app.api.match(id, key ?? app.settings.linkFor(id));
    if (key) app.settings.rememberLink(id, key);
    this.busy = false;
    this.dismissed = false;
    this.fetching = false; // whether a view of the past is on its way
    this.voice = new Voice();
    this.status = new StatusLine();
    this.table = new Table(app.settings, { onMove: (move) => this.move(move), onReturn: () => this.sit(null), announce: (text) => this.voice.say(text) });
    this.log = new MoveLog((version) => this.history.go(version));
    this.history = new History((version, options) => this.travel(version, options));
    this.title = h("h1", { class: "match-title", tabindex: -1 }, t("loading"));
    this.past = h("p", { class: "past-banner", hidden: true });
    this.panel = h("div", { class: "panel-holder", hidden: true });
    this.error = h("p", { class: "error-line", role: "alert", hidden: true });
    this.resign = button(t("resign"), () => this.leave(), { class: "btn quiet", hidden: true });
    this.drawer = h("details", { class: "side", open: innerWidth >= 1000 }, h("summary", {}, t("side")), h("div", { class: "side-in" }, this.log.element, this.history.element, h("div", { class: "side-foot" }, this.resign)));
    this.stage = h("div", { class: "stage" }, this.table.element, this.panel, this.error);
    this.element = h("main", { class: "match", id: "main" },
      h("div", { class: "match-head" }, h("a", { class: "back-link", href: "#/", "aria-label": t("to.lobby") }, "‹"), this.title, this.past, this.status.element),
      h("div", { class: "match-body" }, this.stage, this.drawer), this.voice.element);
    this.onSettings = (event) => { if (["faces", "pace"].includes(event.detail) && this.view) this.redraw(); };
    app.settings.addEventListener("change", this.onSettings);
  }

  async open() {
    this.session = new Session(this.match, {
      onStep: (view, entry) => this.step(view, entry),
      onEntry: (entry) => this.history.grow(entry.version),
      onState: (state) => this.status.connection(state),
      onLost: (error) => this.fail(error),
    });
    try {
      this.view = await this.session.open();
    } catch (error) {
      this.fail(error);
      return;
    }
    this.redraw();
    this.title.focus({ preventScroll: true });
    this.session.follow();
    this.promptAloud();
  }

  close() {
    this.closed = true;
    this.session?.close();
    this.status.close();
    this.table.close();
    this.app.settings.removeEventListener("change", this.onSettings);
    document.title = t("title");
  }

  /** Everything again from the view now: after loading, and when the faces change. */
  redraw() {
    const { view } = this;
    if (view.link) this.app.settings.rememberLink(view.id, view.link);
    this.table.view ??= view;
    this.log.refill(this.session.entries, view, this.styleOf(view));
    this.history.grow(this.session.head);
    if (this.history.past) this.travel(this.history.at, {});
    else this.showNow();
  }

  styleOf(view) {
    this.table.view ??= view;
    return this.table.style;
  }

  /** The newest view, in which the viewer may act; `events` are animated. */
  async showNow(events = null, entry = null) {
    const { view } = this;
    const current = this.session.queue.length === 0 && view.version === this.session.head;
    this.heading();
    const last = events && view.status !== "playing"; // the result waits until its last card has been seen
    if (!last) this.panels();
    this.log.mark(null);
    await this.table.show(view, {
      interactive: current, busy: this.busy, events, fresh: freshCards(entry ?? this.session.entryAt(view.version)), actions: lastActions(this.session.entries, view.version),
    });
    if (last && !this.closed) this.panels();
  }

  heading() {
    const { view } = this;
    const series = view.games > 1 ? ` · ${t("deal.of", { at: view.game, of: view.games })}` : "";
    this.title.textContent = `${rulesetName(view.ruleset.name)}${series}`;
    this.status.until(view.status === "playing" ? view.deadline : null);
    const mine = view.status === "playing" && view.turn === view.you;
    document.title = mine ? `● ${t("title.turn")} · ${t("title")}` : `${rulesetName(view.ruleset.name)} · ${t("title")}`;
    this.resign.hidden = !(view.status === "playing" && view.you !== null && !this.table.replaced);
  }

  panels() {
    const { view } = this;
    if (view.status === "open") showPanel(this.panel, waitingPanel(view, { style: this.styleOf(view), onSit: (trump) => this.sit(trump) }));
    else if (view.status !== "playing" && !this.dismissed && !this.history.past) {
      showPanel(this.panel, resultPanel(view, { style: this.styleOf(view), onRematch: () => this.rematch(), onReview: () => this.review() }));
    } else showPanel(this.panel, null);
  }

  review() {
    this.dismissed = true;
    this.panels();
    this.drawer.open = true;
    this.history.slider.focus();
  }

  /** One new version: say it, show it, and leave time to see it. */
  async step(view, entry) {
    const before = this.view;
    this.view = view;
    this.busy = false; // whatever was sent is decided by now, or refused as stale
    const spoken = this.log.add(entry, view, this.styleOf(view));
    this.voice.say(spoken);
    if (this.history.past) {
      this.heading();
      return;
    }
    const ended = entry.events.find((event) => event.type === "deal-lost" || event.type === "deal-drawn");
    const pace = PACES[this.app.settings.get("pace")];
    if (ended && view.status === "playing") await this.betweenDeals(before, entry, ended, pace);
    await this.showNow(entry.events, entry);
    if (this.session.queue.length) await wait((calm() ? CALM_BETWEEN_MOVES_MS : BETWEEN_MOVES_MS) * pace);
    else this.promptAloud();
  }

  /** The end of a deal that another one follows in the same entry: its last cards first, then who lost it. */
  async betweenDeals(before, entry, ended, pace) {
    const events = entry.events.slice(0, entry.events.indexOf(ended));
    const shown = [...this.session.entries.filter(({ version }) => version < entry.version), { ...entry, events }];
    await this.table.show(afterMoves(before, events), {
      interactive: false, busy: false, events, fresh: freshCards({ events }), actions: lastActions(shown, entry.version),
    });
    await wait(LAST_CARDS_MS * pace);
    showPanel(this.panel, dealNotice(describe(ended, before, this.table.style)));
    await wait(DEAL_NOTICE_MS * pace);
    showPanel(this.panel, null);
  }

  promptAloud() {
    if (this.closed || this.history.past) return;
    this.voice.say(this.table.root.querySelector(".prompt")?.textContent);
  }

  async travel(version, { animate }) {
    this.past.hidden = version === null;
    this.element.classList.toggle("in-past", version !== null);
    if (version === null) {
      await this.showNow(animate ? this.session.entryAt(this.view.version)?.events : null);
      return;
    }
    this.past.textContent = t("past", { at: version, of: this.session.head });
    if (this.fetching) return; // a dragged slider passes many versions; only where it stops is asked for
    this.fetching = true;
    try {
      const view = await this.viewOnSlider();
      if (view) await this.showPast(view, animate);
    } catch (error) {
      this.report(error);
    }
  }

  /** The view at which the slider stands when it has come, or null if that is "now" again. */
  async viewOnSlider() {
    try {
      let view = null;
      while (this.history.past && view?.version !== this.history.at) view = await this.session.viewAt(this.history.at);
      return this.history.past && !this.closed ? view : null;
    } finally {
      this.fetching = false;
    }
  }

  async showPast(view, animate) {
    const { version } = view;
    const entry = this.session.entryAt(version);
    this.panels();
    this.log.mark(version);
    await this.table.show(view, { interactive: false, events: animate ? entry?.events : null, fresh: freshCards(entry), actions: lastActions(this.session.entries, version) });
  }

  async move(move) {
    this.busy = true;
    this.report(null);
    this.showNow();
    try {
      await this.session.move(move, this.view.version, () => this.status.connection("lost"));
    } catch (error) {
      this.report(error);
      if (error instanceof Problem && error.body.version) await this.session.fill(error.body.version);
    } finally {
      this.busy = false;
      if (!this.closed && !this.session.pumping) this.showNow();
    }
  }

  async sit(trump) {
    try {
      if (!await this.app.identify()) return;
      await this.match.sit(trump);
      await this.reload();
    } catch (error) {
      this.report(error);
    }
  }

  /** The viewer became somebody else (sat down): what they may see has changed, so everything is asked anew. */
  async reload() {
    this.session.close();
    this.busy = false;
    await this.open();
  }

  async rematch() {
    try {
      const view = await this.match.rematch();
      location.hash = `#/m/${view.id}${view.link ? `?key=${encodeURIComponent(view.link)}` : ""}`;
    } catch (error) {
      this.report(error);
    }
  }

  async leave() {
    if (!await this.app.confirm(t("resign.sure"), t("resign"))) return;
    try {
      await this.match.resign();
    } catch (error) {
      this.report(error);
    }
  }

  report(error) {
    if (error && !(error instanceof Error)) throw error;
    this.error.hidden = !error;
    this.error.textContent = error ? problemText(error) : "";
  }

  fail(error) {
    if (error.status === 401) {
      this.app.lost(error);
      return;
    }
    this.report(error);
    if (!this.view) this.title.textContent = t("no.match");
  }
}
