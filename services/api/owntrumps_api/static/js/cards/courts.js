// Court figures, composed from a few parts: who it is (rank), the palette of its suit, and the tradition (French or German).
// Each function draws the upper half inside the panel x 60..190, y 26..175; the face turns it round for the lower half.

import { s } from "../dom.js";

const INKED = { stroke: "#231815", "stroke-width": 2.2, "stroke-linejoin": "round", "stroke-linecap": "round" };
const FINE = { ...INKED, fill: "none", "stroke-width": 1.6 };
const SKIN = "#f6d9b8";
const GOLD = "#e8b23a";

// coat, lining, trim, hair
const PALETTES = {
  french: {
    c: ["#1f5a45", "#b3152f", GOLD, "#6b3f1d"],
    d: ["#c8501f", "#1f3a6e", GOLD, "#c98c2e"],
    h: ["#a3152c", "#1f3a6e", GOLD, "#d9a441"],
    s: ["#22305f", "#b3152f", GOLD, "#3a2617"],
  },
  german: {
    c: ["#7a4a1c", "#2f6b38", GOLD, "#4a2b14"],
    d: ["#d08e12", "#23598a", "#b3152f", "#7a4a1c"],
    h: ["#b3152f", "#2b4f86", GOLD, "#caa04a"],
    s: ["#2f6b38", "#a3152c", GOLD, "#5a3418"],
  },
};

function body([coat, lining, trim]) {
  const studs = [154, 168, 182, 196].map((y) => s("circle", { cx: 125, cy: y, r: 3.2, fill: trim, ...INKED, "stroke-width": 1.2 }));
  return [
    s("path", { d: "M58 240c0-60 14-98 67-98s67 38 67 98Z", fill: coat, ...INKED }),
    s("path", { d: "M106 143h38l16 97H90Z", fill: lining, ...INKED }),
    s("path", { d: "M74 166c8 18 10 40 9 74M176 166c-8 18-10 40-9 74", ...FINE, stroke: trim, "stroke-width": 4 }),
    s("path", { d: "M112 146 96 240M138 146l16 94", ...FINE, stroke: trim, "stroke-width": 3 }),
    ...studs,
  ];
}

function ermine() {
  const spots = [[88, 152], [100, 159], [113, 163], [137, 163], [150, 159], [162, 152]]
    .map(([x, y]) => s("path", { d: `M${x} ${y - 4}l2.6 8h-5.2Z`, fill: "#231815" }));
  return [s("path", { d: "M72 152c16-18 30-18 40-12 8 5 18 5 26 0 10-6 24-6 40 12-12 22-94 22-106 0Z", fill: "#fbf5e6", ...INKED }), ...spots];
}

function ruff(trim) {
  return [s("path", { d: "M92 146c4-14 18-16 33-16s29 2 33 16c-10 9-56 9-66 0Z", fill: trim, ...INKED }),
    s("path", { d: "M100 146l6-11M112 149l3-14M125 150v-15M138 149l-3-14M150 146l-6-11", ...FINE })];
}

