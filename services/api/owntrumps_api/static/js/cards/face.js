// One playing card as SVG, 250 x 350 units: French or German face, or the back.

import { s } from "../dom.js";
import { figure } from "./courts.js";
import { INK, sign } from "./suits.js";

const W = 250;
const H = 350;
const PAPER = "#fdf8ea";
const SERIF = "Georgia, 'TeX Gyre Pagella', 'Liberation Serif', 'Times New Roman', serif";

// Where the signs of a number card lie, as (column, row) with columns -1 0 1 and rows in units of the pip area's height 0..1.
const PIPS = {
  2: [[0, 0], [0, 1]],
  3: [[0, 0], [0, 0.5], [0, 1]],
  4: [[-1, 0], [1, 0], [-1, 1], [1, 1]],
  5: [[-1, 0], [1, 0], [0, 0.5], [-1, 1], [1, 1]],
  6: [[-1, 0], [1, 0], [-1, 0.5], [1, 0.5], [-1, 1], [1, 1]],
  7: [[-1, 0], [1, 0], [0, 0.25], [-1, 0.5], [1, 0.5], [-1, 1], [1, 1]],
  8: [[-1, 0], [1, 0], [0, 0.25], [-1, 0.5], [1, 0.5], [0, 0.75], [-1, 1], [1, 1]],
  9: [[-1, 0], [1, 0], [-1, 1 / 3], [1, 1 / 3], [0, 0.5], [-1, 2 / 3], [1, 2 / 3], [-1, 1], [1, 1]],
  T: [[-1, 0], [1, 0], [0, 1 / 6], [-1, 1 / 3], [1, 1 / 3], [-1, 2 / 3], [1, 2 / 3], [0, 5 / 6], [-1, 1], [1, 1]],
};
const ROMAN = { 6: "VI", 7: "VII", 8: "VIII", 9: "IX", T: "X" };
// The aces of the Hungarian (Tell) pack show the seasons.
const SEASON = { h: "TAVASZ", d: "NYÁR", s: "ŐSZ", c: "TÉL" };

const turned = (...parts) => s("g", { transform: `rotate(180 ${W / 2} ${H / 2})` }, ...parts);

function paper(cls = "paper") {
  return s("rect", { class: cls, x: 1.5, y: 1.5, width: W - 3, height: H - 3, rx: 17, fill: PAPER, stroke: "#b9a983", "stroke-width": 2 });
}

function index(style, label, suit) {
  const ink = INK[style][suit];
  const wide = label.length > 1;
  return s("g", {},
    s("text", { x: 31, y: 60, "text-anchor": "middle", "font-family": SERIF, "font-weight": 700, "font-size": wide ? 54 : 62, "letter-spacing": wide ? -7 : 0, fill: ink }, label),
    sign(style, suit, 31, 90, 42));
}

function pips(style, rank, suit) {
  const size = style === "german" ? 54 : 52;
  return PIPS[rank].map(([column, row]) => {
    const x = W / 2 + column * 42;
    const y = 66 + row * 218;
    return sign(style, suit, x, y, size, row > 0.5 ? { transform: `rotate(180 ${x} ${y})` } : {});
  });
}

function frame(tint) {
  return [
    s("rect", { x: 58, y: 24, width: 134, height: 302, rx: 6, fill: tint, stroke: "#8a7440", "stroke-width": 1.6 }),
    s("rect", { x: 62, y: 28, width: 126, height: 294, rx: 3, fill: "none", stroke: "#8a7440", "stroke-width": 0.8 }),
  ];
}

let clips = 0;

function court(style, rank, suit, title) {
  const id = `half-${clips += 1}`;
  const diagonal = style === "french";
  const half = diagonal ? "M62 28H188V140L62 210Z" : "M62 28H188V164H62Z";
  const drawing = () => s("g", { "clip-path": `url(#${id})` },
    ...figure(style, rank, suit),
    sign(style, suit, 82, style === "german" && rank === "J" ? 146 : 50, 34));
  const sash = diagonal
    ? s("path", { d: "M62 210 188 140", stroke: "#d8a531", "stroke-width": 7, fill: "none" })
    : s("g", {},
      s("rect", { x: 58, y: 163, width: 134, height: 24, fill: "#f6e6b4", stroke: "#8a7440", "stroke-width": 1.4 }),
      s("text", { x: 125, y: 180.5, "text-anchor": "middle", "font-family": SERIF, "font-size": 15, "font-weight": 700, "letter-spacing": 3, fill: "#3b2a14" }, title));
  return [
    s("clipPath", { id }, s("path", { d: half })),
    ...frame(style === "french" ? "#fbefcf" : "#fdf3d4"),
    drawing(), turned(drawing()), sash,
  ];
}

