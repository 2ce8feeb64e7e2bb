// The HTTP client: one place that knows addresses, the bearer token, idempotency keys and what may be tried again.

const RETRY_FOR_MS = 60_000;
const FIRST_WAIT_MS = 400;
const LONGEST_WAIT_MS = 8_000;
const ASK_AGAIN_MS = 400; // for an answer the engine still owes
const TRY_AGAIN = new Set([429, 502, 503, 504]);

/** An application/problem+json answer. `code` is the stable slug; `body` holds the rest, such as `legal`. */
export class Problem extends Error {
  constructor(status, body, headers = new Headers()) {
    super(body.detail || body.title || `HTTP ${status}`);
    this.retryAfterMs = 1000 * (Number(headers.get("Retry-After")) || 0);
    this.status = status;
    this.code = body.code ?? `http-${status}`;
    this.body = body;
  }
}

/** No connection, however often it was tried. */
export class Offline extends Error {
  code = "unavailable";
}

/** Whether the server does not know the token that this browser sent. */
export const isUnknownPlayer = (error) => error instanceof Problem && error.status === 401;

/** Whether it is the server that is out of reach, so that asking again later may help. */
export const isOutage = (error) => error instanceof Offline || (error instanceof Problem && error.status >= 502);

export const pause = (ms, signal) => new Promise((resolve, reject) => {
  const done = setTimeout(resolve, ms);
  signal?.addEventListener("abort", () => { clearTimeout(done); reject(signal.reason); }, { once: true });
});

/** Waits grow from try to try, with some chance in them so that clients don't return all at once. */
export function backoff(attempt) {
  return Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** attempt) * (0.6 + 0.4 * Math.random());
}

/** How far the server's clock is ahead of this computer's, in ms: deadlines are the server's. */
export const serverClock = { ahead: 0, now: () => Date.now() + serverClock.ahead };

async function answer(response) {
  const date = Date.parse(response.headers.get("Date") ?? "");
  if (date) serverClock.ahead = date - Date.now();
  const text = await response.text();
  let body = {};
  try {
    body = text ? JSON.parse(text) : {};
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error; // a proxy's page instead of the api's answer
  }
  if (response.ok) return { status: response.status, body, headers: response.headers };
  throw new Problem(response.status, body, response.headers);
}

export class Api {
  constructor(settings) {
    this.settings = settings;
  }

  headers(extra = {}) {
    const token = this.settings.player?.token;
    return { Accept: "application/json", ...(token ? { Authorization: `Bearer ${token}` } : {}), ...extra };
  }

  /** A token that the server does not know is worth nothing; unless somebody new has come since it was sent. */
  forget(authorization) {
    if (authorization && authorization === this.headers().Authorization) this.settings.setPlayer(null);
  }

  /**
   * One call, tried again after lost connections and overload for up to a minute: safe, since every POST has a key.
   * `onWait` hears that it did not work at once.
   */
  async call(method, path, { body, headers = {}, signal, onWait, retryForMs = RETRY_FOR_MS } = {}) {
    const sent = this.headers(headers);
    if (body !== undefined) sent["Content-Type"] = "application/json";
    if (method === "POST") sent["Idempotency-Key"] ??= crypto.randomUUID?.() ?? String(Math.random()).slice(2);
    const until = Date.now() + retryForMs;
    for (let attempt = 0; ; attempt += 1) {
      let wait = backoff(attempt);
      let failure;
      try {
        return await answer(await fetch(path, { method, headers: sent, signal, cache: "no-store", body: body === undefined ? undefined : JSON.stringify(body) }));
      } catch (error) {
        if (signal?.aborted) throw error;
        if (error instanceof Problem) {
          if (isUnknownPlayer(error)) this.forget(sent.Authorization);
          if (!TRY_AGAIN.has(error.status)) throw error;
          failure = error;
          wait = Math.max(wait, error.retryAfterMs);
        } else if (error instanceof TypeError) {
          failure = new Offline(error.message); // fetch's word for "no connection"
        } else throw error;
      }
      if (Date.now() + wait > until) throw failure;
      onWait?.(failure);
      await pause(wait, signal);
    }
  }

  async get(path, options) {
    return (await this.call("GET", path, options)).body;
  }

  /** A POST's answer. Where the engine was slow (202), it is asked for until it is there: the same, or the Problem. */
  async post(path, body, { headers, ...options } = {}) {
    let answered = await this.call("POST", path, { body, headers: { Prefer: "wait=5", ...headers }, ...options });
    while (answered.status === 202) {
      await pause(ASK_AGAIN_MS, options.signal);
      answered = await this.call("GET", answered.body.location, options);
    }
    return answered.body;
  }

  /** The same for calls whose answer is a view: an answer that came late wraps it. */
  async postForView(path, body, options) {
    const answered = await this.post(path, body, options);
    return answered.view ?? answered;
  }

  /** This browser's player; made on first use. */
  async player(name, options) {
    if (!this.settings.player) this.settings.setPlayer(await this.post("/v1/players", { name }, options));
    return this.settings.player;
  }

  rulesets(options) { return this.get("/v1/rulesets", options); }
  bots(options) { return this.get("/v1/bots", options); }

  matches(query, options) { return this.get(`/v1/matches?${new URLSearchParams(query)}`, options); }
  turns(options) { return this.get("/v1/me/turns", options); }

  createMatch(body, options) { return this.postForView("/v1/matches", body, options); }
  seek(body, options) { return this.post("/v1/seeks", body, options); }
  seekState(id, seconds, signal) { return this.get(`/v1/seeks/${id}?wait=${seconds}`, { signal }); }
  async cancelSeek(id) { await this.call("DELETE", `/v1/seeks/${id}`); }

  match(id, key) { return new MatchApi(this, id, key); }
}

/** The calls about one match; `key` is the secret of a private match's link. */
export class MatchApi {
  constructor(api, id, key = null) {
    this.api = api;
    this.id = id;
    this.key = key;
  }

  path(rest = "", query = {}) {
    const all = new URLSearchParams({ ...query, ...(this.key ? { key: this.key } : {}) }).toString();
    return `/v1/matches/${encodeURIComponent(this.id)}${rest}${all ? `?${all}` : ""}`;
  }

  view(options) { return this.api.get(this.path(), options); }
  viewAt(version, options) { return this.api.get(this.path(`/views/${version}`), options); }
  news(after, seconds, options) { return this.api.get(this.path("", { after, wait: seconds }), options); }
  entries(after, options) { return this.api.get(this.path("/events", { after, limit: 500 }), options); }

  sit(trump, options) { return this.api.postForView(this.path("/seats"), trump ? { trump } : {}, options); }
  rematch(options) { return this.api.postForView(this.path("/rematch"), {}, options); }
  resign(options) { return this.api.post(this.path("/resignation"), {}, options); }
  abort(options) { return this.api.post(this.path("/abort"), {}, options); }

  /** The match that somebody's wish for a rematch has led to; 404 while there is none. */
  rematchMade(options) { return this.api.get(this.path("/rematch"), options); }

  /** {action: "play", cards: [...]} or {action: "take"}; resolves to {version, events, view}. */
  move(move, version, options) {
    return this.api.post(this.path("/moves"), move, { headers: { "If-Match": `"${version}"` }, ...options });
  }
}
