"""Finished matches with real chain hashes, for tests of records."""

import random
from typing import Any

from owntrumps.game.chance import chain_key
from owntrumps.game.commands import Resign, TakeSeat
from owntrumps.game.log import Entry
from owntrumps.game.state import EMPTY
from owntrumps.game.terms import Millis, PlayerId, SeatTerms, Version
from owntrumps.record.build import record_json
from owntrumps.rules.rulesets import PRESETS, Ruleset
from owntrumps.store.codec import write_entry
from tests.matches import accepted, create, random_match


def chained(entries: list[Entry], seed: str) -> list[Entry]:
    """The entries with the chain hashes that a store would have given them."""
    chain, written = "", []
    for number, bare in enumerate(entries, start=1):
        _, entry = write_entry(chain_key(seed), chain, Version(number), bare.at, bare.events)
        written.append(entry)
        chain = entry.chain
    return written


def finished_log(ruleset: Ruleset, seed: int, games: int = 1) -> list[Entry]:
    """A whole match of random plays."""
    steps = list(random_match(ruleset, random.Random(seed), games=games))
    state = steps[-1][0].state
    return chained([entry for _, entry in steps], state.terms.seed)  # type: ignore[union-attr,arg-type]


def resigned_log() -> list[Entry]:
    """Two people; one sits down with a nonce and later resigns, which forfeits."""
    seats = (SeatTerms("player", player=PlayerId("anna"), name='Anna "A" Ő', nonce="n1"), SeatTerms("open"))
    command = create(PRESETS["duel"], seats=seats, turn_seconds=60, on_timeout="forfeit")
    match, first = accepted(EMPTY, command)
    match, second = accepted(match, TakeSeat(Millis(5), PlayerId("bela"), "Béla", nonce="n2"))
    match, third = accepted(match, Resign(Millis(9), PlayerId("bela")))
    return chained([first, second, third], command.seed)


def finished_record(name: str = "bornyu", seed: int = 1, games: int = 1) -> Any:
    return record_json(finished_log(PRESETS[name], seed, games))
