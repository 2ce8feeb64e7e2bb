"""A player's part in a match, by HTTP."""

from time import monotonic
from typing import Any

import httpx

View = dict[str, Any]
POLL_SECONDS = 20


def create(client: httpx.Client, ruleset: str, *, me: bool = False, bots: int = 0, **terms: Any) -> View:
    """A new match: the caller first if ``me``, then greedy bots."""
    seats = [{"kind": "me"}] * me + [{"kind": "bot", "level": "greedy"}] * bots
    answer = client.post("/v1/matches", json={"ruleset": ruleset, "seats": seats, **terms})
    assert answer.status_code == 201, answer.text
    view: View = answer.json()
    return view


def move(client: httpx.Client, view: View, **headers: str) -> httpx.Response:
    """Play the first legal play of the view."""
    play = view["legal"][0]
    body = {"action": "take"} if play == "take" else {"action": "play", "cards": [play]}
    return client.post(f"/v1/matches/{view['id']}/moves", json=body, headers=headers)


def news(client: httpx.Client, view: View, seconds: int = POLL_SECONDS) -> View:
    """The view once the match has moved on, or the same after so many seconds."""
    answer = check(client.get(f"/v1/matches/{view['id']}", params={"wait": seconds, "after": view["version"]}), 200)
    later: View = answer.json()
    return later


class UnavailableError(Exception):
    """The server says that it cannot answer at the moment (503); trying again is safe."""


def check(answer: httpx.Response, status: int) -> httpx.Response:
    """The answer, which must have this status; UnavailableError for a 503."""
    if answer.status_code == 503:
        raise UnavailableError(answer.text)
    assert answer.status_code == status, answer.text
    return answer


def next_turn(client: httpx.Client, view: View) -> View:
    """The view when it is the caller's turn, or the match is over."""
    while view["status"] == "playing" and view["turn"] != view["you"]:
        view = news(client, view)
    return view


def play_to_the_end(client: httpx.Client, view: View, **headers: str) -> tuple[View, list[httpx.Response]]:
    """The last view, and the answers to the caller's moves."""
    answers = []
    while (view := next_turn(client, view))["status"] == "playing":
        answers.append(check(move(client, view, **headers), 201))
        view = answers[-1].json()["view"]
    return view, answers


def wait_until_over(client: httpx.Client, view: View, seconds: float) -> View:
    """The last view; AssertionError if that takes longer."""
    ends = monotonic() + seconds
    while view["status"] == "playing":
        left = ends - monotonic()
        assert left > 0, f"version {view['version']} after {seconds} s"
        view = news(client, view, seconds=max(1, int(left)))
    return view


def events(client: httpx.Client, match: str) -> list[dict[str, Any]]:
    """Every entry of the match, as the caller may see it; its versions have no gap."""
    entries: list[dict[str, Any]] = []
    after = 0
    while True:
        answer = client.get(f"/v1/matches/{match}/events", params={"after": after, "limit": 500})
        assert answer.status_code == 200, answer.text
        page = answer.json()["entries"]
        if not page:
            break
        entries += page
        after = page[-1]["version"]
    assert [entry["version"] for entry in entries] == list(range(1, len(entries) + 1))
    return entries
