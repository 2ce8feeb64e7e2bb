"""The real server: gunicorn with gevent over a real store. What only a socket can show."""

import json
import os
import random
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from threading import Event, Thread
from time import monotonic
from typing import Any

import httpx
import pytest

from benchmarks.api_moves import plan
from owntrumps.game.commands import MakeMove
from owntrumps.game.terms import ByPlayer, MatchId, PlayerId
from owntrumps.rules.cards import parse_card
from owntrumps.rules.plays import TAKE, Play
from owntrumps.store.connect import open_store
from owntrumps.store.port import CommandId, Store, Submission
from owntrumps_api.server import GRACEFUL_SECONDS
from owntrumps_engine.config import EngineConfig
from owntrumps_engine.engine import Engine
from tests.processes import ApiProcess
from tests.store.servers import free_port, valkey

pytestmark = pytest.mark.server

SLOW_SECONDS = 1
SSE = "text/event-stream"
SEED = "2a" * 32
JSON_CHUNKED = b"Connection: close\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n"
GAMES = 8
"""A series whose log is larger than what a socket's buffers hold."""


class Served:
    """A process that serves, the store behind it, and an engine in this process."""

    def __init__(self, url: str) -> None:
        self.store: Store = open_store(url)
        self.port = free_port()
        self._stop = Event()
        self._engine = Thread(target=Engine(self.store, EngineConfig(block_ms=100)).run, args=(self._stop,))
        self._engine.start()
        self.process = ApiProcess(
            url,
            self.port,
            OWNTRUMPS_ALLOW_SEED="1",
            OWNTRUMPS_SLOW_CLIENT_SECONDS=str(SLOW_SECONDS),
            OWNTRUMPS_HEARTBEAT_SECONDS="1",
        )
        self.client = httpx.Client(base_url=self.process.url, timeout=60)

    def close(self) -> None:
        self.client.close()
        self.process.kill()
        self._stop.set()
        self._engine.join()
        self.store.close()

    def player(self) -> dict[str, str]:
        token = self.client.post("/v1/players", json={"name": "Ann"}).json()["token"]
        return {"Authorization": f"Bearer {token}"}

    def duel(self, games: int = 1) -> tuple[str, list[dict[str, str]]]:
        ann, bob = self.player(), self.player()
        seats = [{"kind": "me", "trump": "c"}, {"kind": "open"}]
        body = {"ruleset": "duel", "seats": seats, "seed": SEED, "games": games}
        match = self.client.post("/v1/matches", json=body, headers=ann).json()["id"]
        assert self.client.post(f"/v1/matches/{match}/seats", json={"trump": "d"}, headers=bob).status_code == 201
        return match, [ann, bob]

    def connect(self, request: bytes, *, receive_bytes: int | None = None) -> socket.socket:
        connection = socket.socket()
        if receive_bytes is not None:
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_bytes)
        connection.connect(("127.0.0.1", self.port))
        connection.settimeout(60)
        connection.sendall(request)
        return connection


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with valkey(tmp_path_factory.mktemp("valkey")) as found:
        yield found


@pytest.fixture(scope="module")
def served(url: str) -> Iterator[Served]:
    """One for all tests that do not stop it."""
    yield from _serving(url)


@pytest.fixture
def stoppable(url: str) -> Iterator[Served]:
    yield from _serving(url)


def _serving(url: str) -> Iterator[Served]:
    serving = Served(url)
    try:
        yield serving
    finally:
        serving.close()


def everything(connection: socket.socket) -> bytes:
    """What comes until the other side closes."""
    with connection:
        return b"".join(iter(lambda: connection.recv(65536), b""))


def stream_request(match: str) -> bytes:
    return f"GET /v1/matches/{match}/events HTTP/1.1\r\nHost: x\r\nAccept: text/event-stream\r\n\r\n".encode()


@pytest.mark.parametrize(
    ("sent", "status"),
    [
        (b"GET / HTTP/9.9\r\n\r\n", 400),
        (b"NONSENSE\r\n\r\n", 400),
        (b"GET /" + b"a" * 9000 + b" HTTP/1.1\r\nHost: x\r\n\r\n", 414),
        (b"GET / HTTP/1.1\r\nHost: x\r\nX-Long: " + b"a" * 9000 + b"\r\n\r\n", 431),
        (b"POST /v1/players HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: gzip\r\n\r\n", 400),
        (b"GET / HTTP/1.1\r\nbad header\r\n\r\n", 400),
        (b"POST /v1/players HTTP/1.1\r\nHost: x\r\n" + JSON_CHUNKED + b"zz\r\n{}\r\n0\r\n\r\n", 400),
        (b"POST /v1/players HTTP/1.1\r\nHost: x\r\n" + JSON_CHUNKED + b"5\r\n{}\r\n0\r\n\r\n", 400),
    ],
)
def test_what_cannot_be_read_as_http_is_a_problem_too(served: Served, sent: bytes, status: int) -> None:
    head, _, body = everything(served.connect(sent)).partition(b"\r\n\r\n")
    assert head.split(b" ")[1] == str(status).encode()
    assert b"Content-Type: application/problem+json" in head
    problem = json.loads(body)
    assert (problem["code"], problem["status"]) == ("bad-request", status)


