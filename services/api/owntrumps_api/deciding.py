"""The one way in: a command goes to the engine, and its answer comes back. Nothing is decided here."""

import re
from contextlib import ExitStack
from dataclasses import dataclass
from time import monotonic
from typing import Final

from flask import Response, request

from owntrumps.game.commands import Command
from owntrumps.game.refusals import Refusal
from owntrumps.game.terms import MatchId, Version
from owntrumps.store.port import Accepted, CommandId, Outcome, Player, Submission
from owntrumps_api import reading
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


def outcomes(asked: list[Asked], wait: float) -> list[Outcome | None]:
    """The engine's answers, None for what it has not answered in time. What was answered before is not asked again."""
    store, hub = service().store, service().hub
    known = [store.outcome(ask.match, ask.once.command) if ask.once.key is not None else None for ask in asked]
    fresh = [ask for ask, outcome in zip(asked, known, strict=True) if outcome is None]
    if not fresh:
        return known
    ends = monotonic() + wait
    with ExitStack() as waiting:
        bells = [waiting.enter_context(hub.outcome_of(ask.once.command)) for ask in fresh]
        store.submit([ask.submission() for ask in fresh])
        for bell in bells:
            bell.wait(ends - monotonic())
    service().metrics.decisions.observe(monotonic() - ends + wait)
    answered = iter([store.outcome(ask.match, ask.once.command) for ask in fresh])
    return [outcome if outcome is not None else next(answered) for outcome in known]


def accepted_version(asked: Asked, outcome: Outcome) -> Version:
    """The version the command became; the engine's refusal as a Problem, or ``idempotency-key-reused``."""
    if outcome.fingerprint != asked.once.fingerprint:
        raise Problem("idempotency-key-reused", f"the key {asked.once.key!r} was sent with another request before")
    return version_of(outcome)


def version_of(outcome: Outcome) -> Version:
    """The version, or the refusal as a Problem."""
    match outcome.answer:
        case Accepted(version):
            return version
        case Refusal() as refusal:
            raise refused(refusal)


def outcome_path(match: MatchId, command: CommandId) -> str:
    """Where the answer of a command will be."""
    return f"/v1/matches/{match}/commands/{command}"


def undecided(match: MatchId, command: CommandId) -> Response:
    """202: it will be decided, and the answer will be at ``Location``. Sending it again with its key is safe too."""
    service().metrics.undecided.inc()
    path = outcome_path(match, command)
    return json_response({"status": "undecided", "location": path}, 202, {"Location": path, "Retry-After": "1"})


def answer(asked: Asked, player: Player, prefer: str | None, *, view_only: bool = False) -> Response:
    """201 with the decision (or only its view), 202, or the problem."""
    wait = preferred_wait(prefer)
    (outcome,) = outcomes([asked], wait)
    if outcome is None:
        response = undecided(asked.match, asked.once.command)
    else:
        version = accepted_version(asked, outcome)
        response = decision(asked.match, version, player, view_only=view_only)
    if prefer is not None and _WAIT.search(prefer):
        response.headers["Preference-Applied"] = f"wait={wait:.0f}"
    return response


def decision(match: MatchId, version: Version, player: Player, *, view_only: bool, status: int = 201) -> Response:
    """The decision that became this version, as the player saw it then."""
    body = reading.decided(service().store, match, version, player)
    location = f"/v1/matches/{match}" if view_only else f"/v1/matches/{match}/views/{version}"
    headers = {"ETag": f'"{version}"', **({"Location": location} if request.method == "POST" else {})}
    return json_response(body["view"] if view_only else body, status, headers)
