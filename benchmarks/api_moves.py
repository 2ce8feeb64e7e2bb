"""Moves per second through POST /v1/matches/{id}/moves, by many clients at once.

    python -m benchmarks.api_moves [--server URL] [--clients N] [--seconds S] [--pid NAME=PID …]

Each client has a duel of its own between two players, on one kept connection, and sends one legal move after the other,
waiting for each answer (201: fsynced, with the caller's view). The moves are worked out beforehand from the match's
seed, so that nothing but POSTs is timed; the server must allow seeds (`make run` does). A match that ends is followed
by the next. Reported: moves per second, and the median, 99th percentile and maximum of one POST in milliseconds, as the
clients see them; with ``--pid``, the processor time that each named process spent on a move.
"""

import argparse
import http.client
import json
import os
import platform
import random
import statistics
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from threading import Barrier, Thread
from typing import Any
from urllib.parse import urlsplit

from owntrumps.game.commands import CreateMatch, MakeMove, TakeSeat
from owntrumps.game.log import Entry, fold_entry, handle
from owntrumps.game.refusals import Refusal
from owntrumps.game.state import EMPTY, Match, PlayingMatch
from owntrumps.game.terms import ByPlayer, MatchId, Millis, PlayerId, SeatTerms, Version
from owntrumps.rules.cards import Suit, card_name
from owntrumps.rules.perft import moves
from owntrumps.rules.plays import TAKE
from owntrumps.rules.rulesets import PRESETS

TRUMPS = (Suit(0), Suit(1))


@dataclass
class Connection:
    """One kept connection."""

    host: str
    port: int
    tokens: dict[int, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._http = http.client.HTTPConnection(self.host, self.port, timeout=60)

    def post(self, path: str, body: dict[str, Any], token: str | None = None) -> tuple[int, dict[str, Any]]:
        headers = {"Content-Type": "application/json", **({"Authorization": f"Bearer {token}"} if token else {})}
        self._http.request("POST", path, json.dumps(body), headers)
        answer = self._http.getresponse()
        return answer.status, json.loads(answer.read())


def step(match: Match, command: Any) -> Match:
    events = handle(match, command)
    if isinstance(events, Refusal):
        raise RuntimeError(events)
    return fold_entry(match, Entry(Version(match.version + 1), Millis(0), events, ""))


def plan(id_: str, seed: str, dice: random.Random, games: int = 1) -> Iterator[tuple[int, dict[str, Any]]]:
    """The seats and bodies of a whole match of random legal moves, worked out as the engine will."""
    players = (PlayerId("a"), PlayerId("b"))
    seats = (SeatTerms("player", players[0], "a", trump=TRUMPS[0]), SeatTerms("open"))
    match = step(EMPTY, CreateMatch(Millis(0), MatchId(id_), PRESETS["duel"], "duel", seats, seed, games))
    match = step(match, TakeSeat(Millis(0), players[1], "b", TRUMPS[1]))
    while isinstance(match.state, PlayingMatch):
        board = match.state.board
        seat, play = board.deal.position.turn, dice.choice(moves(board.table, board.deal))
        yield seat, {"action": "take"} if play == TAKE else {"action": "play", "cards": [card_name(play)]}
        match = step(match, MakeMove(Millis(0), ByPlayer(players[seat]), (play,)))


class Client(Thread):
    """One client; ``taken`` are its POSTs' times in seconds."""

    def __init__(self, server: str, number: int, start: Barrier, seconds: float) -> None:
        super().__init__(name=f"client {number}")
        parts = urlsplit(server)
        self._connection = Connection(parts.hostname or "127.0.0.1", parts.port or 80)
        self._dice = random.Random(number)
        self._start_together = start
        self._seconds = seconds
        self._tokens = [self._connection.post("/v1/players", {"name": f"p{number}"})[1]["token"] for _ in range(2)]
        self.taken: list[float] = []

    def _new_match(self) -> tuple[str, list[tuple[int, dict[str, Any]]]]:
        seed = self._dice.randbytes(32).hex()
        body = {"ruleset": "duel", "seats": [{"kind": "me", "trump": "c"}, {"kind": "open"}], "seed": seed}
        status, made = self._connection.post("/v1/matches", body, self._tokens[0])
        if status != 201:
            raise RuntimeError(made)
        path = f"/v1/matches/{made['id']}"
        self._connection.post(f"{path}/seats", {"trump": "d"}, self._tokens[1])
        return path, [*plan(made["id"], seed, self._dice)]

    def run(self) -> None:
        path, planned = self._new_match()
        self._start_together.wait()
        ends = time.perf_counter() + self._seconds
        while time.perf_counter() < ends:
            if not planned:
                path, planned = self._new_match()
            seat, body = planned.pop(0)
            began = time.perf_counter()
            status, answer = self._connection.post(f"{path}/moves", body, self._tokens[seat])
            self.taken.append(time.perf_counter() - began)
            if status != 201:
                raise RuntimeError(answer)


def cpu_seconds(pid: int) -> float:
    with open(f"/proc/{pid}/stat", encoding="ascii") as file:  # noqa: PTH123 - the kernel's own file
        fields = file.read().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--server", default="http://127.0.0.1:8000")
    parser.add_argument("--clients", type=int, default=32)
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--pid", action="append", default=[], metavar="NAME=PID")
    options = parser.parse_args()
    start = Barrier(options.clients + 1)
    clients = [Client(options.server, number, start, options.seconds) for number in range(options.clients)]
    for client in clients:
        client.start()
    pids = {name: int(pid) for name, _, pid in (pair.partition("=") for pair in options.pid)}
    start.wait()
    before = {name: cpu_seconds(pid) for name, pid in pids.items()}
    began = time.perf_counter()
    for client in clients:
        client.join()
    lasted = time.perf_counter() - began
    taken = sorted(seconds * 1000 for client in clients for seconds in client.taken)
    spent = {name: (cpu_seconds(pid) - before[name]) * 1000 / len(taken) for name, pid in pids.items()}
    cuts = statistics.quantiles(taken, n=100)
    print(f"{platform.python_version()}, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}")
    print(f"{options.clients} clients, {lasted:.1f} s: {len(taken)} moves, {len(taken) / lasted:.0f} moves/s")
    print(f"one POST: p50 {cuts[49]:.1f} ms, p99 {cuts[98]:.1f} ms, max {taken[-1]:.1f} ms")
    for name, milliseconds in spent.items():
        print(f"processor time of {name}: {milliseconds:.2f} ms a move")


if __name__ == "__main__":
    main()
