"""`owntrumps serve`: the whole system on this machine, with an embedded store."""

import asyncio
import sys
from pathlib import Path
from typing import Annotated

import typer


def serve(
    port: Annotated[int, typer.Option(min=1, max=65535, help="Where the page and the API are served.")] = 8000,
    data: Annotated[Path, typer.Option(help="The folder that everything is kept in.")] = Path(".data"),
    bots: Annotated[int, typer.Option(min=0, max=64, help="Worker processes for each bot level.")] = 1,
    host: Annotated[
        str, typer.Option(help="The address to listen on; 0.0.0.0: every one of this machine.")
    ] = "127.0.0.1",
) -> None:
    """Serve everything from this machine until Ctrl-C: page, API, engine, bots, history and an embedded store."""
    try:
        from owntrumps.supervisor.folder import DataFolder, FolderError
        from owntrumps.supervisor.machine import MachineError, Settings, check_installed
        from owntrumps.supervisor.machine import serve as serve_machine
    except ImportError as error:
        typer.echo(f"this needs more than is installed ({error}): pip install 'owntrumps[serve]'", err=True)
        raise typer.Exit(2) from None
    try:
        check_installed()
        settings = Settings(DataFolder.at(data), host, port, bots)
        asyncio.run(serve_machine(settings, _tell))
    except (FolderError, MachineError) as error:
        typer.echo(str(error), err=True)
        raise typer.Exit(1) from None


def _tell(line: str) -> None:
    typer.echo(line)
    sys.stdout.flush()