function face({ beard, moustache, lips }, hair) {
  const parts = [
    s("path", { d: "M114 112h22v26c-6 7-16 7-22 0Z", fill: SKIN, ...INKED }),
    s("path", { d: "M98 84c0-20 12-30 27-30s27 10 27 30c0 22-11 39-27 39S98 106 98 84Z", fill: SKIN, ...INKED }),
  ];
  if (beard) {
    parts.push(s("path", { d: "M97 88c4 8 8 12 14 13 8-4 20-4 28 0 6-1 10-5 14-13 2 28-10 52-28 56-18-4-30-28-28-56Z", fill: hair, ...INKED }),
      s("path", { d: "M112 116c2 9 6 16 10 20M138 116c-2 9-6 16-10 20M125 118v20", ...FINE, "stroke-opacity": 0.55 }));
  }
  if (moustache) parts.push(s("path", { d: "M125 101c-6-5-13-3-18 4 7 1 13 1 18-1 5 2 11 2 18 1-5-7-12-9-18-4Z", fill: hair, ...INKED, "stroke-width": 1.6 }));
  parts.push(
    s("path", { d: "M105 78c4-4 10-4 14-1M131 77c4-3 10-3 14 1", ...FINE, "stroke-width": 2 }),
    s("path", { d: "M106 85c3-4 9-4 12 0-3 3-9 3-12 0ZM132 85c3-4 9-4 12 0-3 3-9 3-12 0Z", fill: "#fff", ...INKED, "stroke-width": 1.2 }),
    s("circle", { cx: 112.5, cy: 85, r: 2.3, fill: "#231815" }),
    s("circle", { cx: 138.5, cy: 85, r: 2.3, fill: "#231815" }),
    s("path", { d: "M126 82c2 6 5 11 3 14-2 2-5 2-7 1", ...FINE }),
    s("path", { d: beard ? "M118 109c4 3 10 3 14 0" : "M117 109c5 4 11 4 16 0-3-3-5-3-8-1-3-2-5-2-8 1Z", fill: lips, ...INKED, "stroke-width": 1.2 }),
  );
  return parts;
}

const crown = (trim, gem) => [
  s("path", { d: "M92 62 86 30l16 14 10-22 13 20 13-20 10 22 16-14-6 32c-16-7-50-7-66 0Z", fill: trim, ...INKED }),
  s("path", { d: "M93 62c16-7 48-7 64 0l-1 9c-16-7-46-7-62 0Z", fill: gem, ...INKED }),
  ...[[86, 29], [112, 21], [138, 21], [164, 29]].map(([x, y]) => s("circle", { cx: x, cy: y, r: 4, fill: "#fbf5e6", ...INKED, "stroke-width": 1.4 })),
];

const coronet = (trim, gem) => [
  s("path", { d: "M94 60c-2-9 0-17 4-20 4 6 8 9 13 9 2-9 7-16 14-18 7 2 12 9 14 18 5 0 9-3 13-9 4 3 6 11 4 20-16-7-46-7-62 0Z", fill: trim, ...INKED }),
  s("path", { d: "M125 40l5 7-5 7-5-7Z", fill: gem, ...INKED, "stroke-width": 1.4 }),
];

const beret = (coat, feather) => [
  s("path", { d: "M88 64c-4-22 14-36 40-36 24 0 38 14 36 28-2 8-8 9-14 8-18-5-44-4-62 0Z", fill: coat, ...INKED }),
  s("path", { d: "M90 65c18-6 46-7 64-1l-1 8c-18-6-44-6-62 1Z", fill: GOLD, ...INKED }),
  s("path", { d: "M148 46c14-4 26-16 30-32 8 18 0 38-22 44-5 0-8-5-8-12Z", fill: feather, ...INKED }),
  s("path", { d: "M153 53c10-5 19-15 24-28", ...FINE }),
];

const brim = (coat, feather) => [
  s("path", { d: "M98 58c0-22 10-33 27-33s27 11 27 33Z", fill: coat, ...INKED }),
  s("path", { d: "M80 62c14-8 76-8 90 0-8 9-24 10-45 10s-37-1-45-10Z", fill: coat, ...INKED }),
  s("path", { d: "M99 56c16-5 36-5 52 0", ...FINE, stroke: GOLD, "stroke-width": 4.5 }),
  s("path", { d: "M102 54C86 50 78 38 80 22c14 4 24 15 28 30Z", fill: feather, ...INKED }),
];

const plume = (coat, feather) => [
  s("path", { d: "M96 66c-4-24 8-38 29-38s33 14 29 38c-16-6-42-6-58 0Z", fill: coat, ...INKED }),
  s("path", { d: "M94 66c18-7 44-7 62 0l-2 8c-16-6-42-6-58 0Z", fill: GOLD, ...INKED }),
  s("path", { d: "M124 30c2-10 14-14 24-9 14 6 22 22 16 40-3-10-8-15-15-17-9-3-19-5-25-14Z", fill: feather, ...INKED }),
];

