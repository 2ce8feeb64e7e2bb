"""The example of docs/ trains: its weights beat random by far."""

import runpy
from pathlib import Path

import numpy as np

EXAMPLE = runpy.run_path(str(Path(__file__).parents[2] / "docs/examples/train_linear.py"))


def test_weights_that_prefer_low_cards_and_keep_trumps_beat_random() -> None:
    share = EXAMPLE["play"](np.array([0, -1, -1, 0, 0, 0], np.float32), deals=20, seed=5)
    assert share >= 0.8


def test_the_example_runs_from_its_command_line(capsys) -> None:
    share = EXAMPLE["main"](["--generations", "1", "--deals", "4"])
    assert 0 <= share <= 1
    assert "trained:" in capsys.readouterr().out
