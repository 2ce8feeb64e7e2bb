// Starts the page: language, header, and which page the address asks for (#/ or #/m/<match>?key=<secret>).

import { Api, Problem } from "./api.js";
import { installSuits, suitIcon, SUITS } from "./cards/suits.js";
import { askName, confirm, dialog, howToDialog, settingsDialog } from "./dialogs.js";
import { button, h, replace } from "./dom.js";
import { currentLanguage, loadLanguage, pickLanguage, t } from "./i18n.js";
import { LobbyPage } from "./lobby/page.js";
import { MatchPage } from "./match/page.js";
import { Settings } from "./settings.js";

class App {
  constructor() {
    this.settings = new Settings();
    this.api = new Api(this.settings);
    this.dialog = dialog;
    this.confirm = confirm;
    this.howTo = howToDialog;
    this.page = null;
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

  /** Makes sure this browser has a player; false if the reader would rather not. */
  async identify() {
    if (this.settings.player) return true;
    const name = await askName();
    if (!name) return false;
    await this.api.player(name);
    return true;
  }

  route() {
    this.page?.close();
    const match = location.hash.match(/^#\/m\/([\w-]+)(?:\?key=([^&]+))?/);
    this.page = match ? new MatchPage(this, match[1], match[2] ? decodeURIComponent(match[2]) : null) : new LobbyPage(this);
    document.body.className = match ? "at-table" : "at-lobby";
    document.title = t("title");
    replace(this.holder, this.page.element);
    scrollTo(0, 0);
    this.page[match ? "open" : "activate"]().catch((error) => this.lost(error));
  }

  /** An old token that the server no longer knows: forget it, and go on as a visitor. */
  lost(error) {
    if (!(error instanceof Problem && error.status === 401)) throw error;
    this.settings.setPlayer(null);
    this.route();
  }
}

new App().start();
