"""What a bot answers does not depend on a card hidden from it: through the whole way from the store to its plays."""

import random
from collections.abc import Sequence

import pytest

from owntrumps.game.log import Entry
from owntrumps.game.state import PlayingMatch
from owntrumps.game.terms import MatchId, Version
from owntrumps.rules.rulesets import PRESETS
from owntrumps.store.codec import write_entry
from owntrumps.store.door import Look, SeatDoor
from owntrumps.store.memory import MemoryStore
from owntrumps.store.port import StoredEntry
from owntrumps_bots.answers import dice_of, think
from owntrumps_bots.histories import Histories
from owntrumps_bots.observation import observe
from owntrumps_bots.policies.levels import choose
from tests.matches import MATCH, random_match
from tests.views.test_hidden_cards import other_world


class OneLog(MemoryStore):
    """A store that holds this log and nothing else."""

    def __init__(self, log: Sequence[Entry]) -> None:
        super().__init__()
        self._log = [
            StoredEntry(entry.version, write_entry(b"", "", entry.version, entry.at, entry.events)[0], entry.chain)
            for entry in log
        ]

    def entries(self, match: MatchId, *, after: Version, limit: int) -> list[StoredEntry]:
        return self._log[after : after + limit]


def answers(log: Sequence[Entry], seat: int) -> dict[str, object]:
    """What each level would play on this seat."""
    look = SeatDoor(OneLog(log)).look(MATCH, seat)  # type: ignore[arg-type]
    assert isinstance(look, Look)
    events = Histories().events(MATCH, seat, look)  # type: ignore[arg-type]
    dice = dice_of(look.view)
    quick: dict[str, object] = {
        level: think(look.view, events, level, 1000, dice) for level in ("random", "greedy", "club")
    }
    # Bounded by rounds, since how far a search gets in a given time is the machine's affair.
    return {**quick, "master": choose(observe(look.view, events), "master", 2000, dice, rounds=100), "dice": dice}


@pytest.mark.parametrize("ruleset", ["bornyu", "svoi-kozyri", "dudak", "duel"])
def test_worlds_that_differ_only_in_hidden_cards_get_the_same_answers(ruleset: str) -> None:
    dice = random.Random(ruleset)
    differed = 0
    log: list[Entry] = []
    for step, (match, entry) in enumerate(random_match(PRESETS[ruleset], dice, games=2)):
        log.append(entry)
        if not isinstance(match.state, PlayingMatch) or step > 40:
            break
        turn = match.state.board.deal.position.turn
        other = other_world(log, match.state, turn, dice)
        differed += other != log
        if step % 4 == 0:
            assert answers(other, turn) == answers(log, turn)
    # In a duel a seat can infer the other hand: there is but one world.
    assert differed > 5 or ruleset == "duel"
