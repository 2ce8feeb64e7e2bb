"""Those who come from outside: the bot of the documentation and people at a terminal, at a running system."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from owntrumps.client import Client
from tests.cli.program import PROGRAM
from tests.house.repository import ROOT

pytestmark = [pytest.mark.server, pytest.mark.slow]

BOT = ROOT / "docs" / "examples" / "outside_bot.py"


@pytest.mark.parametrize("ruleset", ["bornyu", "duel"])
def test_the_bot_of_the_documentation_plays_a_whole_match(system, ruleset: str):
    done = subprocess.run(
        [sys.executable, BOT, system.url, ruleset], capture_output=True, text=True, check=False, timeout=120
    )
    assert done.returncode == 0, done.stderr
    assert re.fullmatch(r"\{'(losers|draw)': .*\}\n", done.stdout)


def test_that_bot_has_fewer_than_forty_lines():
    assert len(BOT.read_text().splitlines()) < 40


def at_terminal(home: Path, *arguments: str, given: str = "") -> str:
    """What the program shows somebody who types these lines, with a settings folder of their own."""
    done = subprocess.run(
        [*PROGRAM, *arguments],
        input=given,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
        env={"XDG_CONFIG_HOME": str(home), "LANG": "C.UTF-8"},
    )
    assert done.returncode == 0, done.stderr + done.stdout
    return done.stdout


def test_a_match_at_the_terminal_can_be_left_come_back_to_and_watched(system, tmp_path: Path):
    # Given a match that was left at its first move
    ruleset = '{"base": "duel", "ply_limit": 20}'
    left = at_terminal(tmp_path, "play", "--server", system.url, "--ruleset", ruleset, "--name", "Anna", given="q\n")
    link = re.findall(r"--match '([^']+)'", left)[0]
    assert link.startswith(f"{system.url}/#/m/")
    # When Anna comes back and plays on
    moves = "".join(f"{choice}\n\n" for choice in ["1", "t"] * 60)
    played = at_terminal(tmp_path, "play", "--match", link, given=moves)
    # Then it ends, and others can look at it
    assert played.splitlines()[-1].endswith(("the match.", "too long."))
    watched = at_terminal(tmp_path / "other", "watch", link, "--faces", "hungarian")
    assert "Anna" in watched
    with Client(system.url) as client:
        view = client.view(link.rpartition("/")[2])
    assert view["status"] == "finished"
    assert [seat["name"] for seat in view["seats"]] == ["Anna", "greedy"]
