"""Writes logs of the latest schema into tests/store/logs/, once: `python -m tests.store.write_logs`.

A log is kept for ever as it is, so an existing file is never written again. Each line is an entry: its chain hash, a
blank, and its payload, byte for byte. What the logs must fold to stands in results.json beside them.
"""

import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import Any

from owntrumps.game.commands import Command, CreateMatch, DeclareTrump, Expire, MakeMove, Resign, TakeSeat
from owntrumps.game.state import EMPTY, Match, NoMatch, PlayingMatch, is_over
from owntrumps.game.terms import ByBot, ByPlayer, MatchId, Millis, PlayerId, SeatTerms
from owntrumps.rules.cards import Card, Suit, cards_of, rank_of, suit_of
from owntrumps.rules.plays import TAKE, Play, legal_cards
from owntrumps.rules.rulesets import PRESETS, Ruleset, name_of
from owntrumps.store.port import StoredEntry
from owntrumps.store.upcasts import LATEST_SCHEMA
from owntrumps.views.view import view_of
from tests.store.given import ANN, BOB, bots, decided

LOGS = Path(__file__).parent / "logs"
BEGIN = Millis(1_772_366_400_250)
MINUTE = 60_000
Story = Iterator[Callable[[Match], Command]]
"""Commands one after the other, each made from the match as it is."""


def seed_of(name: str) -> str:
    return sha256(name.encode()).hexdigest()


def match_of(name: str) -> MatchId:
    return MatchId(f"00-{name.replace('-', '')[:12]:a<12}")


def create(name: str, ruleset: Ruleset, seats: tuple[SeatTerms, ...], **terms: Any) -> Callable[[Match], Command]:
    return lambda _: CreateMatch(BEGIN, match_of(name), ruleset, name_of(ruleset), seats, seed_of(name), **terms)


def thrifty(match: Match) -> Play:
    """The lowest card that may be played, own trumps last; else a take."""
    state = match.state
    assert isinstance(state, PlayingMatch)
    table, position = state.board.table, state.board.deal.position
    own, cards = table.trumps[position.turn], cards_of(legal_cards(table, position))

    def worth(card: Card) -> tuple[bool, int]:
        return suit_of(card) == own, rank_of(card)

    if not cards:
        return TAKE
    lowest: Card = min(cards, key=worth)
    return lowest


def thrifty_move(match: Match) -> Command:
    state = match.state
    assert isinstance(state, PlayingMatch)
    seat = state.board.deal.position.turn
    terms = state.seats[seat]
    actor = ByPlayer(terms.player) if terms.kind == "player" and terms.player is not None else ByBot(seat)
    return MakeMove(Millis(match.at + 1_250), actor, (thrifty(match),), match.version)


def to_the_end() -> Story:
    while True:
        yield thrifty_move


def later(millis: int, command: Callable[[Millis], Command]) -> Callable[[Match], Command]:
    return lambda match: command(Millis(match.at + millis))


def a_preset(name: str) -> Story:
    yield create(name, PRESETS[name], bots(PRESETS[name]))
    yield from to_the_end()


def a_series(name: str) -> Story:
    yield create(name, PRESETS["bornyu"], bots(PRESETS["bornyu"]), games=3)
    yield from to_the_end()


def a_draw(name: str) -> Story:
    ruleset = replace(PRESETS["dudak"], ply_limit=16)
    yield create(name, ruleset, bots(ruleset))
    yield from to_the_end()


def people(name: str, on_timeout: str) -> Story:
    """Ann creates a duel, Bob joins; both declare trumps."""
    seats = (SeatTerms("player", ANN, "Ann", nonce="a grain of salt"), SeatTerms("open"))
    yield create(name, PRESETS["duel"], seats, turn_seconds=60, on_timeout=on_timeout, creator=ANN, private=True)
    yield later(500, lambda at: DeclareTrump(at, ANN, Suit(2)))
    yield later(500, lambda at: TakeSeat(at, BOB, "Bob ♠", Suit(3), "pepper"))


def an_absence(name: str) -> Story:
    """One of them runs out of time, a bot stands in, the player comes back, and later resigns."""
    yield from people(name, "bot")
    yield thrifty_move
    yield later(MINUTE * 3 // 4, Expire)
    yield later(MINUTE // 4, Expire)
    yield thrifty_move
    yield lambda match: TakeSeat(Millis(match.at + 10), left(match), "back")
    yield thrifty_move
    yield later(700, lambda at: Resign(at, BOB))
    yield from to_the_end()


def left(match: Match) -> PlayerId:
    """Whoever a bot stands in for."""
    assert isinstance(match.state, PlayingMatch)
    return next(terms.player for terms in match.state.seats if terms.stand_in and terms.player is not None)


def a_forfeit(name: str) -> Story:
    yield from people(name, "forfeit")
    yield thrifty_move
    yield later(700, lambda at: Resign(at, ANN))


def nobody_came(name: str) -> Story:
    yield create(
        name, PRESETS["svoi-kozyri"], (SeatTerms("player", ANN, "Ann"), *(SeatTerms("open"),) * 3), creator=ANN
    )
    yield later(24 * 60 * MINUTE, Expire)


STORIES: dict[str, Callable[[str], Story]] = {
    **dict.fromkeys(PRESETS, a_preset),
    "series": a_series,
    "draw": a_draw,
    "absence": an_absence,
    "forfeit": a_forfeit,
    "aborted": nobody_came,
}


def told(name: str) -> tuple[list[StoredEntry], Match]:
    """The log of a story, and the match it leads to."""
    match, entries = EMPTY, []
    for command in STORIES[name](name):
        written, match = decided(match, command(match), f"{name}-{match.version + 1}")
        entries.append(written.entry)
        if is_over(match.state):
            break
    return entries, match


def outcome_of(match: Match) -> dict[str, Any]:
    """What a log must fold to, in facts that no later change of the views touches."""
    assert not isinstance(match.state, NoMatch)
    view = view_of(match, None)
    facts = ("status", "version", "updated_at", "game", "plies", "losses", "result", "out", "deal_result")
    hands = {str(seat["seat"]): " ".join(seat["known"]) for seat in view["seats"]}
    return {**{fact: dict(view)[fact] for fact in facts}, "hands": hands, "chain": match.chain}


def main() -> None:
    folder = LOGS / f"schema-{LATEST_SCHEMA}"
    folder.mkdir(exist_ok=True)
    results: dict[str, Any] = {}
    for name in STORIES:
        entries, match = told(name)
        with (folder / f"{name}.log").open("xb") as log:
            log.writelines(b"%s %s\n" % (entry.chain.encode(), entry.payload) for entry in entries)
        results[name] = outcome_of(match)
    with (folder / "results.json").open("x") as file:
        file.write(json.dumps(results, indent=1, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()
