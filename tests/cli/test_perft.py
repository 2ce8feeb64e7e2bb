"""`owntrumps perft`: lines counted to every depth, with an exact error where a position is none."""

import json

import pytest

from tests.cli.program import VECTORS, lines_of, owntrumps
from tests.rules.positions import study, vectors


def test_every_vector_is_counted_alike_to_depth_four():
    done = owntrumps("perft", str(VECTORS / "own-trumps-perft.jsonl"), "--depth", "4")
    assert done.returncode == 0
    assert lines_of(done.stdout) == [{"perft": vector["perft"]} for vector in vectors("perft")]


def test_the_depth_says_how_many_counts():
    given = json.dumps(study()).encode()
    assert lines_of(owntrumps("perft", "--depth", "2", given=given).stdout) == [{"perft": [3, 4]}]
    assert lines_of(owntrumps("perft", "-", given=given).stdout) == [{"perft": [3]}]


def test_a_wrong_position_is_an_error_and_the_next_is_counted():
    positions = (study(pile=[]), study(out=[0]), study())
    given = b"".join(json.dumps(position).encode() + b"\n" for position in positions)
    done = owntrumps("perft", "--depth", "1", given=given)
    assert done.returncode == 1
    empty, out, right = lines_of(done.stdout)
    assert (empty["error"], empty["ply"]) == ("empty-pile", None)
    assert (out["error"], out["ply"]) == ("out-at-odds", None)
    assert right == {"perft": [3]}


@pytest.mark.parametrize("depth", ["0", "-1", "x", "1.5", ""])
def test_a_depth_is_a_whole_number_from_one(depth: str):
    done = owntrumps("perft", "--depth", depth)
    assert done.returncode == 2
    assert b"--depth" in done.stderr
    assert done.stdout == b""
