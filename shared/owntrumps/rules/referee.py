"""The referee: a record of a deal, played through. Pure; `owntrumps referee` reads and writes the lines."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from owntrumps.rules.cards import card_name, names_of
from owntrumps.rules.deal import Deal, Loser, Result, step
from owntrumps.rules.plays import explain, legal_plays, why_illegal
from owntrumps.rules.position import Position, Table
from owntrumps.rules.study import StudyError, play_from, start_from


class RecordError(ValueError):
    """A record that is wrong at one play. ``ply`` is that play's index; ``legal`` are the plays that could have been
    made there (empty after the end of the deal)."""

    def __init__(self, slug: str, detail: str, ply: int, legal: Sequence[str]) -> None:
        super().__init__(detail)
        self.slug = slug
        self.detail = detail
        self.ply = ply
        self.legal = legal


@dataclass(frozen=True, slots=True)
class _NoPlay:
    """What stands where a ply should."""

    ply: object


def referee(record: Mapping[str, Any]) -> dict[str, Any]:
    """What happened in the deal that the record gives by its start and its plays.

    Returns ``{"plies": [{"seat", "phase", "legal"}, …], "result", "out", "hands", "pile"}``: the moment before each
    play, and how things stand after the last. ``result`` is None while the deal goes on.

    Raises:
        RulesetError, StudyError: the start is none (see `start_from`), or ``bad-plays``.
        RecordError: ``bad-plays``, ``unknown-play``, ``illegal-play``, or ``deal-over`` for a play after the end.
    """
    table, deal = start_from(record)
    plies: list[dict[str, Any]] = []
    result = _over_from_the_start(deal.position)
    for ply, named in enumerate(_plays(record)):
        legal = [] if result else legal_plays(table, deal.position)
        if result is not None:
            raise RecordError("deal-over", f"the deal was over before {named!r}: {_result_json(result)}", ply, legal)
        plies.append({"seat": deal.position.turn, "phase": deal.position.phase, "legal": legal})
        deal, result = _played(table, deal, named, ply, legal)
    position = deal.position
    return {
        "plies": plies,
        "result": _result_json(result),
        "out": list(position.out),
        "hands": [names_of(hand.cards) for hand in position.hands],
        "pile": [card_name(card) for card in position.pile],
    }


def _over_from_the_start(position: Position) -> Result | None:
    """How a deal stands that nobody can play, since one seat alone holds cards. No card was played that it could beat:
    `one_card_draw` has nothing to look at."""
    holders = position.holders()
    return Loser(holders[0]) if len(holders) == 1 else None


def _plays(record: Mapping[str, Any]) -> list[object]:
    """The named plays: ``plays``, or the ``play`` of each of ``plies``; `_NoPlay` for one without."""
    if "plays" in record:
        plays = record["plays"]
        if not isinstance(plays, list):
            raise StudyError("bad-plays", f"plays is a list of plays, not {plays!r}")
        return plays
    if "plies" not in record:
        raise StudyError("missing-field", "plays is missing")
    plies = record["plies"]
    if not isinstance(plies, list):
        raise StudyError("bad-plays", f"plies is a list of plies, not {plies!r}")
    return [ply["play"] if isinstance(ply, dict) and "play" in ply else _NoPlay(ply) for ply in plies]


def _played(table: Table, deal: Deal, named: object, ply: int, legal: Sequence[str]) -> tuple[Deal, Result | None]:
    if isinstance(named, _NoPlay):
        raise RecordError("bad-plays", f'a ply is an object such as {{"play": "Th"}}, not {named.ply!r}', ply, legal)
    try:
        play = play_from(named)
    except StudyError as error:
        raise RecordError(error.slug, error.detail, ply, legal) from None
    reason = why_illegal(table, deal.position, play)
    if reason is not None:
        raise RecordError("illegal-play", explain(reason, deal.position, play), ply, legal)
    return step(table, deal, play)


def _result_json(result: Result | None) -> dict[str, Any] | None:
    if result is None:
        return None
    return {"loser": result.seat} if isinstance(result, Loser) else {"draw": result.reason}
