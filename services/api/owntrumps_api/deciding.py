"""The one way in: a command goes to the engine, and its answer comes back. Nothing is decided here."""

import re
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from time import monotonic
from typing import Any, Final

from flask import Response, request

from owntrumps.game.commands import Command
from owntrumps.game.refusals import Refusal
from owntrumps.game.terms import MatchId, Version
from owntrumps.store.port import Accepted, Answered, Outcome, Player, Submission
from owntrumps_api import reading
from owntrumps_api.archived import as_if_here, taken
from owntrumps_api.body import json_response
from owntrumps_api.idempotency import Once
from owntrumps_api.problems import Problem, refused
from owntrumps_api.service import service

_WAIT: Final = re.compile(r"(?:^|[,;\s])wait\s*=\s*\"?([0-9]{1,6})\"?(?:$|[,;\s])", re.ASCII)


@dataclass(frozen=True, slots=True)
class Asked:
    """A command of a caller's, as it is submitted."""

    once: Once
    match: MatchId
    command: Command

    def submission(self) -> Submission:
        return Submission(self.once.command, self.match, self.command, self.once.fingerprint)


def preferred_wait(header: str | None) -> float:
    """Seconds to wait for the engine, from the header ``Prefer: wait=n`` (RFC 7240), within the server's bounds."""
    config = service().config
    found = _WAIT.search(header) if header is not None else None
    return min(float(found[1]), config.longest_wait) if found is not None else config.default_wait


def submitted(asked: Sequence[Asked], wait: float) -> list[Answered]:
    """What the engine answered, without an outcome for what it has not answered in time.

    What it has answered before it answers again: the same command has one outcome.
    """
    store, hub, archive = service().store, service().hub, service().archive
    if len(asked) == 1 and (known := taken(store, archive, asked[0].submission())) is not None:
        return [known]
    began = monotonic()
    with ExitStack() as waiting:
        bells = [waiting.enter_context(hub.outcome_of(ask.once.command)) for ask in asked]
        store.submit([ask.submission() for ask in asked])
        heard = [bell.wait(began + wait - monotonic()) for bell in bells]
    service().metrics.decisions.observe(monotonic() - began)
    told = [max(news.news, default=None) for news in heard]
    answers = store.answers([(ask.match, ask.once.command, version) for ask, version in zip(asked, told, strict=True)])
    return [as_if_here(archive, ask.submission(), answer) for ask, answer in zip(asked, answers, strict=True)]


def accepted(asked: Asked, answered: Answered, player: Player) -> dict[str, Any]:
    """``{"version", "events", "view"}`` as the player saw them then.

    Raises:
        Problem: the engine's refusal, or ``idempotency-key-reused``.
    """
    outcome = answered.outcome
    if outcome is None:
        raise ValueError(f"{asked.once.command} has no outcome")
    if outcome.fingerprint != asked.once.fingerprint:
        raise key_reused(asked.once.key)
    return reading.decided(service().store, asked.match, version_of(outcome), player, answered)


def key_reused(key: str | None) -> Problem:
    """The refusal of a request whose key another request had."""
    which = "this key" if key is None else f"the key {key!r}"
    return Problem("idempotency-key-reused", f"{which} was sent with another request before")


def version_of(outcome: Outcome) -> Version:
    """The version, or the refusal as a Problem."""
    match outcome.answer:
        case Accepted(version):
            return version
        case Refusal() as refusal:
            raise refused(refusal)


def outcome_path(match: MatchId, once: Once) -> str:
    """Where the answer of a command will be; for another request with its key, the refusal."""
    return f"/v1/matches/{match}/commands/{once.command}?request={once.fingerprint}"


def undecided(match: MatchId, once: Once) -> Response:
    """202: it will be decided, and the answer will be at ``Location``. Sending it again with its key is safe too."""
    service().metrics.undecided.inc()
    path = outcome_path(match, once)
    return json_response({"status": "undecided", "location": path}, 202, {"Location": path, "Retry-After": "1"})


def answer(asked: Asked, player: Player, prefer: str | None, *, view_only: bool = False) -> Response:
    """201 with the decision (or only its view), 202, or the problem."""
    wait = preferred_wait(prefer)
    (answered,) = submitted([asked], wait)
    if answered.outcome is None:
        response = undecided(asked.match, asked.once)
    else:
        response = shown(accepted(asked, answered, player), view_only=view_only)
    if prefer is not None and _WAIT.search(prefer):
        response.headers["Preference-Applied"] = f"wait={wait:.0f}"
    return response


def shown(decided: dict[str, Any], *, view_only: bool, status: int = 201) -> Response:
    """The response for a decision."""
    match, version = decided["view"]["id"], decided["version"]
    location = f"/v1/matches/{match}" if view_only else f"/v1/matches/{match}/views/{version}"
    headers = {"ETag": f'"{version}"', **({"Location": location} if request.method == "POST" else {})}
    return json_response(decided["view"] if view_only else decided, status, headers)
