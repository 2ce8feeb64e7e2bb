// The eight suit signs, drawn once as symbols and used everywhere by reference.
// Suits are named as in the API: c d h s; in German faces acorns, bells, hearts, leaves.

import { s } from "../dom.js";

export const SUITS = ["c", "d", "h", "s"];

// Red and black each come in two shades, so that neighbouring suits in a narrow fan are told apart at a glance.
export const INK = {
  french: { c: "#17453a", d: "#d2491c", h: "#b3152f", s: "#1a2444" },
  german: { c: "#6d4213", d: "#a86a05", h: "#b3152f", s: "#2b6a2a" },
};

const HEART = "M50 91C22 67 6 51 6 31 6 16 17 7 29 7c10 0 17 6 21 15C54 13 61 7 71 7c12 0 23 9 23 24 0 20-16 36-44 60Z";

function french(suit) {
  const fill = INK.french[suit];
  switch (suit) {
    case "h":
      return [s("path", { d: HEART, fill })];
    case "d":
      return [s("path", { d: "M50 3C60 23 72 38 87 50 72 62 60 77 50 97 40 77 28 62 13 50 28 38 40 23 50 3Z", fill })];
    case "s":
      return [s("path", {
        d: "M50 4c12 20 42 34 42 56 0 13-10 20-20 20-8 0-15-4-19-11 1 11 5 20 13 27H34c8-7 12-16 13-27-4 7-11 11-19 11-10 0-20-7-20-20C8 38 38 24 50 4Z",
        fill,
      })];
    default:
      return [
        s("path", { d: "M46 48h8c1 20 4 36 13 48H33c9-12 12-28 13-48Z", fill }),
        s("circle", { cx: 50, cy: 26, r: 21.5, fill }),
        s("circle", { cx: 27, cy: 60, r: 21.5, fill }),
        s("circle", { cx: 73, cy: 60, r: 21.5, fill }),
        s("circle", { cx: 50, cy: 50, r: 12, fill }),
      ];
  }
}

const LINE = { stroke: "#2a1a10", "stroke-width": 4, "stroke-linejoin": "round", "stroke-linecap": "round" };

function acorn() {
  return [
    s("path", { d: "M52 14C52 8 56 4 62 3", fill: "none", ...LINE, "stroke-width": 6 }),
    s("path", { d: "M24 46c0 24 12 42 26 51 14-9 26-27 26-51Z", fill: "#c9822b", ...LINE }),
    s("path", { d: "M34 52c1 15 6 27 12 34", fill: "none", stroke: "#f3cd83", "stroke-width": 6, "stroke-linecap": "round" }),
    s("path", { d: "M16 46C16 24 32 13 50 13s34 11 34 33c-10 7-58 7-68 0Z", fill: "#3d7236", ...LINE }),
    s("path", { d: "M27 45 43 17M43 48 60 17M60 48 73 24M73 45 57 15M57 48 40 16M41 48 27 25", fill: "none", stroke: "#1d4a24", "stroke-width": 3 }),
  ];
}

function bell() {
  return [
    s("path", { d: "M42 13a8 8 0 1 1 16 0", fill: "none", ...LINE, "stroke-width": 5 }),
    s("circle", { cx: 50, cy: 54, r: 40, fill: "#f0b429", ...LINE }),
    s("path", { d: "M22 37c8-11 17-16 27-16", fill: "none", stroke: "#fff0b8", "stroke-width": 6, "stroke-linecap": "round" }),
    s("path", { d: "M10.5 48h79v13h-79Z", fill: "#b3152f", ...LINE, "stroke-width": 3.5 }),
    s("path", { d: "M50 70v12", fill: "none", ...LINE, "stroke-width": 6 }),
    s("circle", { cx: 50, cy: 72, r: 6.5, fill: "#2a1a10" }),
  ];
}

function leaf() {
  return [
    s("path", { d: "M50 76c0 9 4 16 12 21", fill: "none", ...LINE, "stroke-width": 7 }),
    s("path", { d: "M50 4c10 16 40 22 40 48 0 16-12 26-24 26-7 0-12-3-16-8-4 5-9 8-16 8-12 0-24-10-24-26C10 26 40 20 50 4Z", fill: "#4f9a3d", ...LINE }),
    s("path", { d: "M50 20v50M50 62 29 46M50 62l21-16M50 44 36 32M50 44l14-12", fill: "none", stroke: "#1f5522", "stroke-width": 4, "stroke-linecap": "round" }),
  ];
}

function german(suit) {
  switch (suit) {
    case "c": return acorn();
    case "d": return bell();
    case "s": return leaf();
    default: return [
      s("path", { d: HEART, fill: "#c81d33", ...LINE }),
      s("path", { d: "M20 31c0-8 5-13 11-13", fill: "none", stroke: "#ffb3ab", "stroke-width": 6, "stroke-linecap": "round" }),
    ];
  }
}

/** Puts the symbols into the page once; everything else refers to them. */
export function installSuits(root = document.body) {
  const sprite = s("svg", { class: "sprite", "aria-hidden": "true", width: 0, height: 0 });
  for (const suit of SUITS) {
    sprite.append(s("symbol", { id: `suit-french-${suit}`, viewBox: "0 0 100 100" }, ...french(suit)));
    sprite.append(s("symbol", { id: `suit-german-${suit}`, viewBox: "0 0 100 100" }, ...german(suit)));
  }
  root.prepend(sprite);
}

/** A suit sign as a part of a drawing: a square of the given size about (x, y). */
export function sign(style, suit, x, y, size, extra = {}) {
  return s("use", { href: `#suit-${style}-${suit}`, x: x - size / 2, y: y - size / 2, width: size, height: size, ...extra });
}

/** A suit sign on its own, as an inline picture. */
export function suitIcon(style, suit, cls = "suit-icon") {
  return s("svg", { class: cls, viewBox: "0 0 100 100", "aria-hidden": "true" }, sign(style, suit, 50, 50, 100));
}
