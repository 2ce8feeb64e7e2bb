"""`owntrumps watch`: a match on a server, told as it happens."""

from typing import Annotated

import typer

from owntrumps.cli.terminal.addresses import AddressError, match_address
from owntrumps.cli.terminal.faces import FaceName


def watch(
    match: Annotated[str, typer.Argument(metavar="URL|MATCH", help="A link to the match, or its id.")],
    server: Annotated[str | None, typer.Option(metavar="URL", help="Where an id belongs.")] = None,
    faces: Annotated[FaceName, typer.Option(help="How cards are named.")] = "french",
) -> None:
    """Watch a match as a spectator: what happens, and the table after each take."""
    from rich.console import Console

    from owntrumps.cli.terminal.online import OnlineGame
    from owntrumps.cli.terminal.screen import Screen
    from owntrumps.cli.terminal.session import watch as follow
    from owntrumps.cli.terminal.tables import connected
    from owntrumps.client import ClientError

    try:
        address = match_address(match, server)
    except AddressError as error:
        raise typer.BadParameter(str(error)) from None
    try:
        with connected(address.server) as client:
            follow(
                OnlineGame(client, address.match, address.link), Screen(Console(highlight=False, emoji=False), faces)
            )
    except ClientError as error:
        typer.echo(str(error), err=True)
        raise typer.Exit(1) from None
