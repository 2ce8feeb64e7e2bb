"""A client outside the composition: HTTP and nothing else."""

import random
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Self

import httpx

PLAYS = {"card-led", "top-beaten", "pile-taken"}
# A match of this family ends by rule; longer than this the test hangs rather than waits.
MOST_ROUNDS = 20_000
MOST_TRIES = 12


@dataclass
class Outside:
    """A player with a token of its own. Every answered move's version is kept in `answered`."""

    http: httpx.Client
    token: str
    dice: random.Random
    answered: list[int] = field(default_factory=list)

    @classmethod
    @contextmanager
    def of(cls, url: str, seed: int) -> Iterator[Self]:
        """A new player at the server, who plays by the dice of the seed."""
        with httpx.Client(base_url=url, timeout=40.0) as http:
            response = http.post("/v1/players", json={"name": f"Outside {seed}"})
            assert response.status_code == 201, response.text
            yield cls(http, response.json()["token"], random.Random(seed))

    def headers(self, **more: str) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.token}", **more}

    def decided(self, path: str, body: dict[str, Any]) -> dict[str, Any]:
        """The answer to a POST, which is retried under the same key until the engine has decided."""
        headers = self.headers(**{"Idempotency-Key": str(uuid.uuid4()), "Prefer": "wait=10"})
        for _ in range(MOST_TRIES):
            response = self.http.post(path, json=body, headers=headers)
            if response.status_code == 201:
                answer: dict[str, Any] = response.json()
                return answer
            assert response.status_code in {202, 503}, response.text
        raise AssertionError(f"not decided in {MOST_TRIES} tries: {path} {body}")

    def create(self, ruleset: str, seats: list[dict[str, str]]) -> dict[str, Any]:
        """The view of a new match."""
        return self.decided("/v1/matches", {"ruleset": ruleset, "seats": seats})

    def news(self, view: dict[str, Any]) -> dict[str, Any]:
        """The view once it is newer than the given one, or after ten seconds."""
        response = self.http.get(
            f"/v1/matches/{view['id']}", params={"wait": 10, "after": view["version"]}, headers=self.headers()
        )
        if response.status_code == 304:
            return view
        assert response.status_code == 200, response.text
        newer: dict[str, Any] = response.json()
        return newer

    def move(self, view: dict[str, Any]) -> dict[str, Any]:
        """Play one random legal play; the view after it."""
        play = self.dice.choice(view["legal"])
        body = {"action": "take"} if play == "take" else {"action": "play", "cards": [play]}
        answer = self.decided(f"/v1/matches/{view['id']}/moves", body)
        self.answered.append(answer["version"])
        after: dict[str, Any] = answer["view"]
        return after

    def play_to_the_end(
        self, view: dict[str, Any], after_each_move: Callable[[int], None] = lambda moves: None
    ) -> dict[str, Any]:
        """Play at random until the match is over; `after_each_move` is told how many moves have been answered."""
        for _ in range(MOST_ROUNDS):
            if view["status"] == "finished":
                return view
            if view["turn"] is not None and view["turn"] == view["you"]:
                view = self.move(view)
                after_each_move(len(self.answered))
            else:
                view = self.news(view)
        raise AssertionError(f"the match does not end: {view}")

    def entries(self, match: str) -> list[dict[str, Any]]:
        """The whole log, page by page."""
        entries: list[dict[str, Any]] = []
        while True:
            after = entries[-1]["version"] if entries else 0
            response = self.http.get(
                f"/v1/matches/{match}/events", params={"after": after, "limit": 100}, headers=self.headers()
            )
            assert response.status_code == 200, response.text
            page = response.json()["entries"]
            if not page:
                return entries
            entries += page


def versions_with_plays_of(seat: int, entries: list[dict[str, Any]]) -> list[int]:
    """Versions of the entries in which the seat played or took."""
    return [
        entry["version"]
        for entry in entries
        if any(event["type"] in PLAYS and event["seat"] == seat for event in entry["events"])
    ]
