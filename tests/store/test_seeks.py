"""Looking for strangers: nobody is paired twice, nobody is lost, whoever came first goes first."""

from collections.abc import Callable
from dataclasses import replace
from threading import Barrier, Thread

import pytest

from owntrumps.game.terms import Millis, PlayerId
from owntrumps.rules.rulesets import PRESETS
from owntrumps.store.port import Store
from owntrumps.store.seeks import AlreadySeekingError, Seek, SeekId, Sought
from tests.store.conftest import Place
from tests.store.given import match_id

MATCHES = [match_id(number=16 * number) for number in range(12)]


@pytest.fixture
def seek_of(store: Store) -> Callable[..., Seek]:
    """A player's seek, which lasts a minute unless said otherwise."""
    now = store.now()

    def make(name: str, ruleset: str = "duel", *, lasts: int = 60_000, bots_in: int | None = None) -> Seek:
        return Seek(
            SeekId(f"seek-{name}"),
            PlayerId(name),
            name,
            PRESETS[ruleset],
            ruleset,
            "h",
            "greedy",
            now,
            Millis(now + lasts),
            None if bots_in is None else Millis(now + bots_in),
        )

    return make


def test_the_one_who_completes_the_number_pairs_all_in_the_order_of_their_coming(
    store: Store, seek_of: Callable[..., Seek]
) -> None:
    seeks = [seek_of(name, "bornyu") for name in ("ann", "bob", "eve", "dan")]
    for index, seek in enumerate(seeks[:3]):
        assert store.seeks.seek(seek, MATCHES[index]) == Sought(seek, None)
    assert store.seeks.seek(seeks[3], MATCHES[3]) == Sought(seeks[3], MATCHES[3])
    assert [store.seeks.sought(seek.id) for seek in seeks] == [Sought(seek, MATCHES[3]) for seek in seeks]
    (pairing,) = store.seeks.unmade(store.now(), limit=10)
    assert (pairing.match, pairing.seeks) == (MATCHES[3], tuple(seeks))
    store.seeks.made(MATCHES[3])
    assert store.seeks.unmade(store.now(), limit=10) == []


def test_only_seeks_of_the_same_parameters_are_paired(store: Store, seek_of: Callable[..., Seek]) -> None:
    small = replace(seek_of("bob"), ruleset=replace(PRESETS["duel"], deck=24), ruleset_name="custom")
    assert store.seeks.seek(seek_of("ann"), MATCHES[0]).match is None
    assert store.seeks.seek(small, MATCHES[1]).match is None
    assert store.seeks.seek(seek_of("eve", "challenge"), MATCHES[2]).match is None
    assert store.seeks.seek(seek_of("dan"), MATCHES[3]).match == MATCHES[3]


def test_a_seek_that_is_known_is_the_same_seek(store: Store, seek_of: Callable[..., Seek]) -> None:
    ann = seek_of("ann")
    assert store.seeks.seek(ann, MATCHES[0]) == store.seeks.seek(ann, MATCHES[1]) == Sought(ann, None)
    store.seeks.seek(seek_of("bob"), MATCHES[2])
    assert store.seeks.seek(ann, MATCHES[3]) == Sought(ann, MATCHES[2])


def test_a_player_waits_with_one_seek_at_a_time(store: Store, seek_of: Callable[..., Seek]) -> None:
    ann = seek_of("ann")
    store.seeks.seek(ann, MATCHES[0])
    other = replace(seek_of("ann", "bornyu"), id=SeekId("seek-other"))
    with pytest.raises(AlreadySeekingError) as refused:
        store.seeks.seek(other, MATCHES[1])
    assert refused.value.sought == Sought(ann, None)
    assert store.seeks.seeks_of(PlayerId("ann")) == Sought(ann, None)
    store.seeks.seek(seek_of("bob"), MATCHES[2])
    assert store.seeks.seeks_of(PlayerId("ann")) is None
    assert store.seeks.seek(other, MATCHES[3]) == Sought(other, None)


