"""kill -9 of engines in the middle of a load: nothing is lost, nothing is doubled, a client only sees a pause."""

import os
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from owntrumps.game.events import CardLed, PileTaken, TopBeaten
from owntrumps.game.state import FinishedMatch, Match, PlayingMatch
from owntrumps.game.terms import MatchId, Version
from owntrumps.store.connect import open_store
from owntrumps.store.ids import MATCH_ID_BYTES, new_match_id
from owntrumps.store.matches import load_match
from owntrumps.store.port import Accepted, CommandId, Notice, Store, StoreUnavailableError, Submission
from owntrumps.store.state_codec import write_state
from owntrumps_engine.maintenance import check, refold_verified
from tests.chaos.kept_server import kept_server
from tests.processes import EngineProcess
from tests.services.engine.given import bot, create, log_of, next_move
from tests.store.servers import valkey

pytestmark = [pytest.mark.server, pytest.mark.slow]


@pytest.fixture
def url(tmp_path: Path) -> Iterator[str]:
    with valkey(tmp_path, appendfsync="always") as url:
        yield url


@pytest.fixture
def store(url: str) -> Iterator[Store]:
    opened = open_store(url)
    yield opened
    opened.close()


class Clients:
    """One client for each match: it submits the next move when the last one is answered, and tries again, with the
    same id, whenever it was told nothing for a while."""

    def __init__(self, store: Store, matches: int) -> None:
        self._store = store
        self._cursors = dict(store.tail())
        self.waiting: dict[MatchId, Submission] = {}
        self.accepted: Counter[MatchId] = Counter()
        for _ in range(matches):
            match = new_match_id(os.urandom(MATCH_ID_BYTES))
            command = create(match, "bornyu", (bot(),) * 4, at=store.now())
            self.waiting[match] = Submission(CommandId(f"create-{match}"), match, command)
        self._store.submit([*self.waiting.values()])

    def listen(self) -> None:
        """Take what the feed tells, or try again what it is silent about; then go on where an answer came."""
        notices = self._store.notices(self._cursors, block_ms=200)
        if not notices:
            self._store.submit([*self.waiting.values()])
        for notice in notices:
            self._cursors[notice.shard] = notice.cursor
        self._store.submit([move for notice in notices if (move := self._heard(notice))])

    def listen_through_outage(self) -> None:
        """As a client does that takes a lost connection for a reason to try again."""
        try:
            self.listen()
        except StoreUnavailableError:
            self._store.submit([*self.waiting.values()])

    def _heard(self, notice: Notice) -> Submission | None:
        sent = self.waiting.get(notice.match)
        if sent is None or notice.command != sent.id:
            return None
        outcome = self._store.outcome(notice.match, sent.id)
        assert outcome is not None
        self.accepted[notice.match] += 1
        assert outcome.answer == Accepted(Version(self.accepted[notice.match]))
        del self.waiting[notice.match]
        now = load_match(self._store, notice.match, to_decide=True)
        if not isinstance(now.state, PlayingMatch):
            return None
        move = Submission(
            CommandId(f"{notice.match}-{now.version}"), notice.match, next_move(self._store, notice.match)
        )
        self.waiting[notice.match] = move
        return move


def plays_in(match: Match, store: Store) -> int:
    """How many cards were played and piles taken, as the log has it."""
    state = match.state
    assert isinstance(state, FinishedMatch)
    log = log_of(store, state.terms.match)
    return sum(isinstance(event, CardLed | TopBeaten | PileTaken) for entry in log for event in entry.events)


@pytest.mark.parametrize("engines", [1, 2])
def test_nothing_is_lost_and_nothing_doubled_when_engines_are_killed_in_the_middle_of_a_load(store, url, engines):
    # Given clients in the middle of 16 matches, and engines
    clients = Clients(store, 16)
    with ExitStack() as running:
        alive = [running.enter_context(EngineProcess(url)) for _ in range(engines)]
        deaths = 0
        # When one engine after another is killed while it has work, and replaced
        while clients.waiting:
            clients.listen()
            if deaths < 6 and clients.accepted.total() > (deaths + 1) * 50:
                alive.pop(0).kill()
                alive.append(running.enter_context(EngineProcess(url)))
                deaths += 1
    # Then every accepted command is one entry, states follow from logs, and no work is left
    assert deaths == 6
    for match, accepted in clients.accepted.items():
        folded = refold_verified(store, match)
        assert folded.version == accepted
        assert store.state(match) == write_state(folded)
        state = folded.state
        assert isinstance(state, FinishedMatch)
        assert plays_in(folded, store) == state.board.deal.plies
    assert {report.finding for report in check(store, store.match_ids())} == {"good"}
    assert len(clients.accepted) == len(store.match_ids()) == 16
    assert store.claim("nobody", idle_ms=0, limit=100) == []


def test_an_engine_that_is_asked_to_stop_finishes_its_batch_and_leaves_nothing_pending(store, url):
    # Given work that has just come in
    clients = Clients(store, 24)
    with EngineProcess(url) as engine:
        for _ in range(20):
            clients.listen()
        # When
        code = engine.stop()
    # Then
    assert code == 0
    assert engine.log[-1]["event"] == "stopped"
    assert store.claim("nobody", idle_ms=0, limit=100) == []
    assert {report.finding for report in check(store, store.match_ids())} == {"good"}


def test_an_engine_outlives_a_server_that_is_killed_and_comes_back(tmp_path):
    # Given an engine and a match in progress
    with kept_server(tmp_path) as server:
        store = open_store(server.url)
        clients = Clients(store, 4)
        with EngineProcess(server.url) as engine:
            while clients.accepted.total() < 40:
                clients.listen()
            # When the server is killed, the engine misses it, and another one serves the same folder
            server.kill_server()
            engine.wait_for("store-unavailable")
            server.start()
            while clients.waiting:
                clients.listen_through_outage()
            # Then
            assert engine.stop() == 0
        for match, accepted in clients.accepted.items():
            assert refold_verified(store, match).version == accepted
        store.close()
