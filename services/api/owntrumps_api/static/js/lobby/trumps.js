// Choosing one's trump: four suits, or leave it to the server.

import { SUITS, suitIcon } from "../cards/suits.js";
import { h } from "../dom.js";
import { t } from "../i18n.js";
import { suitName } from "../words.js";

let groups = 0;

/**
 * A radio group; `value` is a suit or null (drawn), and `onPick` hears of it. `taken` suits cannot be chosen; `chosen` is
 * to begin with, if it still can be.
 */
export function trumpPicker(style, { taken = [], chosen = null, onPick } = {}) {
  groups += 1;
  const name = `trump-${groups}`;
  const picker = { value: taken.includes(chosen) ? null : chosen };
  const option = (value, face, label) => h("label", { class: `trump-option${value && taken.includes(value) ? " gone" : ""}`, title: label },
    h("input", { type: "radio", name, value: value ?? "", checked: value === picker.value, disabled: Boolean(value) && taken.includes(value), "aria-label": label, data: { focus: `trump-${value}` }, on: { change: () => { picker.value = value; onPick?.(value); } } }),
    h("span", { class: "medal" }, face));
  picker.element = h("fieldset", { class: "trump-picker" }, h("legend", {}, t("trump.choose")),
    h("div", { class: "trump-options" },
      option(null, h("span", { "aria-hidden": "true" }, "?"), t("trump.any")),
      SUITS.map((suit) => option(suit, suitIcon(style, suit), suitName(style, suit)))));
  return picker;
}