def test_a_stop_ends_streams_with_a_word_and_idle_connections_at_once(stoppable: Served) -> None:
    match, _ = stoppable.duel()
    stream = stoppable.connect(stream_request(match))
    heard = b""
    while b"id: 2\n" not in heard:
        heard += stream.recv(65536)
    began = monotonic()
    assert stoppable.process.stop() == 0
    assert monotonic() - began < GRACEFUL_SECONDS, "an idle connection held the stop up"
    log = json.dumps(stoppable.process.log)
    assert "Traceback" not in log, log
    rest = everything(stream)
    assert b"event: cut\ndata: " in rest
    assert b'"reason":"shutdown"' in rest
    assert rest.endswith(b"0\r\n\r\n"), "the stream is complete, not broken off"


def test_a_client_that_does_not_read_is_cut_off_and_costs_the_others_nothing(served: Served) -> None:
    match, _ = served.duel(games=GAMES)
    to_the_end = stream_request(match).replace(b"Host: x", b"Host: x\r\nConnection: close")
    players = [PlayerId(seat["player"]) for seat in served.client.get(f"/v1/matches/{match}").json()["seats"]]
    planned = [*plan(match, SEED, random.Random(4), GAMES)]
    play_all(served.store, MatchId(match), players, planned)
    last = len(planned) + 2
    first = everything(served.connect(to_the_end))
    deaf = served.connect(stream_request(match), receive_bytes=2048)
    assert everything(served.connect(to_the_end)).count(b"\nid: ") == first.count(b"\nid: ") == last
    assert b"event: end" in first
    while held(served) > 0:  # each round is a request: the server notices after SLOW_SECONDS
        pass
    part = everything(deaf)
    assert 0 < part.count(b"\nid: ") < last, "what the kernel held, and then the end"


def held(served: Served) -> float:
    text = served.client.get("/metrics").text
    return float(next(line.split()[1] for line in text.splitlines() if line.startswith("owntrumps_api_held ")))


def play_all(store: Store, match: MatchId, players: list[PlayerId], planned: list[tuple[int, dict[str, Any]]]) -> None:
    """Hand all moves to the engine at once: a shard's inbox keeps their order."""
    submissions = []
    for number, (seat, body) in enumerate(planned):
        play: Play = TAKE if body["action"] == "take" else parse_card(body["cards"][0])
        command = MakeMove(store.now(), ByPlayer(players[seat]), (play,))
        submissions.append(Submission(CommandId(f"{match}-{number}"), match, command))
    store.submit(submissions)


def test_a_request_in_the_middle_of_a_stop_is_answered(stoppable: Served) -> None:
    match, (ann, bob) = stoppable.duel()
    mover = ann if stoppable.client.get(f"/v1/matches/{match}", headers=ann).json()["legal"] else bob
    answers: list[httpx.Response] = []
    waiting = Thread(target=lambda: answers.append(httpx.get(_url(stoppable, match, "?wait=30&after=2"), timeout=60)))
    waiting.start()
    while not held(stoppable):
        pass
    assert stoppable.process.stop() == 0
    waiting.join()
    assert answers[0].status_code == 200
    assert answers[0].json()["version"] == 2
    assert mover


def _url(served: Served, match: str, query: str) -> str:
    return f"http://127.0.0.1:{served.port}/v1/matches/{match}{query}"


def test_two_processes_are_one_service(served: Served, stoppable: Served) -> None:
    match, players = served.duel()
    with stoppable.client.stream("GET", f"/v1/matches/{match}/events?after=2", headers={"Accept": SSE}) as stream:
        lines = stream.iter_lines()
        assert next(lines).startswith("retry:")
        for headers in players:
            legal = served.client.get(f"/v1/matches/{match}", headers=headers).json()["legal"]
            if legal:
                body = {"action": "play", "cards": legal[:1]}
                made = served.client.post(f"/v1/matches/{match}/moves", json=body, headers=headers)
                assert made.status_code == 201
                break
        assert "id: 3" in lines
    first = served.client.post("/v1/seeks", json={"ruleset": "challenge"}, headers=players[0]).json()
    second = stoppable.client.post("/v1/seeks", json={"ruleset": "challenge"}, headers=players[1]).json()
    assert second["match"] is not None
    waited = served.client.get(f"/v1/seeks/{first['id']}?wait=30", headers=players[0]).json()
    assert waited["match"] == second["match"]


def test_a_missing_setting_is_named_and_nothing_is_served(tmp_path: Path) -> None:
    environment = {name: value for name, value in os.environ.items() if not name.startswith("OWNTRUMPS_")}
    environment["OWNTRUMPS_SECRET"] = "a secret of the tests"
    run = subprocess.run(
        [sys.executable, "-m", "owntrumps_api"],
        env=environment,
        capture_output=True,
        text=True,
        cwd=tmp_path,
        check=False,
    )
    assert run.returncode == 2
    assert run.stderr.startswith("owntrumps_api: OWNTRUMPS_STORE_URL")
