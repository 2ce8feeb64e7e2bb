// The table as a whole: draws a view, lets the viewer compose a move, and animates from one view to the next.

import { h, hidden, replace } from "../dom.js";
import { t } from "../i18n.js";
import { facesFor, seatOrder } from "../rules.js";
import { calm } from "../settings.js";
import { actionsElement } from "./actions.js";
import { playMoves, snapshot } from "./animate.js";
import { handElement } from "./hand.js";
import { cardWidth, fit, shape } from "./layout.js";
import { pileElement } from "./pile.js";
import { lastAction, plaque, seatElement } from "./seat.js";

const PLACES = { 2: ["bottom", "top"], 3: ["bottom", "left", "right"], 4: ["bottom", "left", "top", "right"] };
const ROUNDING = 2; // px: heights are measured whole, but drawn in parts
export const PACES = { slow: 1.7, normal: 1, fast: 0.45 };

export class Table {
  /** `onMove({action, cards?})` sends a move; `onReturn()` takes the seat back from a stand-in bot; `announce(text)` speaks. */
  constructor(settings, { onMove, onReturn, announce }) {
    this.settings = settings;
    this.onMove = onMove;
    this.onReturn = onReturn;
    this.announce = announce;
    this.root = h("div", { class: "table" });
    this.layer = h("div", { class: "flight-layer", "aria-hidden": "true" });
    this.element = h("div", { class: "table-frame" }, this.root, this.layer);
    this.view = null;
    this.staged = null;
    this.options = {};
    this.frame = {};
    this.cards = null;
    this.observer = new ResizeObserver(() => {
      const { width, room } = this.measured();
      // It also grows with what is drawn, which is no reason to draw anew and to lose cards under way.
      if (this.view && (width !== this.frame.width || room !== this.frame.room)) this.draw();
    });
    this.observer.observe(this.element);
  }

  close() {
    this.observer.disconnect();
  }

  get style() {
    return facesFor(this.view.ruleset, this.settings.get("faces"));
  }

  /**
   * Shows a view. Options: `interactive` (it is now, and the viewer may act), `busy` (a move is on its way), `actions`
   * (what each seat did last), `fresh` (cards of the last move), `events` (animate these).
   */
  async show(view, options) {
    const before = this.view && options.events && !calm() && document.visibilityState === "visible" ? snapshot(this.root) : null;
    if (view.version !== this.view?.version || !options.interactive) this.staged = null;
    this.view = view;
    this.options = options;
    this.draw();
    if (before) await playMoves(this.root, before, options.events, { pace: PACES[this.settings.get("pace")], layer: this.layer });
  }

  /** What a tap on a hand card means now: "lead", "beat" or null. */
  get purpose() {
    const { interactive, busy } = this.options;
    if (!interactive || busy || this.view.you === null || this.view.turn !== this.view.you || this.replaced) return null;
    return this.staged || this.view.phase === "lead" ? "lead" : "beat";
  }

  /** Whether a bot stands in for the viewer. */
  get replaced() {
    return this.view.you !== null && this.view.status === "playing" && Boolean(this.view.seats[this.view.you].stand_in);
  }

  get playable() {
    if (!this.purpose) return new Set();
    return new Set(this.staged ? this.view.hand.filter((card) => card !== this.staged) : this.view.legal.filter((play) => play !== "take"));
  }

  pick(card, can) {
    if (!can) {
      if (this.purpose) this.announce(t("hand.cannot"));
      return;
    }
    if (this.purpose === "beat" && this.view.hand.length > 1) {
      this.stage(card);
      return;
    }
    this.send({ action: "play", cards: this.staged ? [this.staged, card] : [card] });
  }

  /** Lays a beating card on the pile without sending it, or (null) takes it back. */
  stage(card) {
    const before = calm() ? null : snapshot(this.root);
    const old = this.staged;
    this.staged = card;
    this.draw();
    if (before) playMoves(this.root, before, [], { pace: 0.6, layer: this.layer });
    this.announce(t(card ? "prompt.then" : "hand.undone"));
    const next = card ? this.root.querySelector("button.card[tabindex='0']") : this.root.querySelector(`[data-focus='card-${old}']`);
    next?.focus({ preventScroll: true });
  }

  send(move) {
    this.staged = null;
    this.onMove(move);
  }

