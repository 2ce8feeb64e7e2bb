// Starts the page: language, header, and which page the address asks for (#/ or #/m/<match>?key=<secret>).

import { Api, isUnknownPlayer } from "./api.js";
import { installSuits, suitIcon, SUITS } from "./cards/suits.js";
import { askName, closeDialogs, confirm, dialog, howToDialog, settingsDialog } from "./dialogs.js";
import { button, h, replace } from "./dom.js";
import { currentLanguage, loadLanguage, pickLanguage, t } from "./i18n.js";
import { LobbyPage } from "./lobby/page.js";
import { MatchPage } from "./match/page.js";
import { matchHash } from "./match/panels.js";
import { Settings } from "./settings.js";
import { problemText } from "./words.js";

class App {
  constructor() {
    this.settings = new Settings();
    this.api = new Api(this.settings);
    this.dialog = dialog;
    this.confirm = confirm;
    this.howTo = howToDialog;
    this.page = null;
    this.fresh = null; // the match that this page has just made or joined: its first moves are still to be seen
    this.header = h("header", { class: "top" });
    this.holder = h("div", { id: "page" });
  }

  async start() {
    installSuits();
    await loadLanguage(pickLanguage(this.settings.get("language")));
    replace(document.querySelector("#app"), this.header, this.holder);
    this.drawHeader();
    this.settings.addEventListener("change", (event) => this.changed(event.detail));
    addEventListener("hashchange", () => this.route());
    this.route();
  }

  async changed(name) {
    if (name === "language") {
      await loadLanguage(pickLanguage(this.settings.get("language")));
      this.route();
    }
    if (name === "faces" && this.page instanceof LobbyPage) this.page.drawTiles();
    this.drawHeader();
  }

  drawHeader() {
    const { player } = this.settings;
    replace(this.header,
      h("a", { class: "skip", href: "#main", on: { click: (event) => { event.preventDefault(); document.querySelector("#main h1")?.focus(); } } }, t("skip")),
      h("a", { class: "brand", href: "#/" }, h("span", { class: "brand-suits", "aria-hidden": "true" }, SUITS.map((suit) => suitIcon("german", suit))), h("span", {}, t("title"))),
      h("div", { class: "top-right" }, player && h("span", { class: "player-name" }, player.name), button(t("how.short"), howToDialog, { class: "btn text" }),
        button(t("settings"), () => settingsDialog(this.settings, currentLanguage()), { class: "btn text", id: "settings" })));
  }

  /** Makes sure this browser has a player; false if the reader would rather not. `note` says why the name is asked for. */
  async identify(note = null) {
    return Boolean(this.settings.player ?? await askName((name, options) => this.api.player(name, options), note));
  }

  /**
   * Does what only a player can do; null if the reader would rather not be one. Where the server no longer knows this
   * browser's player, it is done once more, as somebody new.
   */
  async asPlayer(action) {
    if (!await this.identify()) return null;
    try {
      return await action();
    } catch (error) {
      if (!isUnknownPlayer(error)) throw error;
      return await this.identify(problemText(error)) ? action() : null;
    }
  }

  /** Goes to a match that has just been made or joined here. */
  enter(match) {
    this.fresh = match.id;
    location.hash = matchHash(match);
  }

  route() {
    closeDialogs(); // they belong to the page that is left
    this.page?.close();
    const match = location.hash.match(/^#\/m\/([\w-]+)(?:\?key=([^&]+))?/);
    this.page = match ? new MatchPage(this, match[1], decoded(match[2])) : new LobbyPage(this);
    document.body.className = match ? "at-table" : "at-lobby";
    document.title = t("title");
    replace(this.holder, this.page.element);
    scrollTo(0, 0);
    this.page[match ? "open" : "activate"]().catch((error) => this.lost(error));
  }

  /** An old token that the server no longer knows: forget it, say so, and go on as a visitor. */
  lost(error) {
    if (!isUnknownPlayer(error)) throw error;
    this.settings.setPlayer(null);
    this.route();
    this.page.report(error);
  }
}

/** The key in an address, or null where there is none that can be read. */
function decoded(key) {
  try {
    return key ? decodeURIComponent(key) : null;
  } catch (error) {
    if (error instanceof URIError) return null;
    throw error;
  }
}

new App().start();
