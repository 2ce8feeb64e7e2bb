"""The program: its own commands, and those that other distributions plug in.

A distribution plugs a command in by an entry point of the group ``owntrumps.cli`` that names a typer app. It is loaded
only when it is asked for (or listed in the help).
"""

from importlib.metadata import EntryPoint, entry_points
from typing import Any, Final

import typer
from typer.core import TyperGroup

from owntrumps.cli.export import export
from owntrumps.cli.perft import perft
from owntrumps.cli.play import play
from owntrumps.cli.referee import referee
from owntrumps.cli.serve import serve
from owntrumps.cli.verify import verify
from owntrumps.cli.watch import watch

PLUG_INS: Final = "owntrumps.cli"


class _Commands(TyperGroup):
    """The commands of this distribution and, by name, the plugged-in ones."""

    def list_commands(self, ctx: Any) -> list[str]:
        return [*super().list_commands(ctx), *sorted(_plug_ins().keys() - self.commands.keys())]

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        command = super().get_command(ctx, cmd_name)
        if command is None and cmd_name in _plug_ins():
            command = typer.main.get_command(_loaded(_plug_ins()[cmd_name]))
            command.name = cmd_name
        return command


def _plug_ins() -> dict[str, EntryPoint]:
    return {point.name: point for point in entry_points(group=PLUG_INS)}


def _loaded(point: EntryPoint) -> typer.Typer:
    """The plugged-in app or, where what it needs is not installed, one that says so: the other commands work on."""
    try:
        loaded = point.load()
    except ImportError as error:
        missing = str(error)
    else:
        if isinstance(loaded, typer.Typer):
            return loaded
        missing = f"{point.value} is no typer app"
    instead = typer.Typer()

    whatever = {"ignore_unknown_options": True, "allow_extra_args": True}

    @instead.command(help=f"Cannot be loaded: {missing}", context_settings=whatever)
    def unavailable() -> None:
        typer.echo(f"{point.name} cannot be loaded: {missing}", err=True)
        raise typer.Exit(2)

    return instead


app = typer.Typer(
    name="owntrumps",
    cls=_Commands,
    help="Own-trumps card games: bornyú, the duel and their kin.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)
app.command()(play)
app.command()(watch)
app.command()(referee)
app.command()(perft)
app.command()(verify)
app.command()(export)
app.command()(serve)


def main() -> None:
    """Run the command line of this process."""
    app()
