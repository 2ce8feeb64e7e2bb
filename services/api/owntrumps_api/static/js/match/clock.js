// The line above the table: connection, and how long the player to move still has.

import { serverClock } from "../api.js";
import { h } from "../dom.js";
import { clock, t } from "../i18n.js";

const TICK_MS = 250;
const HURRY_SECONDS = 10;

export class StatusLine {
  constructor() {
    this.link = h("span", { class: "link-state", role: "status" });
    this.time = h("span", { class: "clock", role: "timer", "aria-live": "off" });
    this.element = h("div", { class: "status-line" }, this.time, this.link);
    this.state = null;
    this.deadline = null;
    this.ticker = setInterval(() => this.tick(), TICK_MS);
  }

  close() {
    clearInterval(this.ticker);
  }

  /** state: live, polling, lost, ended */
  connection(state) {
    this.state = state;
    this.show(state);
  }

  /** A call is being tried again, or no longer. */
  waiting(on) {
    if (on) this.show("lost");
    else if (this.state) this.show(this.state);
  }

  show(state) {
    this.link.className = `link-state ${state}`;
    this.link.textContent = t(`link.${state}`);
  }

  /** `deadline` as in the view: null, a time stamp, or milliseconds. */
  until(deadline) {
    this.deadline = deadline === null || deadline === undefined ? null : typeof deadline === "number" ? deadline : Date.parse(deadline);
    this.tick();
  }

  tick() {
    this.time.hidden = this.deadline === null;
    if (this.deadline === null) return;
    const seconds = (this.deadline - serverClock.now()) / 1000;
    this.time.textContent = clock(seconds);
    this.time.setAttribute("aria-label", t("clock.left", { time: clock(seconds) }));
    this.time.classList.toggle("hurry", seconds < HURRY_SECONDS);
  }
}
