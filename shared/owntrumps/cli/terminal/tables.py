"""From what is wanted to a match: in this process, or on a server."""

from typing import Any, Final

import typer

from owntrumps.cli.terminal.addresses import MatchAddress
from owntrumps.cli.terminal.identity import identities_file, sign_in
from owntrumps.cli.terminal.levels import level_named
from owntrumps.cli.terminal.offline import OfflineGame
from owntrumps.cli.terminal.online import OnlineGame
from owntrumps.cli.terminal.wanted import OPEN, Wanted
from owntrumps.client import Client
from owntrumps.client.calls import Terms, Wishes
from owntrumps.rules.cards import parse_suit
from owntrumps.rules.rulesets import ruleset_from

FIRST_ANSWER_SECONDS: Final = 3.0
"""How long a server may stay away before anything has begun; later it has the client's whole minute."""


def offline_game(wanted: Wanted) -> OfflineGame:
    """A match against bots here.

    Raises LevelUnavailableError, RefusedError.
    """
    ruleset, name = ruleset_from(wanted.ruleset)
    levels = [(level, level_named(level)) for level in wanted.others]
    trump = None if wanted.trump is None else parse_suit(wanted.trump)
    return OfflineGame(
        ruleset, name, levels, name=wanted.name or "You", trump=trump, games=wanted.games, seed=wanted.seed
    )


def connected(url: str) -> Client:
    """A client of a server that answers; ClientError if it does not."""
    with Client(url, retry_for=FIRST_ANSWER_SECONDS) as probe:
        probe.rulesets()
    return Client(url)


def sit_down(client: Client, url: str, address: MatchAddress | None, wanted: Wanted, *, find: bool) -> MatchAddress:
    """Take a seat in that match, in one with strangers, or in a new one: where it is. Raises ClientError."""
    sign_in(client, url, wanted.name, identities_file())
    if address is not None:
        _join(client, address, wanted.trump)
        return address
    if find:
        typer.echo("Looking for people to play with …")
        wishes: Wishes = {} if wanted.trump is None else {"trump": wanted.trump}
        return MatchAddress(url, client.find_match(wanted.ruleset, **wishes))
    terms: Terms = {"games": wanted.games}
    if wanted.trump is not None:
        terms["trump"] = wanted.trump
    if wanted.seed is not None:
        terms["seed"] = wanted.seed
    view = client.create(wanted.ruleset, [{"kind": "me"}, *map(_seat, wanted.others)], **terms)
    return MatchAddress(url, view["id"], view.get("link"))


def online_game(client: Client, address: MatchAddress) -> OnlineGame:
    return OnlineGame(client, address.match, address.link)


def _seat(level: str) -> dict[str, Any]:
    return {"kind": "open"} if level == OPEN else {"kind": "bot", "level": level}


def _join(client: Client, address: MatchAddress, trump: str | None) -> None:
    """Sit down, unless one sits there already; come back where a bot stands in."""
    view = client.view(address.match, link=address.link)
    you = view["you"]
    if you is None or view["seats"][you]["stand_in"]:
        client.take_seat(address.match, trump=trump, link=address.link)
