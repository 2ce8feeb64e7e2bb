"""The moves that a player owes: in one list, or live, so that a bot needs one stream and not one for each match."""

from collections.abc import Collection, Generator
from typing import Any

import msgspec
from flask import Response

from owntrumps.game.moments import iso
from owntrumps.game.state import PlayingMatch
from owntrumps.game.terms import MatchId, PlayerId
from owntrumps.store.matches import load_match
from owntrumps.store.port import MatchReader, Player
from owntrumps.views.view import viewer_of
from owntrumps_api import live
from owntrumps_api.body import json_response
from owntrumps_api.live import HEARTBEAT, NDJSON, SSE, Message
from owntrumps_api.operations import Answers, Operations
from owntrumps_api.schemas import answers
from owntrumps_api.service import Service, service

turns = Operations("turns", __name__, description="The moves that the caller owes.")


@turns.operation(
    "GET",
    "/v1/me/turns",
    caller="player",
    answers={200: Answers(answers.Turns, "The matches that wait for the caller, longest first.", also=(SSE, NDJSON))},
    problems=["too-many-streams"],
)
def list_turns(caller: Player) -> Response:
    """The matches that wait for me

    `Accept: text/event-stream` or `application/x-ndjson` is live: first every match that waits now, then each that
    begins to. A stream that connects again begins with all that wait then, so it misses nothing.
    """
    kind = live.asked_format()
    if kind is not None:
        return live.live(kind, _turns(service(), caller.id))
    store = service().store
    owed = [_owed(store, match, caller.id) for match in store.turns_of(caller.id)]
    return json_response({"turns": [turn for turn in owed if turn is not None]})


def _owed(reader: MatchReader, id_: MatchId, player: PlayerId) -> dict[str, Any] | None:
    """What the player is to do in the match, None if it does not wait for them (any more)."""
    match = load_match(reader, id_, to_decide=False)
    state = match.state
    if not isinstance(state, PlayingMatch):
        return None
    position, seat = state.board.deal.position, viewer_of(state, player)
    if position.turn != seat or state.seats[seat].kind != "player":
        return None
    return {
        "match": id_,
        "version": match.version,
        "seat": seat,
        "game": state.score.game,
        "phase": position.phase,
        "ruleset": state.terms.ruleset_name,
        "deadline": None if state.clock is None else iso(state.clock.deadline),
        "updated_at": iso(match.at),
    }


def _turns(shared: Service, player: PlayerId) -> Generator[Message, None, None]:
    """Every turn that the player owes, once for each version at which it begins."""
    told: dict[MatchId, int] = {}
    with shared.hub.turns_of(player) as bell:
        news: Collection[MatchId] = ()
        while True:
            matches = news or shared.store.turns_of(player)
            for match in matches:
                turn = _owed(shared.store, match, player)
                if turn is None:
                    told.pop(match, None)
                elif told.get(match) != turn["version"]:
                    told[match] = turn["version"]
                    yield Message(msgspec.json.encode(turn), f"{match}:{turn['version']}")
            if not news:
                told = {match: version for match, version in told.items() if match in matches}
            if shared.hub.closing:
                yield live.cut("shutdown", None)
                return
            heard = bell.wait(shared.config.heartbeat)
            if not heard.rang:
                yield HEARTBEAT
            news = heard.news
