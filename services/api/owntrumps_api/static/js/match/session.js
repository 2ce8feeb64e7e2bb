// One match as this browser follows it: the entries of its log, views by version, and a queue that hands out one entry
// after the other, so that the page can show each move before the next. Knows nothing of the page.

import { Problem } from "../api.js";
import { Follower } from "../stream.js";

const TOO_MANY_TO_WATCH = 12; // after a long absence: jump, don't replay

export class Session {
  /**
   * handlers: onStep(view, entry) -> Promise, for each new version in order; onEntry(entry); onState(state); onLost(error).
   */
  constructor(match, handlers) {
    this.match = match;
    this.handlers = handlers;
    this.entries = [];
    this.views = new Map();
    this.queue = [];
    this.pumping = false;
    this.closed = false;
  }

  get head() {
    return this.entries.at(-1)?.version ?? 0;
  }

  /**
   * Loads the match; resolves to the view to begin with: now, or for somebody who was not there yet (`fresh`) the
   * beginning, unless that is too long ago. What came after it is handed out from `follow` on.
   */
  async open({ fresh = false } = {}) {
    const now = await this.match.view();
    this.views.set(now.version, now);
    await this.fill(now.version);
    const start = fresh ? this.entries.find(beginsPlay)?.version : undefined;
    const view = start && now.version - start <= TOO_MANY_TO_WATCH ? await this.viewAt(start) : now;
    this.queue = this.queue.filter((entry) => entry.version > view.version);
    return view;
  }

  /** The entries from one version, which is left out, up to another. */
  between(after, version) {
    return this.entries.filter((entry) => entry.version > after && entry.version <= version);
  }

  follow() {
    this.follower = new Follower(this.match, this.head, {
      onEntry: (entry) => this.accept(entry),
      onState: (state) => this.handlers.onState(state),
    });
    this.follower.run().catch((error) => { if (!this.closed) this.handlers.onLost(error); });
    this.pump();
  }

  close() {
    this.closed = true;
    this.follower?.stop();
  }

  /** Fetches entries until `version` is reached. */
  async fill(version) {
    while (this.head < version) {
      const page = await this.match.entries(this.head);
      if (!page.entries.length) return;
      page.entries.forEach((entry) => this.accept(entry));
    }
  }

  accept(entry) {
    if (entry.version <= this.head || this.closed) return;
    if (entry.version > this.head + 1) {
      this.fill(entry.version).catch((error) => this.handlers.onLost(error));
      return;
    }
    this.entries.push(entry);
    this.handlers.onEntry(entry);
    this.queue.push(entry);
    this.pump();
  }

  /** The view at a version. Each is asked for once, however many wait for it. */
  async viewAt(version) {
    if (!this.views.has(version)) this.views.set(version, this.match.viewAt(version));
    const asked = this.views.get(version);
    try {
      return await asked;
    } catch (error) {
      if (this.views.get(version) === asked) this.views.delete(version);
      throw error;
    }
  }

  entryAt(version) {
    return this.entries[version - (this.entries[0]?.version ?? 1)];
  }

  async pump() {
    if (this.pumping || !this.follower) return;
    this.pumping = true;
    try {
      while (this.queue.length && !this.closed) {
        if (this.queue.length > TOO_MANY_TO_WATCH) this.queue.splice(0, this.queue.length - 1);
        const entry = this.queue.shift();
        if (this.queue.length) this.viewAt(this.queue[0].version).catch(() => {}); // ahead of time; asked again when due
        await this.handlers.onStep(await this.viewAt(entry.version), entry);
      }
    } catch (error) {
      if (!this.closed) this.handlers.onLost(error);
    } finally {
      this.pumping = false;
    }
  }

  /**
   * Sends a move. Resolves once it is decided; a beat and lead that the beat alone already settled is sent again
   * without the lead. Rejects with the Problem.
   */
  async move(move, version, onWait) {
    let answer;
    try {
      answer = await this.match.move(move, version, { onWait });
    } catch (error) {
      const alone = error instanceof Problem && error.status === 422 && move.cards?.length === 2 && error.body.legal?.includes(move.cards[0]);
      if (!alone) throw error;
      answer = await this.match.move({ ...move, cards: move.cards.slice(0, 1) }, version, { onWait });
    }
    this.views.set(answer.version, answer.view);
    this.accept({ version: answer.version, events: answer.events });
  }
}

/** Whether play begins with an entry. */
export const beginsPlay = (entry) => entry.events.some(({ type }) => type === "match-started");

const ACTIONS = new Set(["card-led", "top-beaten", "pile-taken"]);

/** What each seat did last in the current deal, from the entries up to a version: {seat: [event, …]}. */
export function lastActions(entries, version) {
  let actions = {};
  let actor = null;
  for (const entry of entries) {
    if (entry.version > version) break;
    for (const event of entry.events) {
      if (event.type === "deal-dealt") { actions = {}; actor = null; }
      if (!ACTIONS.has(event.type)) continue;
      const goesOn = actor === event.seat && event.type === "card-led" && actions[event.seat]?.length === 1;
      actions[event.seat] = goesOn ? [...actions[event.seat], event] : [event];
      actor = event.seat;
    }
  }
  return actions;
}

/** The cards that moved in an entry. */
export function freshCards(entry) {
  return new Set((entry?.events ?? []).flatMap((event) => (ACTIONS.has(event.type) ? event.cards ?? [event.card] : [])));
}
