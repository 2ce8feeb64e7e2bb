// The moves in words: a list to read and jump from, and a voice for screen readers.

import { h, replace } from "../dom.js";
import { t } from "../i18n.js";
import { describe } from "../words.js";

const SPOKEN_FOR_MS = 6000;

/** A polite live region. Each announcement is its own element, so none swallows the one before it. */
export class Voice {
  constructor() {
    this.element = h("div", { class: "sr-only", "aria-live": "polite", "aria-atomic": "false", id: "voice" });
  }

  say(text) {
    if (!text) return;
    const line = h("p", {}, text);
    this.element.append(line);
    setTimeout(() => line.remove(), SPOKEN_FOR_MS);
  }
}

export class MoveLog {
  /** `onJump(version)` shows the table as it was then. */
  constructor(onJump) {
    this.onJump = onJump;
    this.list = h("ol", { class: "log", tabindex: 0, "aria-label": t("log.label") });
    this.element = h("section", { class: "log-box", "aria-labelledby": "log-title" }, h("h2", { id: "log-title" }, t("log.title")), this.list);
  }

  /** The sentences of one entry; returns them joined, for the voice. */
  add(entry, view, style) {
    const sentences = entry.events.flatMap((event) => (describe(event, view, style) ?? "").split("\n").filter(Boolean).map((text) => [event, text]));
    if (!sentences.length) return "";
    const followed = this.list.scrollHeight - this.list.scrollTop - this.list.clientHeight < 60;
    for (const [event, text] of sentences) {
      const mine = event.seat !== undefined && event.seat === view.you;
      this.list.append(h("li", { class: `${event.type}${mine ? " own" : ""}`, data: { version: entry.version } },
        h("button", { type: "button", tabindex: -1, on: { click: () => this.onJump(entry.version) } }, text)));
    }
    if (followed) this.list.scrollTop = this.list.scrollHeight;
    return sentences.map(([, text]) => text).join(" ");
  }

  refill(entries, view, style) {
    replace(this.list);
    entries.forEach((entry) => this.add(entry, view, style));
    this.list.scrollTop = this.list.scrollHeight;
  }

  /** Marks the version on show. */
  mark(version) {
    for (const line of this.list.children) line.classList.toggle("shown", Number(line.dataset.version) === version);
  }
}
