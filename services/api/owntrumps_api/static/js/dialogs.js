// Modal dialogs: a promise for what the reader chose. The browser's own <dialog> keeps focus inside and gives it back.

import { button, h } from "./dom.js";
import { LANGUAGES, t } from "./i18n.js";
import { problemText, waitText } from "./words.js";

const LONGEST_NAME = 40; // the server's limit

/** `build(close)` returns the content; resolves to what `close` was given, or null on Escape. */
export function dialog(title, build, cls = "") {
  return new Promise((resolve) => {
    const box = h("dialog", { class: `dialog ${cls}`, "aria-labelledby": "dialog-title" });
    let answer = null;
    const close = (value) => { answer = value; box.close(); };
    box.append(h("div", { class: "dialog-head" }, h("h2", { id: "dialog-title" }, title), button("✕", () => close(null), { class: "btn icon", "aria-label": t("close") })), build(close));
    box.addEventListener("close", () => { box.remove(); resolve(answer); });
    document.body.append(box);
    box.showModal();
  });
}

/** As if each had been left with Escape. */
export function closeDialogs() {
  document.querySelectorAll("dialog[open]").forEach((box) => box.close());
}

export function confirm(text, yes) {
  return dialog(yes, (close) => h("div", { class: "form" }, h("p", {}, text),
    h("div", { class: "panel-buttons" }, button(yes, () => close(true), { class: "btn primary" }), button(t("cancel"), () => close(false), { class: "btn quiet" }))));
}

/**
 * Asks for a name until `register(name, {onWait, signal})` takes it; resolves to what that resolves to, or null if the
 * reader would rather not. `note` is said before anything is typed.
 */
export async function askName(register, note) {
  const left = new AbortController();
  const field = h("input", { type: "text", required: true, maxlength: LONGEST_NAME, autocomplete: "nickname", autofocus: true, id: "player-name", "aria-describedby": "name-note" });
  const line = h("p", { class: "error-line", role: "alert", id: "name-note", hidden: !note }, note);
  const go = h("button", { class: "btn primary", type: "submit" }, t("name.go"));
  const say = (text) => { line.textContent = text; line.hidden = !text; };

  async function submit(close) {
    const name = field.value.trim();
    if (!name || go.disabled) return;
    go.disabled = true;
    say("");
    try {
      close(await register(name, { signal: left.signal, onWait: (failure) => say(waitText(failure)) }));
    } catch (error) {
      if (left.signal.aborted) return;
      say(error.code === "malformed" ? t("name.refused") : problemText(error));
      field.focus();
    } finally {
      go.disabled = false;
    }
  }

  const player = await dialog(t("name.title"), (close) => h("form", { class: "form", on: { submit: (event) => { event.preventDefault(); submit(close); } } },
    h("label", { class: "field" }, h("span", {}, t("name.label")), field), line, h("p", { class: "about" }, t("name.about")), h("div", { class: "panel-buttons" }, go)));
  left.abort();
  return player;
}

function radios(legend, name, options, chosen, onPick) {
  return h("fieldset", { class: "radios" }, h("legend", {}, legend), options.map(([value, text]) => h("label", {},
    h("input", { type: "radio", name, value, checked: value === chosen, on: { change: () => onPick(value) } }), h("span", {}, text))));
}

export function settingsDialog(settings, language) {
  return dialog(t("settings"), (close) => h("div", { class: "form settings" },
    radios(t("settings.language"), "language", Object.entries(LANGUAGES), language, (value) => { close(null); settings.set("language", value); }),
    radios(t("settings.faces"), "faces", ["auto", "french", "german"].map((key) => [key, t(`faces.${key}`)]), settings.get("faces"), (value) => settings.set("faces", value)),
    radios(t("settings.pace"), "pace", ["slow", "normal", "fast"].map((key) => [key, t(`pace.${key}`)]), settings.get("pace"), (value) => settings.set("pace", value)),
    settings.player && h("p", { class: "about" }, t("settings.player", { name: settings.player.name }))));
}

export function howToDialog() {
  const points = ["turn", "beat", "trump", "take", "end", "bornyu", "duel", "keys"];
  return dialog(t("how"), () => h("div", { class: "form how" }, points.map((point) => [h("h3", {}, t(`how.${point}.title`)), h("p", {}, t(`how.${point}`))])), "wide");
}
