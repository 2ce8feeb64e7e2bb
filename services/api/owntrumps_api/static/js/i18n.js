// Texts. One JSON file per language under /static/i18n; a message is a string, or an object of plural forms chosen by `n`.

export const LANGUAGES = { en: "English", hu: "Magyar", is: "Íslenska", ru: "Русский" };

let texts = {};
let language = "en";
let plurals = new Intl.PluralRules("en");

export function pickLanguage(wanted, offered = navigator.languages) {
  if (wanted in LANGUAGES) return wanted;
  return offered.map((tag) => tag.slice(0, 2).toLowerCase()).find((code) => code in LANGUAGES) ?? "en";
}

export async function loadLanguage(code) {
  const response = await fetch(`/static/i18n/${code}.json`);
  if (!response.ok) throw new Error(`no texts for ${code}: HTTP ${response.status}`);
  texts = await response.json();
  language = code;
  plurals = new Intl.PluralRules(code);
  document.documentElement.lang = code;
}

export const currentLanguage = () => language;

/** The text of a key with {names} filled in. An unknown key shows as itself: a test keeps that from happening. */
export function t(key, params = {}) {
  let message = texts[key];
  if (message === undefined) return key;
  if (typeof message === "object") message = message[plurals.select(params.n)] ?? message.other;
  return message.replace(/\{(\w+)\}/g, (whole, name) => (name in params ? params[name] : whole));
}

export const has = (key) => key in texts;

export function clock(seconds) {
  const whole = Math.max(0, Math.ceil(seconds));
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
}
