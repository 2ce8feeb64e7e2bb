"""Playing an arena's deals, on as many processes as wished, and keeping each in a file so that a stopped run goes on.

Deal ``number`` uses the cards of common deal ``number // seats``: the same cards are played once from every seat.
"""

import json
import multiprocessing
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from owntrumps.rules.rulesets import Ruleset
from owntrumps_bots.arena.deals import start_of
from owntrumps_bots.arena.entries import Entry
from owntrumps_bots.arena.table import play_deal
from owntrumps_bots.arena.tally import Played, seat_of
from owntrumps_bots.policies.warmup import warm_up


@dataclass(frozen=True, slots=True)
class Arena:
    """What is played: everything that the result depends on, save the clock."""

    ruleset: Ruleset
    entries: tuple[Entry, ...]
    deals: int
    seed: int


class ResumeError(ValueError):
    """The file to go on from is of another arena, or no file of ours."""


def play_number(arena: Arena, number: int) -> Played:
    """Deal ``number`` of the arena."""
    seats = arena.ruleset.seats
    at = [seat_of(entry, number, seats) for entry in range(seats)]
    players = [arena.entries[at.index(seat)].player() for seat in range(seats)]
    outcome = play_deal(start_of(arena.ruleset, arena.seed, number // seats), players, arena.seed * 1_000_003 + number)
    return Played(
        number,
        None if outcome.loser is None else at.index(outcome.loser),
        outcome.plies,
        tuple(outcome.decisions[seat] for seat in at),
        tuple(outcome.seconds[seat] for seat in at),
    )


def play_all(arena: Arena, processes: int, kept: Path | None) -> Iterator[Played]:
    """Every deal as it is finished, those found in ``kept`` first; new ones are added to that file.

    Raises:
        ResumeError: the file belongs to another arena.
    """
    done = {} if kept is None else _read(arena, kept)
    yield from done.values()
    left = [number for number in range(arena.deals) if number not in done]
    for played in _played(arena, left, processes):
        if kept is not None:
            with kept.open("a", encoding="utf-8") as file:
                file.write(json.dumps(asdict(played)) + "\n")
        yield played


def _played(arena: Arena, numbers: Sequence[int], processes: int) -> Iterator[Played]:
    if processes == 1 or len(numbers) <= 1:
        warm_up()
        for number in numbers:
            yield play_number(arena, number)
        return
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(min(processes, len(numbers)), mp_context=context, initializer=warm_up) as pool:
        waiting = [pool.submit(play_number, arena, number) for number in numbers]
        try:
            for finished in as_completed(waiting):
                yield finished.result()
        finally:
            pool.shutdown(wait=True, cancel_futures=True)


def _heading(arena: Arena) -> dict[str, Any]:
    """The first line of a kept file. The number of deals is not in it: a run may be made longer."""
    return {
        "ruleset": arena.ruleset.as_dict(),
        "entries": [[entry.name, entry.budget_ms, entry.rounds] for entry in arena.entries],
        "seed": arena.seed,
    }


def _read(arena: Arena, kept: Path) -> dict[int, Played]:
    heading = json.dumps(_heading(arena))
    if not kept.exists():
        kept.write_text(heading + "\n", encoding="utf-8")
        return {}
    # A line that a killed run left half written is dropped here and for good.
    lines = kept.read_text(encoding="utf-8").split("\n")
    if lines[0] != heading:
        raise ResumeError(f"{kept} belongs to another arena: it begins with {lines[0][:200]!r}")
    if lines[-1]:
        kept.write_text("\n".join(lines[:-1]) + "\n", encoding="utf-8")
    try:
        found = [_played_of(json.loads(line)) for line in lines[1:-1]]
    except (ValueError, KeyError, TypeError) as error:
        raise ResumeError(f"{kept} holds a line that is no deal: {error!r}") from None
    return {played.number: played for played in found if played.number < arena.deals}


def _played_of(line: dict[str, Any]) -> Played:
    return Played(line["number"], line["loser"], line["plies"], tuple(line["decisions"]), tuple(line["seconds"]))
