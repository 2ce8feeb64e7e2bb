// What the page works out from a view, to show it before it is done. The server alone decides what is legal.

export const NOBODY = -1; // in a view's `turn`: between two deals
export const RANKS = "23456789TJQKA";
const GRADED_PLAIN = 3;
const GRADED_TRUMP = 5;

export const rankOf = (card) => card[0];
export const suitOf = (card) => card[1];

/** How many cards of the pile's top the seat would pick up (rules.md, `pick_up`). */
export function takeSize(view, seat) {
  const { pile } = view;
  const top = pile.at(-1);
  if (top === undefined) return 0;
  switch (view.ruleset.pick_up) {
    case "pile":
      return pile.length;
    case "same_suit": {
      let run = 1;
      while (run < pile.length && suitOf(pile[pile.length - run - 1]) === suitOf(top)) run += 1;
      return run;
    }
    default:
      if (suitOf(top) !== view.seats[seat].trump) return Math.min(GRADED_PLAIN, pile.length);
      return rankOf(top) === "A" ? pile.length : Math.min(GRADED_TRUMP, pile.length);
  }
}

/** The next seat that holds cards, in the direction of play. */
export function nextSeat(view, seat) {
  const count = view.seats.length;
  for (let step = 1; step < count; step += 1) {
    const next = (((seat + step * view.ruleset.direction) % count) + count) % count;
    if (view.seats[next].cards > 0) return next;
  }
  return seat;
}

/** What a take would leave: {size, seat, phase, top}. */
export function afterTake(view, seat) {
  const size = takeSize(view, seat);
  const rest = view.pile.length - size;
  if (rest > 0) return { size, seat: nextSeat(view, seat), phase: "respond", top: view.pile[rest - 1] };
  return { size, seat: view.ruleset.lead_after_pick_up === "taker" ? seat : nextSeat(view, seat), phase: "lead", top: null };
}

/** The table after moves of the same deal, with nobody to move: how a deal's last cards lay before the next was dealt. */
export function afterMoves(view, events) {
  const seats = view.seats.map((seat) => ({ ...seat }));
  let { pile, hand } = view;
  for (const event of events) {
    const seat = seats[event.seat];
    if (event.type === "card-led" || event.type === "top-beaten") {
      pile = [...pile, event.card];
      hand = hand.filter((card) => card !== event.card);
      seat.cards -= 1;
      seat.known = seat.known.filter((card) => card !== event.card);
    } else if (event.type === "pile-taken") {
      pile = pile.filter((card) => !event.cards.includes(card));
      if (event.seat === view.you) hand = [...hand, ...event.cards];
      seat.cards += event.cards.length;
      seat.known = [...seat.known, ...event.cards];
    } else if (event.type === "pile-discarded") {
      pile = [];
    }
  }
  for (const seat of seats) seat.out = seat.cards === 0;
  return { ...view, seats, pile, hand, turn: NOBODY, legal: [] };
}

/** Clubs, diamonds, hearts, spades, then rank; the player's own trump last, where the hand is held. */
export function sortHand(cards, trump) {
  const weight = (card) => (suitOf(card) === trump ? 100 : "cdhs".indexOf(suitOf(card)) * 20) + RANKS.indexOf(rankOf(card));
  return [...cards].sort((a, b) => weight(a) - weight(b));
}

/** The seats as they sit around the table from the viewer's place: the viewer first, then in the order of play. */
export function seatOrder(view) {
  const count = view.seats.length;
  const first = view.you ?? 0;
  return Array.from({ length: count }, (_, step) => (((first + step * view.ruleset.direction) % count) + count) % count);
}

/** Whether the loser of these rules is called the calf: bornyú in any size, known by its turned-up trumps. */
export const isCalfGame = (ruleset) => ruleset.trump_choice === "turned";

/** "german" or "french": the chosen faces, or what suits the game (Hungarian cards for bornyú, which is Hungarian). */
export function facesFor(ruleset, wanted) {
  if (wanted === "french" || wanted === "german") return wanted;
  return isCalfGame(ruleset) && ruleset.deck <= 36 ? "german" : "french";
}
