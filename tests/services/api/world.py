"""The api over a memory store with a living engine in the same process, and players who use it.

Every answer that a player gets is held against the OpenAPI document.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import cache
from io import BytesIO
from threading import Event, Thread
from typing import Any

from flask import Flask
from werkzeug.test import TestResponse, create_environ
from werkzeug.wrappers import Request

from owntrumps.game.terms import MatchId, Version
from owntrumps.store.memory import MemoryStore
from owntrumps_api.app import create_app, service_over
from owntrumps_api.config import ApiConfig
from owntrumps_api.service import KEY
from owntrumps_engine.config import EngineConfig
from owntrumps_engine.engine import Engine
from tests.services.api.document import UNDOCUMENTED, Document

SEED = "2a" * 32
CONFIG = ApiConfig(secret=b"a secret of the tests", allow_seed=True)
DUEL = {"ruleset": "duel", "seats": [{"kind": "me", "trump": "h"}, {"kind": "open"}], "seed": SEED}


@cache
def document() -> Document:
    app = create_app(CONFIG, MemoryStore())
    served = app.test_client().get("/v1/openapi.json").json
    assert served is not None
    return Document(served)


class Caller:
    """Somebody at the api: a player with a token, or nobody in particular."""

    def __init__(self, app: Flask, token: str | None = None, id_: str = "") -> None:
        self.id = id_
        self.token = token
        self._client = app.test_client()

    def send(self, method: str, path: str, *, headers: dict[str, str] | None = None, **sent: Any) -> TestResponse:
        credentials = {"Authorization": f"Bearer {self.token}"} if self.token else {}
        response = self._client.open(path, method=method, headers={**credentials, **(headers or {})}, **sent)
        bare = path.partition("?")[0]
        if not any(
            bare == known or bare.startswith(f"{known}/") for known in UNDOCUMENTED if known != "/" or bare == "/"
        ):
            document().check(method, bare, response)
        return response

    def post_unsized(self, path: str, body: bytes, content_type: str) -> TestResponse:
        """POST a body that does not say its length, as a server hands on a chunked one."""
        environ = create_environ(path, method="POST", input_stream=BytesIO(body), content_type=content_type)
        del environ["CONTENT_LENGTH"]
        environ |= {"wsgi.input_terminated": True, "HTTP_AUTHORIZATION": f"Bearer {self.token}"}
        # Only a finished request goes out as it is; anything else would get its length back.
        return self._client.open(Request(environ))

    def get(self, path: str, headers: dict[str, str] | None = None) -> TestResponse:
        return self.send("GET", path, headers=headers)

    def post(self, path: str, json: Any = None, headers: dict[str, str] | None = None) -> TestResponse:
        return self.send("POST", path, headers=headers, json={} if json is None else json)

    def delete(self, path: str) -> TestResponse:
        return self.send("DELETE", path)

    def view(self, match: str) -> dict[str, Any]:
        response = self.get(f"/v1/matches/{match}")
        assert response.status_code == 200, response.text
        return dict(response.json)  # type: ignore[arg-type]

    def move(self, match: str, *plays: str, headers: dict[str, str] | None = None) -> TestResponse:
        body: dict[str, Any] = {"action": "take"} if plays == ("take",) else {"action": "play", "cards": list(plays)}
        return self.post(f"/v1/matches/{match}/moves", body, headers)


_free: list[Flask] = []
"""Apps whose world has ended: making one takes a quarter of a second, giving it another service nothing."""


class World:
    """An app, its store and an engine that decides until the world ends."""

    def __init__(self, store: MemoryStore | None = None, **settings: Any) -> None:
        self.store = store or MemoryStore()
        config = replace(CONFIG, **settings)
        self.app = _free.pop() if _free else create_app(config, self.store)
        self.app.extensions[KEY] = service_over(config, self.store)
        self.nobody = Caller(self.app)
        self._stop = Event()
        self._engine: Thread | None = None

    def start_engine(self) -> None:
        engine = Engine(self.store, EngineConfig(block_ms=100))
        self._engine = Thread(target=engine.run, args=(self._stop,), name="engine")
        self._engine.start()

    def close(self) -> None:
        self._stop.set()
        self.app.extensions[KEY].hub.close()
        self.store.close()  # which ends the waits of both
        if self._engine is not None:
            self._engine.join()
        self.app.extensions[KEY].close()
        _free.append(self.app)

    def player(self, name: str = "Ann") -> Caller:
        made = self.nobody.post("/v1/players", {"name": name})
        assert made.status_code == 201, made.text
        assert made.json is not None
        return Caller(self.app, made.json["token"], made.json["id"])

    def duel(self, **terms: Any) -> tuple[str, Caller, Caller]:
        """A duel between two people, whose deal is always the same; the first is to move first or second."""
        ann, bob = self.player("Ann"), self.player("Bob")
        made = ann.post("/v1/matches", {**DUEL, **terms})
        assert made.status_code == 201, made.text
        assert made.json is not None
        match = made.json["id"]
        key = f"?key={made.json['link']}" if "link" in made.json else ""
        assert bob.post(f"/v1/matches/{match}/seats{key}", {"trump": "s"}).status_code == 201
        return match, ann, bob

    def to_move(self, match: str, *players: Caller) -> Caller:
        return next(player for player in players if player.view(match)["legal"])

    def snapshot(self) -> dict[MatchId, list[bytes]]:
        """Every match's log, to show that nothing has changed."""
        return {
            match: [entry.payload for entry in self.store.entries(match, after=Version(0), limit=10_000)]
            for match in self.store.match_ids()
        }


@contextmanager
def running(**settings: Any) -> Iterator[World]:
    world = World(**settings)
    world.start_engine()
    try:
        yield world
    finally:
        world.close()


def code_of(response: TestResponse) -> str:
    """The slug of a problem, which must be one."""
    assert response.mimetype == "application/problem+json", response.text
    assert response.json is not None
    assert response.json["status"] == response.status_code
    return str(response.json["code"])
