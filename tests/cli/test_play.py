"""`owntrumps play` in a process of its own: piped, in a terminal without colour, with options that cannot be."""

import os
import pty
import re
import select
import subprocess
from pathlib import Path

import pytest

from tests.cli.program import PROGRAM, owntrumps
from tests.cli.terminals import SEED

SHORT = '{"base": "duel", "ply_limit": 40}'


def test_a_match_against_real_bots_is_played_through_a_pipe():
    lines = "".join(f"{choice}\n\n" for choice in ["1", "t"] * 200).encode()
    done = owntrumps("play", "--ruleset", SHORT, "--bots", "greedy", "--seed", SEED, "--trump", "h", given=lines)
    assert done.returncode == 0, done.stderr.decode()
    assert "the match" in done.stdout.decode().splitlines()[-1].lower()
    assert "\x1b" not in done.stdout.decode()


def test_one_may_leave_at_any_time():
    for given in (b"q\n", b""):
        done = owntrumps("play", "--ruleset", "duel", "--seed", SEED, given=given)
        assert done.returncode == 0
        assert b"You have left the table." in done.stdout
        assert done.stderr == b""


class Terminal:
    """The program behind a pseudo-terminal."""

    def __init__(self, *arguments: str, **environment: str) -> None:
        self._master, slave = pty.openpty()
        kept = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
        self.process = subprocess.Popen(
            [*PROGRAM, *arguments], stdin=slave, stdout=slave, stderr=slave, env={**kept, **environment}
        )
        os.close(slave)
        self.shown = b""

    def type(self, text: str) -> None:
        os.write(self._master, text.encode())

    def until(self, pattern: str) -> str:
        """Wait until what has been shown since the last call has the pattern; that text."""
        found = b""
        while re.search(pattern, found.decode(errors="replace")) is None:
            ready, _, _ = select.select([self._master], [], [], 30)
            assert ready, f"{pattern} was not shown in time, but: {found.decode(errors='replace')}"
            found += os.read(self._master, 4096)
        self.shown += found
        return found.decode(errors="replace")

    def close(self) -> None:
        self.process.wait(timeout=30)
        os.close(self._master)


@pytest.mark.parametrize(
    ("environment", "colour", "ascii_only"),
    [
        ({"TERM": "xterm-256color", "LANG": "C.UTF-8"}, True, False),
        ({"TERM": "xterm-256color", "LANG": "C.UTF-8", "NO_COLOR": "1"}, False, False),
        ({"TERM": "dumb", "LANG": "C.UTF-8"}, False, False),
        ({"TERM": "vt100", "PYTHONIOENCODING": "ascii", "NO_COLOR": "1"}, False, True),
    ],
)
def test_any_terminal_will_do(environment: dict[str, str], colour: bool, ascii_only: bool):
    terminal = Terminal("play", "--ruleset", "svoi-kozyri", "--seed", SEED, **environment)
    terminal.until(r"> $")
    terminal.type("1\r")
    assert "u takes it back" in terminal.until(r"u takes it back[^>]*> $")
    terminal.type("u\r")
    terminal.until(r"> $")
    terminal.type("q\r")
    terminal.until("You have left the table")
    terminal.close()
    assert terminal.process.returncode == 0
    assert (b"\x1b[31m" in terminal.shown) == colour
    assert terminal.shown.isascii() == ascii_only


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--ruleset", "whist"], "'whist' is not a ruleset"),
        (["--bots", "genius"], "'genius' is not a level"),
        (["--bots", "greedy,greedy"], "not 2"),
        (["--bots", "open"], "--server"),
        (["--find"], "--server"),
        (["--trump", "x", "--ruleset", "duel"], "'x' is not a suit"),
        (["--trump", "h"], "turned"),
        (["--seed", "12"], "64 hex digits"),
        (["--match", "nonsense"], "neither a match's id nor a link"),
        (["--faces", "tarot"], "--faces"),
        (["--games", "0"], "--games"),
    ],
)
def test_an_option_that_cannot_be_is_refused(arguments: list[str], words: str):
    done = owntrumps("play", *arguments)
    assert done.returncode == 2
    told = re.sub(r"[│\s]+", " ", done.stderr.decode())
    assert words in told


@pytest.mark.parametrize("command", [["play", "--server", "{url}"], ["watch", "{url}/#/m/07-abcdefghijkl"]])
def test_a_server_that_is_not_there_is_an_error_in_words(command: list[str], tmp_path: Path):
    done = subprocess.run(
        [*PROGRAM, *(part.format(url="http://127.0.0.1:1") for part in command)],
        capture_output=True,
        check=False,
        timeout=60,
        env={**os.environ, "XDG_CONFIG_HOME": str(tmp_path)},
    )
    assert done.returncode == 1
    assert b"http://127.0.0.1:1" in done.stderr
    assert b"Traceback" not in done.stderr
    assert list(tmp_path.iterdir()) == []
