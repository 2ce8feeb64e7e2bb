// Time travel: a slider through every version, steps, and a replay that animates.

import { button, h, replace, s } from "../dom.js";
import { t } from "../i18n.js";

const REPLAY_MS = 500;

const ICONS = { first: "M5 4v16M19 4 8 12l11 8Z", back: "M17 4 6 12l11 8Z", play: "M7 4l13 8-13 8Z", stop: "M8 4v16M16 4v16", forward: "M7 4l8 8-8 8ZM19 4v16" };

const icon = (name) => s("svg", { class: "icon-drawing", viewBox: "0 0 24 24", "aria-hidden": "true" },
  s("path", { d: ICONS[name], fill: "currentColor", stroke: "currentColor", "stroke-width": 2.4, "stroke-linejoin": "round", "stroke-linecap": "round" }));

export class History {
  /** `onShow(version | null, {animate})`: null is "now". `onNow()` hears of the button that leads there, before. */
  constructor(onShow, onNow) {
    this.onShow = onShow;
    this.head = 0;
    this.at = null;
    this.replaying = false;
    this.covered = false; // whether something waits at "now" that the page has put aside
    this.slider = h("input", { type: "range", min: 1, max: 1, value: 1, step: 1, "aria-label": t("history.slider"), on: { input: () => this.go(Number(this.slider.value)) } });
    this.label = h("output", { class: "version" });
    const step = (name, act) => button(icon(name), act, { class: `btn icon step-${name}`, "aria-label": t(`history.${name}`), title: t(`history.${name}`) });
    this.player = step("play", () => this.toggle());
    this.live = button(t("history.live"), () => { onNow(); this.go(null); }, { class: "btn live" });
    this.element = h("section", { class: "history", "aria-label": t("history.title") },
      h("div", { class: "history-line" }, this.slider, this.label),
      h("div", { class: "history-buttons" }, step("first", () => this.go(1)), step("back", () => this.go(Math.max(1, this.shown - 1))), this.player,
        step("forward", () => this.go(this.shown + 1, true)), this.live));
    this.paint();
  }

  get shown() {
    return this.at ?? this.head;
  }

  get past() {
    return this.at !== null;
  }

  /** The match has grown. */
  grow(head) {
    this.head = head;
    this.slider.max = head;
    this.paint();
  }

  go(version, animate = false) {
    if (!animate) this.replaying = false;
    this.at = version === null || version >= this.head ? null : version;
    this.paint();
    return this.onShow(this.at, { animate });
  }

  async toggle() {
    this.replaying = !this.replaying;
    this.paint();
    if (!this.replaying) return;
    if (!this.past) await this.go(1, true);
    while (this.replaying && this.past) {
      await new Promise((resolve) => { setTimeout(resolve, REPLAY_MS); });
      if (this.replaying) await this.go(this.shown + 1, true);
    }
    this.replaying = false;
    this.paint();
  }

  paint() {
    this.slider.value = this.shown;
    this.slider.setAttribute("aria-valuetext", t("history.version", { at: this.shown, of: this.head }));
    this.label.textContent = `${this.shown} / ${this.head}`;
    this.live.disabled = !this.past && !this.covered;
    replace(this.player, icon(this.replaying ? "stop" : "play"));
    this.player.setAttribute("aria-label", t(this.replaying ? "history.stop" : "history.play"));
    this.element.classList.toggle("past", this.past);
  }
}
