// Live news of one match: Server-Sent Events read with fetch (EventSource cannot send a bearer token), resumed from the
// last version seen; where a stream will not come through (a buffering proxy), long-polling instead.

import { backoff, pause, Problem } from "./api.js";

const SILENCE_MS = 45_000; // the server's heartbeat is far more frequent; longer silence means a dead connection
const STREAM_TRIES = 3; // failures in a row to get any stream before falling back to polling for a while
const POLL_ROUNDS = 6;
const POLL_SECONDS = 20;

/** Splits a text/event-stream body into {id, event, data}; comments come out as {} (they prove the line is alive). */
export async function* parseEvents(body, onBytes) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let buffer = "";
  let message = {};
  try {
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return;
      onBytes?.();
      buffer += value;
      const lines = buffer.split(/\r\n|\n|\r(?!$)/);
      buffer = lines.pop();
      for (const line of lines) {
        if (line === "") {
          if (message.data !== undefined) yield message;
          message = {};
          continue;
        }
        const colon = line.indexOf(":");
        if (colon === 0) continue;
        const field = colon < 0 ? line : line.slice(0, colon);
        const text = colon < 0 ? "" : line.slice(colon + 1).replace(/^ /, "");
        if (field === "data") message.data = message.data === undefined ? text : `${message.data}\n${text}`;
        else if (field === "id" || field === "event") message[field] = text;
      }
    }
  } finally {
    reader.cancel().catch(() => {}); // already broken: nothing is left to release
  }
}

/**
 * Follows a match until `signal` aborts or the server ends the stream of a finished match.
 *   onEntry({version, at, events})  every entry after `after`, in order
 *   onState("live" | "polling" | "lost" | "ended")
 */
export class Follower {
  constructor(match, after, { onEntry, onState }) {
    this.match = match;
    this.after = after;
    this.onEntry = onEntry;
    this.onState = onState;
    this.abort = new AbortController();
    this.wake = null;
    this.online = () => this.wake?.();
    addEventListener("online", this.online);
  }

  stop() {
    removeEventListener("online", this.online);
    this.abort.abort();
  }

  async run() {
    const { signal } = this.abort;
    let failures = 0;
    let everStreamed = false;
    while (!signal.aborted) {
      try {
        if (!everStreamed && failures >= STREAM_TRIES) {
          for (let round = 0; round < POLL_ROUNDS && !signal.aborted; round += 1) {
            if (await this.poll()) return;
          }
          failures = 0;
          continue;
        }
        const ended = await this.stream(() => { failures = 0; everStreamed = true; });
        if (ended) return;
        failures += 1;
      } catch (error) {
        if (signal.aborted) return;
        if (error instanceof Problem && [401, 403, 404, 410].includes(error.status)) throw error;
        failures += 1;
      }
      if (signal.aborted) return;
      this.onState("lost");
      await Promise.race([pause(backoff(Math.min(failures, 5)), signal).catch(() => {}), new Promise((resolve) => { this.wake = resolve; })]);
    }
  }

  take(entry) {
    if (entry.version <= this.after) return;
    this.after = entry.version;
    this.onEntry(entry);
  }

  async stream(onAlive) {
    const attempt = new AbortController();
    const stop = () => attempt.abort();
    this.abort.signal.addEventListener("abort", stop);
    let alarm = setTimeout(stop, SILENCE_MS);
    const heard = () => { clearTimeout(alarm); alarm = setTimeout(stop, SILENCE_MS); };
    try {
      const headers = this.match.api.headers({ Accept: "text/event-stream", "Last-Event-ID": String(this.after) });
      const response = await fetch(this.match.path("/events", { after: this.after }), { headers, signal: attempt.signal, cache: "no-store" });
      if (!response.ok) throw new Problem(response.status, await response.json().catch(() => ({})), response.headers);
      if (!response.headers.get("Content-Type")?.startsWith("text/event-stream")) throw new TypeError("not a stream");
      heard();
      this.onState("live");
      onAlive();
      for await (const message of parseEvents(response.body, heard)) {
        if (message.event === "end") { this.onState("ended"); return true; }
        const entry = JSON.parse(message.data);
        if (Number.isInteger(entry.version)) this.take(entry);
        if (entry.events?.some((event) => OVER.has(event.type))) { this.onState("ended"); return true; }
      }
      return false;
    } finally {
      clearTimeout(alarm);
      this.abort.signal.removeEventListener("abort", stop);
      attempt.abort();
    }
  }

  /** One long poll; true once the match is over and everything has been delivered. */
  async poll() {
    const options = { signal: this.abort.signal, retryForMs: 0 };
    const view = await this.match.news(this.after, POLL_SECONDS, options);
    this.onState("polling");
    while (this.after < view.version) {
      const page = await this.match.entries(this.after, options);
      if (!page.entries.length) break;
      page.entries.forEach((entry) => this.take(entry));
    }
    const over = view.status === "finished" || view.status === "aborted";
    if (over) this.onState("ended");
    return over;
  }
}

const OVER = new Set(["match-lost", "match-drawn", "match-aborted", "match-ended"]);
