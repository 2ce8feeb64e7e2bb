// Sizes: how large cards are and how far they overlap, from the room there is.

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

/** Cuts a list into consecutive parts of the given lengths. */
export function split(list, counts) {
  let start = 0;
  return counts.map((count) => list.slice(start, (start += count)));
}
