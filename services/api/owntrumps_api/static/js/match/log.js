// The moves in words: a list to read and jump from, and a voice for screen readers.

import { h, replace } from "../dom.js";
import { t } from "../i18n.js";
import { describe } from "../words.js";

const SPOKEN_FOR_MS = 6000;
const MOVES = new Set(["card-led", "top-beaten", "pile-taken"]);

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

/** What an element says to somebody who does not see it. */
export function spokenText(element) {
  const copy = element.cloneNode(true);
  copy.querySelectorAll("[aria-hidden='true']").forEach((drawn) => drawn.remove());
  return copy.textContent;
}

export class MoveLog {
  /** `onJump(version)` shows the table as it was then. */
  constructor(onJump) {
    this.onJump = onJump;
    this.standIn = false; // whether a bot plays for the viewer, as far as the log goes
    this.marked = null;
    this.list = h("ol", { class: "log", tabindex: 0, "aria-label": t("log.label") });
    this.element = h("section", { class: "log-box", "aria-labelledby": "log-title" }, h("h2", { id: "log-title" }, t("log.title")), this.list);
  }

  /** What an event is in words: [[text, whether the viewer did it], …]. What a stand-in does is not the viewer's doing. */
  sentences(event, view, style) {
    const own = event.seat !== undefined && event.seat === view.you;
    const byStandIn = own && this.standIn && MOVES.has(event.type);
    if (own && event.type === "seat-left") this.standIn = event.then === "bot";
    if (own && event.type === "seat-regained") this.standIn = false;
    const text = describe(event, byStandIn ? { ...view, you: null } : view, style) ?? "";
    return text.split("\n").filter(Boolean).map((line) => [line, own && !byStandIn]);
  }

  /** The sentences of one entry; returns them joined, for the voice. */
  add(entry, view, style) {
    const sentences = entry.events.flatMap((event) => this.sentences(event, view, style).map(([text, mine]) => ({ event, text, mine })));
    if (!sentences.length) return "";
    const followed = this.list.scrollHeight - this.list.scrollTop - this.list.clientHeight < 60;
    for (const { event, text, mine } of sentences) {
      this.list.append(h("li", { class: `${event.type}${mine ? " own" : ""}`, data: { version: entry.version } },
        h("button", { type: "button", tabindex: -1, on: { click: () => this.onJump(entry.version) } }, text)));
    }
    if (followed) this.list.scrollTop = this.list.scrollHeight;
    return sentences.map(({ text }) => text).join(" ");
  }

  /** Everything anew; returns the sentences of the last entry. */
  refill(entries, view, style) {
    replace(this.list);
    this.standIn = false;
    const said = entries.map((entry) => this.add(entry, view, style));
    this.list.scrollTop = this.list.scrollHeight;
    return said.at(-1) ?? "";
  }

  /** Marks the version on show and brings it into sight; null is "now". */
  mark(version) {
    for (const line of this.list.children) line.classList.toggle("shown", Number(line.dataset.version) === version);
    const shown = this.list.querySelector(".shown");
    if (shown) this.reveal(shown);
    else if (version === null && this.marked !== null) this.list.scrollTop = this.list.scrollHeight;
    this.marked = version;
  }

  /** Scrolls the list alone: the page stays where the reader has it. */
  reveal(line) {
    const box = this.list.getBoundingClientRect();
    const at = line.getBoundingClientRect();
    if (at.top < box.top) this.list.scrollTop -= box.top - at.top;
    else if (at.bottom > box.bottom) this.list.scrollTop += at.bottom - box.bottom;
  }
}
