// While a result is on show: has somebody asked for a rematch?

import { Offline, Problem } from "../api.js";

const ASK_MS = 5000;

export class RematchWatch {
  /** `onMade(view)` hears of the new match, once. */
  constructor(match, onMade) {
    this.match = match;
    this.onMade = onMade;
    this.ticker = null;
    this.asking = false;
    this.made = false;
  }

  start() {
    if (this.ticker || this.made) return;
    this.ticker = setInterval(() => this.ask(), ASK_MS);
    this.ask();
  }

  stop() {
    clearInterval(this.ticker);
    this.ticker = null;
  }

  async ask() {
    if (this.asking || document.visibilityState !== "visible") return;
    this.asking = true;
    try {
      const view = await this.match.rematchMade({ retryForMs: 0 });
      if (!this.ticker) return; // nobody looks at the result any more
      this.made = true;
      this.stop();
      this.onMade(view);
    } catch (error) {
      // Not yet, or not to be had at the moment: it is asked for again.
      if (!(error instanceof Problem || error instanceof Offline)) throw error;
    } finally {
      this.asking = false;
    }
  }
}
