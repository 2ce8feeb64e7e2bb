// What this browser remembers: who you are and how you like the table. Nothing of a match is ever stored.

const PLAYER = "owntrumps.player";
const CHOICES = "owntrumps.settings";
const KEYS = "owntrumps.links";
const LINKS_KEPT = 50;

const DEFAULTS = { language: null, faces: "auto", pace: "normal" };

function read(name, fallback) {
  try {
    return JSON.parse(localStorage.getItem(name)) ?? fallback;
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof DOMException) return fallback; // damaged, or storage is blocked
    throw error;
  }
}

function write(name, value) {
  try {
    localStorage.setItem(name, JSON.stringify(value));
  } catch (error) {
    if (!(error instanceof DOMException)) throw error; // blocked or full: it then lasts as long as the page
  }
}

export class Settings extends EventTarget {
  constructor() {
    super();
    this.choices = { ...DEFAULTS, ...read(CHOICES, {}) };
    const player = read(PLAYER, null);
    this.player = player?.token ? player : null;
    this.links = read(KEYS, []);
  }

  get(name) {
    return this.choices[name];
  }

  set(name, value) {
    this.choices[name] = value;
    write(CHOICES, this.choices);
    this.dispatchEvent(new CustomEvent("change", { detail: name }));
  }

  /** {id, name, token}, or null to forget who this browser is. */
  setPlayer(player) {
    this.player = player;
    write(PLAYER, player);
    this.dispatchEvent(new CustomEvent("change", { detail: "player" }));
  }

  /** The secret part of a private match's link, so that a reload without it still finds the table. */
  rememberLink(match, key) {
    this.links = [{ match, key }, ...this.links.filter((link) => link.match !== match)].slice(0, LINKS_KEPT);
    write(KEYS, this.links);
  }

  linkFor(match) {
    return this.links.find((link) => link.match === match)?.key ?? null;
  }
}

/** Whether the reader asked their system for less motion. */
export const calm = () => matchMedia("(prefers-reduced-motion: reduce)").matches;
