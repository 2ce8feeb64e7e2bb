// The page of one match: ties the session to the table, the log, the history and the panels.

import { isUnknownPlayer, Problem } from "../api.js";
import { button, h } from "../dom.js";
import { t } from "../i18n.js";
import { afterMoves, isCalfGame } from "../rules.js";
import { calm } from "../settings.js";
import { PACES, Table } from "../table/table.js";
import { describe, problemText, rulesetName } from "../words.js";
import { StatusLine } from "./clock.js";
import { History } from "./history.js";
import { MoveLog, spokenText, Voice } from "./log.js";
import { dealNotice, lostPanel, resultPanel, showPanel, waitingPanel } from "./panels.js";
import { RematchWatch } from "./rematch.js";
import { beginsPlay, freshCards, lastActions, Session } from "./session.js";

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
    this.trump = null; // chosen, but not sat down with yet
    this.scene = null; // see `begin`
    this.made = null; // the rematch, once there is one
    this.rematches = new RematchWatch(this.match, (view) => this.rematchMade(view));
    this.voice = new Voice();
    this.status = new StatusLine();
    this.table = new Table(app.settings, { onMove: (move) => this.move(move), onReturn: () => this.sit(null), announce: (text) => this.voice.say(text) });
    this.log = new MoveLog((version) => this.history.go(version));
    this.history = new History((version, options) => this.travel(version, options), () => this.dismiss(false));
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
    const fresh = this.app.fresh === this.id;
    this.app.fresh = null;
    this.session = new Session(this.match, {
      onStep: (view, entry) => this.step(view, entry),
      onEntry: (entry) => this.history.grow(entry.version),
      onState: (state) => this.status.connection(state),
      onLost: (error) => this.fail(error),
    });
    try {
      this.view = await this.session.open({ fresh });
    } catch (error) {
      this.fail(error);
      return;
    }
    this.title.focus({ preventScroll: true });
    await this.redraw({ fresh });
    if (this.closed) return;
    this.session.follow();
    if (!this.session.pumping) this.promptAloud();
  }

  close() {
    this.closed = true;
    this.session?.close();
    this.status.close();
    this.table.close();
    this.rematches.stop();
    this.app.settings.removeEventListener("change", this.onSettings);
    document.title = t("title");
  }

  /** Everything again from the view now: after loading, and when the faces change. What is `fresh` is dealt and told. */
  async redraw({ fresh = false } = {}) {
    const { view } = this;
    if (view.link) this.app.settings.rememberLink(view.id, view.link);
    const told = this.log.refill(this.session.between(0, view.version), view, this.styleOf(view));
    this.history.grow(this.session.head);
    const entry = this.session.entryAt(view.version);
    if (this.history.past) await this.travel(this.history.at, {});
    else if (fresh && beginsPlay(entry)) {
      this.voice.say(told);
      await this.showNow(entry.events, entry);
      await this.pause();
    } else await this.showNow();
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
    this.entitle(view);
    const last = events && view.status !== "playing"; // the result waits until its last card has been seen
    if (!last) this.panels();
    this.log.mark(null);
    await this.table.show(view, {
      interactive: current, busy: this.busy, events, fresh: freshCards(entry ?? this.session.entryAt(view.version)), actions: lastActions(this.session.entries, view.version),
    });
    if (last && !this.closed) this.panels();
  }

  /** What is played, and which deal of how many is on show. */
  entitle(view) {
    const series = view.game ? t("deal.of", { at: view.game, of: view.games }) : t("deals", { n: view.games });
    this.title.textContent = `${rulesetName(view.ruleset.name)}${view.games > 1 ? ` · ${series}` : ""}`;
  }

  /** What is true now, whatever is on show. */
  heading() {
    const { view } = this;
    this.status.until(view.status === "playing" ? view.deadline : null);
    const mine = view.status === "playing" && view.turn === view.you;
    document.title = mine ? `● ${t("title.turn")} · ${t("title")}` : `${rulesetName(view.ruleset.name)} · ${t("title")}`;
    this.resign.hidden = !(view.status === "playing" && view.you !== null && !view.seats[view.you].stand_in);
  }

  panels() {
    const { view } = this;
    const style = this.styleOf(view);
    const over = view.status !== "open" && view.status !== "playing" && !this.dismissed && !this.history.past;
    let panel = null;
    if (view.status === "open") {
      const mine = view.creator && view.creator === this.app.settings.player?.id;
      panel = waitingPanel(view, {
        style, trump: this.trump, onTrump: (trump) => { this.trump = trump; }, onSit: (trump) => this.sit(trump), onAbort: mine ? () => this.callOff() : null,
      });
    } else if (over) {
      panel = resultPanel(view, { style, made: this.made, onRematch: () => this.rematch(), onEnter: (made) => this.app.enter(made), onReview: () => this.review() });
    }
    this.lay(panel);
    if (over && view.status === "finished") this.rematches.start();
    else this.rematches.stop();
  }

  /** A panel over the table, or none; what has gone wrong is told on it, for beside it there is no room. */
  lay(panel) {
    showPanel(this.panel, panel);
    (panel ?? this.stage).append(this.error);
  }

  review() {
    this.dismiss(true);
    this.panels();
    this.drawer.open = true;
    this.history.slider.focus();
  }

  /** Puts the result aside until the button "now" asks for it. */
  dismiss(yes) {
    this.dismissed = yes;
    this.history.covered = yes;
    this.history.paint();
  }

  /** What is shown from here on supersedes what is being shown; the answer tells whether it has been superseded itself. */
  begin() {
    const scene = {};
    this.scene = scene;
    return () => this.scene === scene && !this.closed;
  }

  /** One new version: say it, show it, and leave time to see it. */
  async step(view, entry) {
    const missed = this.session.between(this.view.version, entry.version);
    this.view = view;
    this.busy = false; // whatever was sent is decided by now, or refused as stale
    const spoken = missed.map((each) => this.log.add(each, view, this.styleOf(view))).at(-1);
    this.voice.say(spoken);
    if (this.history.past) {
      this.heading();
      return;
    }
    if (!await this.dealEnd(view, entry, this.begin())) return;
    await this.showNow(entry.events, entry);
    if (this.session.queue.length) await this.pause();
    else this.promptAloud();
  }

  get pace() {
    return PACES[this.app.settings.get("pace")];
  }

  /** Time to see a move before the next. */
  pause() {
    return wait((calm() ? CALM_BETWEEN_MOVES_MS : BETWEEN_MOVES_MS) * this.pace);
  }

  /**
   * The end of a deal that another one follows in the same entry: its last cards first, then who lost it. False if
   * something else is to be shown by then.
   */
  async dealEnd(view, entry, wanted) {
    const ended = entry.events.find((event) => event.type === "deal-lost" || event.type === "deal-drawn");
    if (!ended || view.status !== "playing") return true;
    const before = await this.session.viewAt(entry.version - 1);
    if (!wanted()) return false;
    const events = entry.events.slice(0, entry.events.indexOf(ended));
    const shown = [...this.session.between(0, entry.version - 1), { ...entry, events }];
    this.entitle(before);
    await this.table.show(afterMoves(before, events), {
      interactive: false, busy: false, events, fresh: freshCards({ events }), actions: lastActions(shown, entry.version),
    });
    await wait(LAST_CARDS_MS * this.pace);
    if (!wanted()) return false;
    this.lay(dealNotice(describe(ended, before, this.table.style), ended.type === "deal-lost" && isCalfGame(view.ruleset)));
    await wait(DEAL_NOTICE_MS * this.pace);
    if (!wanted()) return false;
    this.lay(null);
    return true;
  }

  promptAloud() {
    if (this.closed || this.busy || this.history.past) return;
    const prompt = this.table.root.querySelector(".prompt");
    if (prompt) this.voice.say(spokenText(prompt));
  }

  async travel(version, { animate }) {
    this.begin();
    this.past.hidden = version === null;
    this.element.classList.toggle("in-past", version !== null);
    try {
      if (version === null) await this.showReturn(animate);
      else await this.showSlider(animate);
    } catch (error) {
      this.fail(error);
    }
  }

  /** Now, after a look back; `animate` if that was its last step. */
  async showReturn(animate) {
    const { view } = this;
    const entry = animate ? this.session.entryAt(view.version) : null;
    this.log.mark(null);
    if (entry && !await this.dealEnd(view, entry, this.begin())) return;
    await this.showNow(entry?.events ?? null);
  }

  async showSlider(animate) {
    this.past.textContent = t("past", { at: this.history.at, of: this.session.head });
    if (this.fetching) return; // a dragged slider passes many versions; only where it stops is asked for
    this.fetching = true;
    const view = await this.viewOnSlider();
    if (view) await this.showPast(view, animate);
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
    if (animate && !await this.dealEnd(view, entry, this.begin())) return;
    this.entitle(view);
    await this.table.show(view, {
      interactive: false, past: true, events: animate ? entry?.events : null, fresh: freshCards(entry), actions: lastActions(this.session.entries, version),
    });
  }

  async move(move) {
    this.busy = true;
    this.report(null);
    this.showNow();
    try {
      await this.session.move(move, this.view.version, () => this.status.waiting(true));
    } catch (error) {
      this.fail(error);
      if (error instanceof Problem && error.body.version) await this.session.fill(error.body.version);
    } finally {
      this.busy = false;
      this.status.waiting(false);
      if (!this.closed && !this.session.pumping) this.showNow();
    }
  }

  /** What a pressed button does. It waits an outage out, and says so. */
  async attempt(action) {
    this.report(null);
    try {
      await action({ onWait: () => this.status.waiting(true) });
    } catch (error) {
      this.fail(error);
    } finally {
      this.status.waiting(false);
    }
  }

  /** Takes a seat that is free, as anybody may, or one's own back from a bot. */
  sit(trump) {
    return this.attempt(async (options) => {
      const take = () => this.match.sit(trump, options);
      if (this.view.status !== "open") await take();
      else if (await this.app.asPlayer(take)) this.app.fresh = this.id;
      else return;
      await this.reload();
    });
  }

  /** The viewer became somebody else (sat down): what they may see has changed, so everything is asked anew. */
  async reload() {
    this.session.close();
    this.busy = false;
    await this.open();
  }

  rematch() {
    return this.attempt(async (options) => this.app.enter(await this.match.rematch(options)));
  }

  /** Somebody else has asked for the rematch. */
  rematchMade(made) {
    this.made = made;
    this.panels();
    this.voice.say(t(this.view.you === null ? "rematch.watch" : "rematch.go"));
  }

  async leave() {
    if (await this.app.confirm(t("resign.sure"), t("resign"))) await this.attempt((options) => this.match.resign(options));
  }

  async callOff() {
    if (!await this.app.confirm(t("abort.sure"), t("abort"))) return;
    await this.attempt(async (options) => {
      await this.match.abort(options);
      location.hash = "#/";
    });
  }

  report(error) {
    if (error && !(error instanceof Error)) throw error;
    this.error.hidden = !error;
    this.error.textContent = error ? problemText(error) : "";
  }

  fail(error) {
    if (this.closed) return;
    if (isUnknownPlayer(error)) {
      this.app.lost(error);
      return;
    }
    if (this.view) {
      this.report(error);
      return;
    }
    this.title.textContent = problemText(error);
    showPanel(this.panel, lostPanel(problemText(error)));
  }
}
