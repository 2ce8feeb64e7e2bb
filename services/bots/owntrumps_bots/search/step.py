"""Legal plays and what a play does, on the rows of `layout`. The same rules as `owntrumps.rules`, proven equal by test.

`advance` is the one statement of the rules. It keeps hands and pile in the row and everything else in plain values, so
that a playout holds them in registers; `play` is the same on a whole row.
"""

from owntrumps_bots.search.compiled import compiled, highest_bit, lowest_bit
from owntrumps_bots.search.layout import (
    ACE,
    AFTER_LAST_BEAT,
    BEATS,
    HEIGHT,
    HIGHER,
    HOLDERS,
    LEAD,
    LIMIT,
    MUST_BEAT,
    ONE_CARD,
    ONE_CARD_DRAW,
    PHASE,
    PICK_GRADED,
    PICK_PILE,
    PICK_UP,
    PILE,
    PILE_SET,
    PLIES,
    PLY_LIMIT,
    RANK_COLUMN,
    RESPOND,
    RESULT,
    RUNNING,
    SEATS,
    STEP,
    SUIT,
    TAKE,
    TAKER_LEADS,
    THEN_BEAT,
    THEN_DISCARD,
    TRUMPS,
    TURN,
    Row,
)


@compiled
def copy_row(to: Row, source: Row) -> None:
    """A position's row over another (a loop, since slices would need numba's allocator)."""
    for i in range(PILE + source[HEIGHT]):
        to[i] = source[i]


@compiled
def next_holder(s: Row, r: Row, seat: int) -> int:
    """The next seat in direction that holds cards; the seat itself if it alone does."""
    seats, step = r[SEATS], r[STEP]
    following = seat + step
    if following >= seats:
        following -= seats
    while s[following] == 0 and following != seat:
        following += step
        if following >= seats:
            following -= seats
    return following


@compiled
def legal_for(s: Row, r: Row, turn: int, phase: int, height: int) -> int:
    """The legal plays of the seat to move as a bit mask; bit `TAKE` is the take."""
    hand = s[turn]
    if phase == LEAD:
        return hand
    beating = hand & BEATS[r[TRUMPS + turn], s[PILE + height - 1]]
    if beating != 0 and r[MUST_BEAT] != 0:
        return beating
    return beating | (1 << TAKE)


@compiled
def lowest_rank(cards: int) -> int:
    """The lowest card by rank, then by suit, of a set that is not empty."""
    ranks = (cards | cards >> 13 | cards >> 26 | cards >> 39) & 0x1FFF
    return lowest_bit(cards & (RANK_COLUMN << lowest_bit(ranks)))


@compiled
def greedy_for(s: Row, r: Row, turn: int, phase: int, height: int) -> int:
    """The `greedy` level's play, see `owntrumps_bots.policies.greedy`."""
    hand = s[turn]
    trump = r[TRUMPS + turn]
    if phase == LEAD:
        plain = hand & ~SUIT[trump]
        if plain == 0:
            return lowest_bit(hand)
        return lowest_rank(plain)
    beating = hand & BEATS[trump, s[PILE + height - 1]]
    if beating == 0:
        return TAKE
    plain = beating & ~SUIT[trump]
    return lowest_bit(plain if plain != 0 else beating)


@compiled
def unanswerable_leads(s: Row, r: Row, turn: int) -> int:
    """Those cards of the seat that the next seat's hand cannot beat: led, they make it take."""
    following = next_holder(s, r, turn)
    mine, theirs, trump = s[turn], s[following], r[TRUMPS + following]
    has_trumps = theirs & SUIT[trump] != 0
    found = 0
    for suit in range(4):
        if suit == trump or not has_trumps:
            held = theirs & SUIT[suit]
            found |= mine & SUIT[suit] if held == 0 else mine & HIGHER[highest_bit(held)]
    return found