const longHair = (hair) => s("path", { d: "M92 74c-2-26 14-36 33-36s35 10 33 36c8 18 8 44 2 66-12 8-20 4-24-6l-22 0c-4 10-12 14-24 6-6-22-6-48 2-66Z", fill: hair, ...INKED });
const bob = (hair) => s("path", { d: "M93 70c0-22 14-32 32-32s32 10 32 32c5 14 6 30 2 42-8 4-13 2-16-4h-36c-3 6-8 8-16 4-4-12-3-28 2-42Z", fill: hair, ...INKED });

const sword = () => [
  s("path", { d: "M171 30l6 12v128h-12V42Z", fill: "#dfe6ea", ...INKED }),
  s("path", { d: "M171 46v120", ...FINE }),
  s("path", { d: "M154 168h34v8h-34Z", fill: GOLD, ...INKED }),
];
const flower = (petal) => [
  s("path", { d: "M82 176c-4-16-6-28-5-42", ...FINE, stroke: "#2b6a2a", "stroke-width": 3.4 }),
  s("path", { d: "M78 158c-9-1-14-7-15-14 9 0 15 5 15 14ZM80 152c7-2 11-8 11-15-8 1-12 8-11 15Z", fill: "#3f8a3a", ...INKED, "stroke-width": 1.4 }),
  ...[[77, 116], [67, 122], [70, 133], [84, 133], [87, 122]].map(([x, y]) => s("circle", { cx: x, cy: y, r: 7, fill: petal, ...INKED, "stroke-width": 1.4 })),
  s("circle", { cx: 77, cy: 125, r: 5, fill: GOLD, ...INKED, "stroke-width": 1.4 }),
];
const halberd = () => [
  s("path", { d: "M171 60v120", ...FINE, stroke: "#7a4a1c", "stroke-width": 6 }),
  s("path", { d: "M171 24l6 24h-12ZM165 52c-14-2-18 8-16 24 8-6 12-7 16-6ZM177 52h10l-10 14Z", fill: "#dfe6ea", ...INKED }),
];
const staff = () => [s("path", { d: "M171 40v140", ...FINE, stroke: "#7a4a1c", "stroke-width": 7 }), s("circle", { cx: 171, cy: 38, r: 9, fill: GOLD, ...INKED })];

/** The parts of one figure's upper half, back to front. */
export function figure(tradition, rank, suit) {
  const palette = PALETTES[tradition][suit];
  const [coat, lining, trim, hair] = palette;
  if (rank === "K") {
    return [bob(hair), ...sword(), ...body(palette), ...ermine(), ...face({ beard: true, moustache: true, lips: "#b8483f" }, hair), ...crown(GOLD, lining)];
  }
  if (rank === "Q" && tradition === "french") {
    return [longHair(hair), ...body(palette), ...ruff("#fbf5e6"), ...face({ lips: "#c0303a" }, hair), ...coronet(trim, lining), ...flower(suit === "s" || suit === "c" ? "#fbf5e6" : "#f3b8c0")];
  }
  if (rank === "Q") {
    return [bob(hair), ...sword(), ...body(palette), ...ruff(trim), ...face({ moustache: true, lips: "#b8483f" }, hair), ...plume(coat, lining)];
  }
  if (tradition === "french") {
    return [bob(hair), ...halberd(), ...body(palette), ...ruff(trim), ...face({ lips: "#b8483f" }, hair), ...beret(coat, lining)];
  }
  return [bob(hair), ...staff(), ...body(palette), ...ruff("#fbf5e6"), ...face({ lips: "#b8483f" }, hair), ...brim(coat, lining)];
}