  keydown(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Escape" && this.staged) {
      event.preventDefault();
      this.stage(null);
    } else if (event.key.toLowerCase() === t("key.take") && this.canTake && event.target.closest(".hand")) {
      event.preventDefault();
      this.send({ action: "take" });
    }
  }

  get canTake() {
    return this.purpose === "beat" && this.view.legal.includes("take");
  }

  /** What the window gives the table, in px: its width, and as `room` the height it can have without scrolling. */
  measured() {
    return { width: this.element.getBoundingClientRect().width, room: parseFloat(getComputedStyle(this.element).minHeight) || 0 };
  }

  draw() {
    const focused = this.root.contains(document.activeElement) ? document.activeElement.dataset.focus : null;
    this.frame = this.measured();
    const most = cardWidth(this.frame.width, this.frame.room);
    this.cards ??= { hand: most, pile: most };
    this.fill(focused);
    const fitting = this.fitting(most);
    if (fitting.hand !== this.cards.hand || fitting.pile !== this.cards.pile) {
      this.cards = fitting;
      this.fill(focused);
    }
    if (focused) this.refocus(focused);
  }

  get handWidth() {
    return this.frame.width - 30;
  }

  get pileWidth() {
    const { width } = this.frame;
    if (this.shape.narrow) return width - 28;
    const side = this.view.seats.length > 2 ? Math.min(230, Math.max(130, width * 0.2)) : 60; // as table.css has it
    return width - 2 * side - 96; // the rail, the gaps, and the corners of cards that lie askew
  }

  /** The sizes of cards that fit with everything else as it is drawn now. */
  fitting(most) {
    const { root, view } = this;
    const height = (node) => node?.offsetHeight ?? 0;
    const [pile, held] = [root.querySelector(".pile-rows, .pile.empty"), root.querySelector(".hand-rows")];
    const inside = [...root.querySelector(".centre").children];
    const around = inside.reduce((sum, node) => sum + height(node) + parseFloat(getComputedStyle(node).marginTop), 0) - height(pile);
    const rows = getComputedStyle(root).gridTemplateRows.split(" ").map(parseFloat);
    const beside = this.shape.narrow ? 0 : Math.max(0, ...[...root.querySelectorAll(".pos-left, .pos-right")].map(height)) - rows[0];
    const room = this.frame.room - (root.offsetHeight - rows[1] - height(held)) - around - ROUNDING;
    const hand = view.you === null ? 0 : view.hand.length - (this.staged ? 1 : 0);
    return fit({
      most, room, centre: beside - around,
      hand: { count: hand, width: this.handWidth }, pile: { count: view.pile.length + (this.staged ? 1 : 0) || 1, width: this.pileWidth },
    });
  }

  /** Draws everything at the sizes known so far. */
  fill(focused) {
    const { view, style, cards } = this;
    const { width, room } = this.frame;
    this.shape = shape(width, room);
    this.root.style.setProperty("--cw", `${cards.hand}px`);
    this.root.style.setProperty("--pile-cw", `${cards.pile}px`);
    const order = seatOrder(view);
    const places = PLACES[order.length];
    const seated = view.you !== null;
    const { actions = {}, fresh, busy, interactive } = this.options;
    const active = focused?.startsWith("card-") ? focused.slice(5) : null;
    const shapes = Object.keys(this.shape).filter((name) => this.shape[name]);
    this.root.className = ["table", `seats-${order.length}`, `game-${view.ruleset.name}`, ...shapes, !seated && "watching", busy && "busy"].filter(Boolean).join(" ");
    replace(this.root,
      order.slice(seated ? 1 : 0).map((seat, k) => seatElement(view, seat, places[seated ? k + 1 : k], style, actions[seat])),
      h("section", { class: "centre", "aria-label": t("pile.section") },
        pileElement(view, { style, width: this.pileWidth, card: cards.pile, staged: this.staged, taking: this.canTake, fresh, onUndo: () => this.stage(null) }),
        view.discarded?.length > 0 && h("p", { class: "discarded" }, t("pile.discarded", { n: view.discarded.length }))),
      seated && h("section", { class: `mine${view.turn === view.you ? " is-turn" : ""}`, "aria-label": t("hand.section"), data: { seat: view.you }, on: { keydown: (event) => this.keydown(event) } },
        h("div", { class: "bar" }, plaque(view, view.you, style), lastAction(actions[view.you], style),
          actionsElement(this, { style, interactive, busy })),
        handElement(view, {
          style, width: this.handWidth, card: cards.hand, without: this.staged, playable: this.playable, purpose: this.purpose,
          active, onPick: (name, can) => this.pick(name, can),
        })));
    if (!seated) this.root.append(h("div", { class: "bar watch-bar" }, hidden(t("watching")), actionsElement(this, { style, interactive, busy })));
  }

  /** Drawing anew must not lose the keyboard's place: the same thing, or else the hand. */
  refocus(key) {
    const target = this.root.querySelector(`[data-focus='${key}']`) ?? this.root.querySelector(".hand .card[tabindex='0']") ?? this.root.querySelector(".actions .btn");
    target?.focus({ preventScroll: true });
  }

  /** Strong or quiet marking of what a take would pick up. */
  preview(on) {
    this.root.querySelector(".pile")?.classList.toggle("previewing", on);
  }
}