def test_a_seek_cancelled_is_not_paired_and_one_paired_is_not_cancelled(
    store: Store, seek_of: Callable[..., Seek]
) -> None:
    ann, bob, eve = seek_of("ann"), seek_of("bob"), seek_of("eve")
    store.seeks.seek(ann, MATCHES[0])
    assert store.seeks.cancel(ann.id) is None
    assert store.seeks.cancel(ann.id) is None
    assert store.seeks.sought(ann.id) is None
    # Asked for once more, by a retry that came late, it does not wait again
    assert store.seeks.seek(ann, MATCHES[0]) == Sought(ann, None)
    assert store.seeks.seeks_of(ann.player) is None
    assert store.seeks.seek(bob, MATCHES[1]).match is None
    assert store.seeks.seek(eve, MATCHES[2]).match == MATCHES[2]
    assert store.seeks.cancel(bob.id) == MATCHES[2]
    assert store.seeks.sought(bob.id) == Sought(bob, MATCHES[2])


def test_a_seek_that_has_expired_is_not_paired(store: Store, seek_of: Callable[..., Seek]) -> None:
    short = seek_of("ann", lasts=30)
    store.seeks.seek(short, MATCHES[0])
    while store.now() <= short.expires_at:
        pass  # no event marks the passing of time
    assert store.seeks.sought(short.id) is None
    assert store.seeks.seeks_of(PlayerId("ann")) is None
    assert store.seeks.seek(seek_of("bob"), MATCHES[1]).match is None


def test_bots_fill_up_when_their_moment_has_come_with_those_who_would_play_them(
    store: Store, seek_of: Callable[..., Seek]
) -> None:
    patient, purist = seek_of("ann", "bornyu", bots_in=50_000), seek_of("bob", "bornyu")
    hurried = seek_of("eve", "bornyu", bots_in=1000)
    for index, seek in enumerate((patient, purist, hurried)):
        store.seeks.seek(seek, MATCHES[index])
    assert store.seeks.fill(MATCHES[3:4], Millis(store.now() - 1000)) == []
    assert store.seeks.sought(hurried.id) == Sought(hurried, None)
    assert store.seeks.fill([], Millis(store.now() + 2000)) == []
    assert store.seeks.sought(hurried.id) == Sought(hurried, None)
    assert store.seeks.fill(MATCHES[3:6], Millis(store.now() + 2000)) == MATCHES[3:4]
    assert [store.seeks.sought(seek.id) for seek in (patient, purist, hurried)] == [
        Sought(patient, MATCHES[3]),
        Sought(purist, None),
        Sought(hurried, MATCHES[3]),
    ]
    (pairing,) = store.seeks.unmade(Millis(store.now() + 2000), limit=10)
    assert [seek.player for seek in pairing.seeks] == ["eve", "ann"]
    assert store.seeks.pairing(MATCHES[3]) == pairing
    assert store.seeks.pairing(MATCHES[4]) is None


def test_a_pairing_is_kept_until_its_match_is_made(store: Store, seek_of: Callable[..., Seek]) -> None:
    before = store.now()
    for index, name in enumerate(("ann", "bob", "eve", "dan")):
        store.seeks.seek(seek_of(name), MATCHES[index])
    assert store.seeks.unmade(Millis(before - 1), limit=10) == []
    assert len(store.seeks.unmade(store.now(), limit=1)) == 1
    assert {pairing.match for pairing in store.seeks.unmade(store.now(), limit=10)} == {MATCHES[1], MATCHES[3]}


def test_many_at_once_make_exactly_half_as_many_duels(place: Place, seek_of: Callable[..., Seek]) -> None:
    players = [f"player{index}" for index in range(40)]
    stores = [place.open() for _ in range(4)]
    start = Barrier(len(stores))

    def look(store: Store, first: int) -> None:
        start.wait()
        for index in range(first, len(players), len(stores)):
            store.seeks.seek(seek_of(players[index]), match_id(number=16 * index))

    threads = [Thread(target=look, args=(store, first)) for first, store in enumerate(stores)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    pairings = stores[0].seeks.unmade(stores[0].now(), limit=100)
    assert len(pairings) == 20
    assert sorted(seek.player for pairing in pairings for seek in pairing.seeks) == sorted(players)
