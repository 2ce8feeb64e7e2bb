// Sizes: how large cards are and how far they overlap, from the room that everything else on the table leaves them.

const HEIGHT = 1.4; // of a card, in widths
const WIDEST_FAN = 26; // degrees between the outermost cards of a fan
const PIVOT = 1.2; // heights below a card's top, round which it is turned in a fan
const NARROWEST_STRIP = { hand: 27, pile: 23 }; // px of a covered card that stay visible: its corner, and a finger's width

const MOST_ROWS = { hand: 4, pile: 3 };
// How far one row shows above the next, in widths of its cards: as table.css has it.
const STEP = { hand: 0.66, pile: 0.6 };
// What is given up first where room is short: what is on the pile matters most, so it is drawn largest, but a hand must
// be read and tapped. `least` is how small a card of the hand gets before the next step, in px.
const SHORTAGES = [{ scale: 1.25, least: 62 }, { scale: 1, least: 44 }];

/** The width of a card in px at most, for a table of this size: larger ones would look lost on it, or crowd it. */
export function cardWidth(width, height) {
  const share = width < 700 ? 0.19 : 0.168;
  return Math.round(Math.min(width * share, Math.max(height * 0.148, 72), 160));
}

/** Whether the others sit side by side on top ("narrow") or at least the one there in one line ("low"); in both, small. */
export function shape(width, height) {
  const low = height < 560 && width >= 560;
  const narrow = !low && width < 700;
  return { narrow, low, compact: low || narrow };
}

/** The height in px of so many overlapping rows. */
const rowsHeight = (rows, card, kind) => (rows ? card * (HEIGHT + (rows - 1) * STEP[kind]) : 0);

/**
 * The largest cards for which there is room: {hand, pile}, the widths of a card in px. `most` is the widest, `room` the
 * height for the rows of hand and pile together, `centre` what the pile's part takes of it in any case. Where even the
 * smallest are too large, the smallest: the page has to scroll then.
 */
export function fit({ most, room, centre, hand, pile }) {
  for (const { scale, least } of SHORTAGES) {
    for (let card = most; card >= Math.min(least, most); card -= 1) {
      const held = fanned(hand.count, hand.width, card).rows.length;
      const laid = overlap(pile.count, pile.width, card * scale, "pile").rows.length;
      const height = rowsHeight(held, card, "hand") + Math.max(centre, rowsHeight(laid, card * scale, "pile"));
      if (height <= room) return { hand: card, pile: card * scale };
    }
  }
  const { scale, least } = SHORTAGES.at(-1);
  return { hand: Math.min(least, most), pile: Math.min(least, most) * scale };
}

/**
 * Splits n cards into overlapping rows: {rows: [count, …], strip} where strip is the visible width of a covered card.
 * The last row is the fullest, so the newest cards lie in front.
 */
export function overlap(count, width, card, kind, mostRows = MOST_ROWS[kind]) {
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
export function fanned(count, width, card) {
  const flat = { ...overlap(count, width, card, "hand"), fan: 0 };
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