@compiled
def sharp_for(s: Row, r: Row, turn: int, phase: int, height: int) -> int:
    """A play that sees the next seat's hand: where it can, greedy's choice among the leads that make that seat take,
    else greedy's play. For playouts and as a likely play, not a level."""
    if phase == LEAD:
        leads = unanswerable_leads(s, r, turn)
        if leads != 0:
            plain = leads & ~SUIT[r[TRUMPS + turn]]
            return lowest_rank(plain if plain != 0 else leads)
    return greedy_for(s, r, turn, phase, height)


@compiled
def pick_up_size(s: Row, r: Row, turn: int, height: int) -> int:
    """How many cards a take by the seat to move picks up."""
    if r[PICK_UP] == PICK_PILE:
        return height
    top = s[PILE + height - 1]
    suit = top // 13
    if r[PICK_UP] == PICK_GRADED:
        size = 3
        if suit == r[TRUMPS + turn]:
            size = height if top % 13 == ACE else 5
        return min(size, height)
    size = 1
    while size < height and s[PILE + height - 1 - size] // 13 == suit:
        size += 1
    return size


@compiled
def advance(
    s: Row, r: Row, turn: int, phase: int, height: int, pile_set: int, holders: int, a: int
) -> tuple[int, int, int, int, int, int]:
    """One legal play up to the end by play: (turn, phase, height, pile_set, holders, result) after it."""
    if a == TAKE:
        left = 0
        picked = pile_set
        if r[PICK_UP] != PICK_PILE:
            left = height - pick_up_size(s, r, turn, height)
            if left > 0:
                picked = 0
                for i in range(left, height):
                    picked |= 1 << s[PILE + i]
        s[turn] |= picked
        if left > 0:
            return next_holder(s, r, turn), RESPOND, left, pile_set ^ picked, holders, RUNNING
        leader = turn if r[TAKER_LEADS] != 0 else next_holder(s, r, turn)
        return leader, LEAD, 0, 0, holders, RUNNING
    bit = 1 << a
    hand = s[turn] ^ bit
    s[turn] = hand
    s[PILE + height] = a
    height += 1
    pile_set |= bit
    if hand != 0:
        if phase == LEAD:
            return next_holder(s, r, turn), RESPOND, height, pile_set, holders, RUNNING
        return turn, LEAD, height, pile_set, holders, RUNNING
    following = next_holder(s, r, turn)
    holders -= 1
    next_phase = RESPOND
    if phase == RESPOND and r[AFTER_LAST_BEAT] != THEN_BEAT:
        next_phase = LEAD
    if holders == 1:
        last = s[following]
        result = following
        if r[ONE_CARD_DRAW] != 0 and last & (last - 1) == 0 and last & BEATS[r[TRUMPS + following], a] != 0:
            result = ONE_CARD
        return following, next_phase, height, pile_set, holders, result
    if phase == RESPOND and r[AFTER_LAST_BEAT] == THEN_DISCARD:
        return following, next_phase, 0, 0, holders, RUNNING
    return following, next_phase, height, pile_set, holders, RUNNING


@compiled
def legal_plays(s: Row, r: Row) -> int:
    """The legal plays of the seat to move as a bit mask; bit `TAKE` is the take."""
    return legal_for(s, r, s[TURN], s[PHASE], s[HEIGHT])


@compiled
def greedy_play(s: Row, r: Row) -> int:
    """The `greedy` level's play in the position."""
    return greedy_for(s, r, s[TURN], s[PHASE], s[HEIGHT])


@compiled
def play(s: Row, r: Row, a: int) -> None:
    """One legal play, in place, up to the end by play. The limits are the caller's, see `limit_reached`."""
    s[TURN], s[PHASE], s[HEIGHT], s[PILE_SET], s[HOLDERS], s[RESULT] = advance(
        s, r, s[TURN], s[PHASE], s[HEIGHT], s[PILE_SET], s[HOLDERS], a
    )
    s[PLIES] += 1


@compiled
def limit_reached(s: Row, r: Row) -> bool:
    """Whether the ply limit ends a deal that is still running; sets the result if so."""
    if s[RESULT] < 0 and s[PLIES] >= r[LIMIT]:
        s[RESULT] = PLY_LIMIT
        return True
    return False
