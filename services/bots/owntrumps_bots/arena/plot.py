"""The arena's picture: each entry's rate of lost deals with its interval."""

from importlib.util import find_spec
from pathlib import Path
from typing import Any


class PlotError(RuntimeError):
    """No picture can be drawn: matplotlib is not installed, or the file's kind is unknown to it."""


def check_drawable(file: Path) -> None:
    """PlotError if `draw` could not write this file's kind here: known before the deals are played."""
    if file.suffix not in {".png", ".svg"}:
        raise PlotError(f"{file} ends with neither .png nor .svg")
    if find_spec("matplotlib") is None:
        raise PlotError("a plot needs matplotlib: install owntrumps-bots[arena]")


def draw(report: dict[str, Any], file: Path) -> None:
    """Writes the picture as PNG or SVG, by the file's ending."""
    from matplotlib.figure import Figure

    rows = report["levels"]
    figure = Figure(figsize=(6.4, 0.9 + 0.6 * len(rows)), layout="constrained")
    axes = figure.subplots()
    places = range(len(rows), 0, -1)
    rates = [row["rate"] for row in rows]
    below = [row["rate"] - row["ci95"][0] for row in rows]
    above = [row["ci95"][1] - row["rate"] for row in rows]
    axes.barh(places, rates, height=0.6, color="#5b8c5a")
    axes.errorbar(rates, list(places), xerr=[below, above], fmt="none", ecolor="#222222", capsize=4)
    axes.axvline(1 / len(rows), color="#888888", linestyle=":", linewidth=1)
    axes.set_yticks(list(places), [row["level"] for row in rows])
    axes.set_xlim(0, max(row["ci95"][1] for row in rows) * 1.05 or 1)
    axes.set_xlabel("share of deals lost, 95% interval (dotted: equal strength)")
    axes.set_title(f"{report['ruleset']}, {report['deals']} deals, seed {report['seed']}")
    figure.savefig(file, dpi=150)
