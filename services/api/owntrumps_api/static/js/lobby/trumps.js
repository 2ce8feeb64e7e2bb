// Choosing one's trump: four suits, or leave it to the server.

import { SUITS, suitIcon } from "../cards/suits.js";
import { h } from "../dom.js";
import { t } from "../i18n.js";
import { suitName } from "../words.js";

let groups = 0;

/** A radio group; `value` is a suit or null (drawn). `taken` suits cannot be chosen. */
export function trumpPicker(style, taken = []) {
  groups += 1;
  const name = `trump-${groups}`;
  const picker = { value: null };
  const option = (value, face, label) => h("label", { class: `trump-option${value && taken.includes(value) ? " gone" : ""}`, title: label },
    h("input", { type: "radio", name, value: value ?? "", checked: value === null, disabled: Boolean(value) && taken.includes(value), "aria-label": label, on: { change: () => { picker.value = value; } } }),
    h("span", { class: "medal" }, face));
  picker.element = h("fieldset", { class: "trump-picker" }, h("legend", {}, t("trump.choose")),
    h("div", { class: "trump-options" },
      option(null, h("span", { "aria-hidden": "true" }, "?"), t("trump.any")),
      SUITS.map((suit) => option(suit, suitIcon(style, suit), suitName(style, suit)))));
  return picker;
}
