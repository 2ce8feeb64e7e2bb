"""What the process keeps in mind: bells, the store's clock, who its players are."""

from owntrumps.game.terms import MatchId, Millis, PlayerId, Version
from owntrumps.store.memory import MemoryStore
from owntrumps.store.port import Player
from owntrumps_api.clock import Clock
from owntrumps_api.hub import Heard, Hub, Wakeup
from owntrumps_api.known_players import Players
from tests.services.api.world import World

M = MatchId("07-aaaaaaaaaaaa")


def test_a_bell_says_what_rang_since_it_was_last_asked() -> None:
    bell = Wakeup[Version]()
    assert bell.wait(0) == Heard(False, set())
    bell.ring(Version(3))
    bell.ring(Version(4))
    assert bell.wait(60) == Heard(True, {3, 4})
    assert bell.wait(0) == Heard(False, set())
    bell.ring(Version(5))
    bell.ring()
    assert bell.wait(60) == Heard(True, ()), "everything may be new"


def test_who_waits_on_a_closed_hub_is_woken_at_once() -> None:
    store = MemoryStore()
    hub = Hub(store)
    hub.close()
    with hub.news_of(M) as bell:
        assert bell.wait(60).rang
    hub.join()


def test_bells_are_taken_down_with_those_who_waited() -> None:
    store = MemoryStore()
    hub = Hub(store)
    with hub.news_of(M), hub.news_of(M):
        assert len(hub._matches._bells[M]) == 2
    assert hub._matches._bells == {}
    hub.close()
    hub.join()


def test_a_feed_that_is_away_is_read_again_and_everybody_looks(world: World) -> None:
    match, ann, bob = world.duel()
    hub = world.app.extensions["owntrumps"].hub
    with hub.news_of(MatchId(match)) as bell:
        hub._feed = _Away(world.store, times=2)
        assert bell.wait(60) == Heard(True, ()), "what was missed while away is looked for"
        player = world.to_move(match, ann, bob)
        player.move(match, player.view(match)["legal"][0])
        assert bell.wait(60) == Heard(True, {3})


class _Away:
    """A feed that cannot be reached so many times."""

    def __init__(self, store: MemoryStore, times: int) -> None:
        self._store = store
        self._times = times

    def notices(self, cursors: object, *, block_ms: int) -> object:
        if self._times:
            self._times -= 1
            closed = MemoryStore()
            closed.close()
            return closed.notices(cursors, block_ms=block_ms)  # type: ignore[arg-type]
        return self._store.notices(cursors, block_ms=block_ms)  # type: ignore[arg-type]


def test_the_stores_clock_is_asked_once_a_second_and_carried_on_in_between() -> None:
    ticks, moments = [0.0], [1_700_000_000_000]
    store = MemoryStore(clock=lambda: Millis(moments[0]))
    clock = Clock(store, lambda: ticks[0])
    assert clock.now() == 1_700_000_000_000
    ticks[0], moments[0] = 0.999, 0
    assert clock.now() == 1_700_000_000_999
    ticks[0], moments[0] = 1.5, 1_700_000_001_000
    assert clock.now() == 1_700_000_001_000
    ticks[0] = 1.75
    assert clock.now() == 1_700_000_001_250


def test_a_slow_reading_of_the_stores_clock_makes_it_late_and_never_early() -> None:
    ticks = [0.0]

    class Slow:
        def now(self) -> Millis:
            ticks[0] += 0.4
            return Millis(int(ticks[0] * 1000))

    clock = Clock(Slow(), lambda: ticks[0])
    assert clock.now() == 400
    ticks[0] += 0.5
    assert clock.now() == 900


def test_a_player_is_asked_for_again_after_a_second_and_revoked_here_at_once() -> None:
    now = [0.0]
    store = MemoryStore()
    ann = Player(PlayerId("ann"), "Ann", "hash", Millis(1))
    players = Players(store, lambda: now[0])
    assert players.get(ann.id) is None
    store.add_player(ann)
    assert players.get(ann.id) == ann
    store.revoke(ann.id)
    assert players.get(ann.id) == ann
    now[0] = 1.0
    found = players.get(ann.id)
    assert found is not None
    assert found.token_hash == ""
    bob = Player(PlayerId("bob"), "Bob", "hash", Millis(1))
    store.add_player(bob)
    assert players.get(bob.id) == bob
    players.revoke(bob.id)
    found = players.get(bob.id)
    assert found is not None
    assert found.token_hash == ""
