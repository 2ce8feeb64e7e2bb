"""`owntrumps play`: a match in the terminal, against bots in this process or on a server."""

from contextlib import suppress
from typing import TYPE_CHECKING, Annotated

import typer

from owntrumps.cli.terminal.addresses import AddressError, MatchAddress, match_address
from owntrumps.cli.terminal.faces import FaceName
from owntrumps.cli.terminal.wanted import (
    OPEN,
    Manner,
    Wanted,
    WantedError,
    others_given,
    ruleset_given,
    seed_given,
    trump_given,
)
from owntrumps.rules.rulesets import PRESETS

if TYPE_CHECKING:
    from owntrumps.cli.terminal.game import Game


def play(
    server: Annotated[
        str | None, typer.Option(metavar="URL", help="Play there; without it, here against bots.")
    ] = None,
    ruleset: Annotated[
        str, typer.Option(metavar="NAME", help=f"{', '.join(PRESETS)}; or an object of parameters as JSON.")
    ] = "bornyu",
    bots: Annotated[
        str, typer.Option(metavar="LEVEL,…", help="One level for all other seats or one each; open: for whoever comes.")
    ] = "greedy",
    trump: Annotated[str | None, typer.Option(metavar="c|d|h|s", help="Your trumps, where they are chosen.")] = None,
    games: Annotated[int, typer.Option(min=1, max=100, help="Deals.")] = 1,
    name: Annotated[str | None, typer.Option(help="Yours.")] = None,
    match: Annotated[str | None, typer.Option(metavar="ID|URL", help="Join, or come back to, this match.")] = None,
    find: Annotated[bool, typer.Option("--find", help="Look for people to play with on the server.")] = False,
    faces: Annotated[FaceName, typer.Option(help="How cards are named.")] = "french",
    quick: Annotated[bool, typer.Option("--quick", help="Send moves without another Enter.")] = False,
    seed: Annotated[str | None, typer.Option(metavar="HEX", help="64 hex digits: the same cards again.")] = None,
) -> None:
    """Play a match in the terminal: against bots here, or on a server."""
    try:
        given = ruleset_given(ruleset)
        wanted = Wanted(given, others_given(bots, given), trump_given(trump), games, name, seed_given(seed))
        address = None if match is None else match_address(match, server)
    except (WantedError, AddressError) as error:
        raise typer.BadParameter(str(error)) from None
    url = address.server if address is not None else server
    if url is None and (find or OPEN in wanted.others):
        raise typer.BadParameter("people are met on a server: add --server URL")
    manner = Manner(faces, quick)
    if url is None:
        _play_here(wanted, manner)
    else:
        _play_there(url.rstrip("/"), address, wanted, manner, find=find)


def _play_here(wanted: Wanted, manner: Manner) -> None:
    from owntrumps.cli.terminal.game import RefusedError
    from owntrumps.cli.terminal.levels import LevelUnavailableError
    from owntrumps.cli.terminal.tables import offline_game

    try:
        game = offline_game(wanted)
    except (LevelUnavailableError, RefusedError) as error:
        raise typer.BadParameter(str(error)) from None
    if not _to_the_end(game, manner):
        typer.echo("You have left the table.")


def _play_there(url: str, address: MatchAddress | None, wanted: Wanted, manner: Manner, *, find: bool) -> None:
    from owntrumps.cli.terminal.tables import connected, online_game, sit_down
    from owntrumps.client import ClientError

    try:
        with connected(url) as client:
            address = sit_down(client, url, address, wanted, find=find)
            typer.echo(f"Match {address.match}: {address.page}")
            if not _to_the_end(online_game(client, address), manner):
                typer.echo(f"The match goes on. To come back: owntrumps play --match '{address.page}'")
    except ClientError as error:
        typer.echo(str(error), err=True)
        raise typer.Exit(1) from None


def _to_the_end(game: "Game", manner: Manner) -> bool:
    """Play until the match is over; False if the person left."""
    from rich.console import Console

    from owntrumps.cli.terminal.screen import Screen
    from owntrumps.cli.terminal.session import LeftError, Session

    with suppress(ImportError):
        import readline  # noqa: F401 - from now on input() lets one edit the line
    console = Console(highlight=False, emoji=False)
    try:
        Session(game, Screen(console, manner.faces), input, quick=manner.quick).run()
    except (LeftError, KeyboardInterrupt):
        console.print()
        return False
    return True