function frenchAce(suit) {
  const ink = INK.french[suit];
  return [
    s("circle", { cx: 125, cy: 175, r: 78, fill: "none", stroke: ink, "stroke-width": 1.6, "stroke-opacity": 0.5 }),
    s("circle", { cx: 125, cy: 175, r: 71, fill: "none", stroke: ink, "stroke-width": 4, "stroke-opacity": 0.16, "stroke-dasharray": "1 8", "stroke-linecap": "round" }),
    sign("french", suit, 125, 175, 108),
  ];
}

function germanAce(suit) {
  const wreath = [];
  for (let angle = 0; angle < 360; angle += 30) {
    wreath.push(s("g", { transform: `rotate(${angle} 125 175) translate(0 -70)` },
      s("path", { d: "M125 175c9-6 12-15 9-24-10 3-14 12-9 24Z", fill: "#4f9a3d", stroke: "#1f5522", "stroke-width": 1.4 })));
  }
  return [
    ...frame("#fdf3d4"),
    sign("german", suit, 125, 72, 62), turned(sign("german", suit, 125, 72, 62)),
    ...wreath,
    sign("german", suit, 125, 164, 64),
    s("path", { d: "M70 196c36 12 74 12 110 0l8 22c-42 14-84 14-126 0Z", fill: "#f6e6b4", stroke: "#8a7440", "stroke-width": 1.6 }),
    s("text", { x: 125, y: 220, "text-anchor": "middle", "font-family": SERIF, "font-size": 17, "font-weight": 700, "letter-spacing": 4, fill: "#3b2a14" }, SEASON[suit]),
  ];
}

function middle(style, rank, suit, title) {
  if (rank === "A") return style === "french" ? frenchAce(suit) : germanAce(suit);
  if (rank === "J" || rank === "Q" || rank === "K") return court(style, rank, suit, title);
  const numeral = style === "german" && ROMAN[rank]
    ? [s("text", { x: 125, y: 34, "text-anchor": "middle", "font-family": SERIF, "font-size": 21, "font-weight": 700, "letter-spacing": 2, fill: "#3b2a14" }, ROMAN[rank])]
    : [];
  return [...pips(style, rank, suit), ...numeral, ...(numeral.length ? [turned(numeral[0].cloneNode(true))] : [])];
}

/**
 * The picture of a card, e.g. ("german", "Qh", {index: "F", title: "FELSŐ"}).
 * `index` is what the corner says and `title` the word on the band of a German court card, both in the reader's language.
 */
export function cardFace(style, card, { index: label, title = "" }) {
  const rank = card[0];
  const suit = card[1];
  return s("svg", { class: "face", viewBox: `0 0 ${W} ${H}`, "aria-hidden": "true", focusable: "false" },
    paper(), ...middle(style, rank, suit, title), index(style, label, suit), turned(index(style, label, suit)));
}

/** The back all cards share: a lattice with a medallion of the four suits. */
export function cardBack() {
  const lattice = [];
  for (let x = -330; x < 260; x += 22) {
    lattice.push(s("path", { d: `M${x} 18l330 330M${x + 330} 18 ${x} 348`, stroke: "#e2b65a", "stroke-opacity": 0.3, "stroke-width": 2, fill: "none" }));
  }
  const id = `back-${clips += 1}`;
  return s("svg", { class: "face back", viewBox: `0 0 ${W} ${H}`, "aria-hidden": "true", focusable: "false" },
    s("clipPath", { id }, s("rect", { x: 16, y: 16, width: W - 32, height: H - 32, rx: 9 })),
    paper(),
    s("rect", { x: 16, y: 16, width: W - 32, height: H - 32, rx: 9, fill: "#6d1526" }),
    s("g", { "clip-path": `url(#${id})` }, ...lattice),
    s("rect", { x: 22, y: 22, width: W - 44, height: H - 44, rx: 6, fill: "none", stroke: "#e2b65a", "stroke-width": 2.5 }),
    s("circle", { cx: 125, cy: 175, r: 52, fill: "#4f0e1b", stroke: "#e2b65a", "stroke-width": 3 }),
    s("path", { d: "M125 123v104M73 175h104", stroke: "#e2b65a", "stroke-opacity": 0.6, "stroke-width": 1.6 }),
    ...[["c", 105, 155], ["d", 145, 155], ["s", 105, 195], ["h", 145, 195]]
      .map(([suit, x, y]) => s("use", { href: `#suit-german-${suit}`, x: x - 14, y: y - 14, width: 28, height: 28 })));
}
