// Moves made visible: measure the cards, draw the new table, and let each card travel from where it was (or from the
// hand of whoever played it) to where it is, in the order of the events.

const STEP_MS = 430;
const REFLOW_MS = 240;
const NEXT_IN_GROUP_MS = 26;
const NEXT_DEALT_MS = 38;
const GRACE_MS = 300;
const EASING = "cubic-bezier(.22,.8,.28,1)";

export function snapshot(root) {
  const cards = new Map();
  for (const node of root.querySelectorAll(".flip[data-card]")) {
    cards.set(node.dataset.card, { rect: node.getBoundingClientRect(), full: node.classList.contains("full"), seat: node.closest("[data-seat]")?.dataset.seat, node });
  }
  const seats = new Map();
  for (const node of root.querySelectorAll("[data-seat]")) {
    seats.set(Number(node.dataset.seat), (node.querySelector(".backs") ?? node.querySelector(".plaque") ?? node).getBoundingClientRect());
  }
  return { cards, seats };
}

function middle(rect, width) {
  const height = width * 1.4;
  return { left: rect.left + rect.width / 2 - width / 2, top: rect.top + rect.height / 2 - height / 2, width, height };
}

/** When each card sets out and from where: Map(card -> {delay, seat?}), and the cards that leave play. */
function schedule(events, pace) {
  const starts = new Map();
  const leaving = [];
  let clock = 0;
  for (const event of events) {
    if (event.type === "card-led" || event.type === "top-beaten") {
      starts.set(event.card, { delay: clock, seat: event.seat });
      clock += STEP_MS * pace;
    } else if (event.type === "pile-taken") {
      event.cards.forEach((card, k) => starts.set(card, { delay: clock + k * NEXT_IN_GROUP_MS * pace }));
      clock += (STEP_MS + event.cards.length * NEXT_IN_GROUP_MS) * pace;
    } else if (event.type === "pile-discarded") {
      event.cards.forEach((card, k) => leaving.push({ card, delay: clock + k * NEXT_IN_GROUP_MS * pace }));
      clock += STEP_MS * pace;
    } else if (event.type === "cards-exchanged") {
      event.exchanges.forEach(({ card, giver }) => starts.set(card, { delay: clock, seat: giver }));
    } else if (event.type === "deal-dealt") {
      clock = 0;
      starts.clear();
      event.hands.forEach((hand) => hand.forEach((card, k) => card && starts.set(card, { delay: k * NEXT_DEALT_MS * pace, dealt: true })));
    }
  }
  return { starts, leaving };
}

function travel(node, from, to, delay, duration, ends = {}) {
  const shift = `translate(${from.left - to.left}px, ${from.top - to.top}px) scale(${from.width / to.width}, ${from.height / to.height})`;
  return node.animate([{ transform: shift, ...ends.from }, { transform: "none", ...ends.to }], { duration, delay, easing: EASING, fill: "backwards" });
}

/** A picture of a card that flies on its own layer and vanishes when it has arrived. */
function ghost(layer, source, from, to, delay, duration, fade) {
  const node = source.cloneNode(true);
  delete node.dataset.card;
  node.classList.add("ghost");
  for (const side of ["left", "top", "width", "height"]) node.style[side] = `${from[side]}px`;
  layer.append(node);
  const shift = `translate(${to.left - from.left}px, ${to.top - from.top}px) scale(${to.width / from.width}, ${to.height / from.height})`;
  const flight = node.animate([{ transform: "none", opacity: 1 }, { transform: shift, opacity: fade ? 0 : 1 }], { duration, delay, easing: EASING, fill: "both" });
  flight.finished.then(() => node.remove(), () => node.remove());
  return flight;
}

/**
 * Plays the way from the snapshot `before` to the table as it now stands. Resolves when all cards have arrived.
 * `pace` stretches time (1 is normal); `layer` is a fixed element above the table.
 */
export async function playMoves(root, before, events, { pace, layer }) {
  const after = snapshot(root);
  const { starts, leaving } = schedule(events, pace);
  const table = root.getBoundingClientRect();
  const flights = [];
  for (const [card, now] of after.cards) {
    const was = before.cards.get(card);
    const start = starts.get(card);
    const width = now.rect.width;
    let from = was?.rect;
    if (start?.dealt) from = middle(table, width);
    else if (!from && start?.seat !== undefined) from = middle(before.seats.get(start.seat) ?? table, Math.min(width, 44));
    if (!from) continue;
    const moved = Math.abs(from.left - now.rect.left) + Math.abs(from.top - now.rect.top) > 2;
    if (!moved) continue;
    const duration = start ? STEP_MS * pace : REFLOW_MS * Math.min(1, pace);
    if (was?.full && !now.full) {
      flights.push(ghost(layer, was.node, from, now.rect, start?.delay ?? 0, duration, false));
      flights.push(now.node.animate([{ opacity: 0 }, { opacity: 0, offset: 0.95 }, { opacity: 1 }], { duration, delay: start?.delay ?? 0, fill: "backwards" }));
      continue;
    }
    const carrier = now.node.closest(".card");
    if (start) carrier?.classList.add("moving");
    const flight = travel(now.node, from, now.rect, start?.delay ?? 0, duration, start?.dealt ? { from: { opacity: 0 }, to: { opacity: 1 } } : {});
    flight.finished.then(() => carrier?.classList.remove("moving"), () => {});
    flights.push(flight);
  }
  const rim = { left: table.right - 60, top: table.top + table.height * 0.35, width: 40, height: 56 };
  for (const { card, delay } of leaving) {
    const was = before.cards.get(card);
    if (was && !after.cards.has(card)) flights.push(ghost(layer, was.node, was.rect, rim, delay, STEP_MS * pace, true));
  }
  // Where nothing is painted (a tab in the background) an animation never finishes: time alone then ends it.
  const longest = Math.max(0, ...flights.map((flight) => flight.effect.getComputedTiming().endTime));
  await Promise.race([Promise.allSettled(flights.map((flight) => flight.finished)), new Promise((resolve) => { setTimeout(resolve, longest + GRACE_MS); })]);
}
