// Sizes: how large cards are and how far they overlap, from the room there is.

const HEIGHT = 1.4; // of a card, in widths
const WIDEST_FAN = 26; // degrees between the outermost cards of a fan
const PIVOT = 1.2; // heights below a card's top, round which it is turned in a fan
const NARROWEST_STRIP = { hand: 27, pile: 23 }; // px of a covered card that stay visible: its corner, and a finger's width

/** The width of a card in px for a table of this size. */
export function cardWidth(width, height) {
  const share = width < 700 ? 0.19 : 0.168;
  return Math.round(Math.max(54, Math.min(width * share, height * 0.148, 118)));
}

/**
 * Splits n cards into overlapping rows: {rows: [count, …], strip} where strip is the visible width of a covered card.
 * The last row is the fullest, so the newest cards lie in front.
 */
export function overlap(count, width, card, kind, mostRows) {
  const widest = kind === "hand" ? card * 0.74 : card * 0.42;
  const room = Math.max(0, width - card);
  const perRow = Math.max(1, Math.floor(room / NARROWEST_STRIP[kind]) + 1);
  const rows = Math.max(1, Math.min(mostRows, Math.ceil(count / perRow)));
  const each = Math.ceil(count / rows);
  const counts = [];
  for (let left = count; left > 0; left -= each) counts.unshift(Math.min(each, left));
  return { rows: counts, strip: each > 1 ? Math.min(widest, room / (each - 1)) : widest };
}

/**
 * One row of n cards held as a fan, or what `overlap` makes of a hand that needs more: {rows, strip, fan} where fan is
 * the angle between the outermost cards in degrees. Turned cards stick out at both ends: the angle is no wider than
 * leaves the corner of every covered card to be seen.
 */
export function fanned(count, width, card, mostRows) {
  const flat = { ...overlap(count, width, card, "hand", mostRows), fan: 0 };
  if (flat.rows.length > 1 || count < 3) return flat;
  const reach = PIVOT * HEIGHT * card;
  const spare = Math.max(0, width - card - (count - 1) * NARROWEST_STRIP.hand) / 2;
  const half = Math.min((Math.min(WIDEST_FAN, count * 3) * Math.PI) / 360, Math.asin(Math.min(1, spare / reach)));
  const { strip } = overlap(count, width - 2 * reach * Math.sin(half), card, "hand", 1);
  return { ...flat, strip, fan: (half * 360) / Math.PI };
}

/** Cuts a list into consecutive parts of the given lengths. */
export function split(list, counts) {
  let start = 0;
  return counts.map((count) => list.slice(start, (start += count)));
}
