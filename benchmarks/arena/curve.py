"""Draws strength against search from an arena's JSON reports named ``…-ROUNDS.json``.

python benchmarks/arena/curve.py OUT.svg REPORT-64.json REPORT-256.json …
"""

import json
import sys
from pathlib import Path

from matplotlib.figure import Figure


def main() -> None:
    out, *files = map(Path, sys.argv[1:])
    points = []
    for file in files:
        row = json.loads(file.read_text(encoding="utf-8"))["levels"][0]
        points.append((int(file.stem.rsplit("-", 1)[1]), row["rate"], *row["ci95"]))
    points.sort()
    rounds, rates, lows, highs = zip(*points, strict=True)
    figure = Figure(figsize=(6, 3.6), layout="constrained")
    axes = figure.subplots()
    below = [rate - low for rate, low in zip(rates, lows, strict=True)]
    above = [high - rate for rate, high in zip(rates, highs, strict=True)]
    axes.errorbar(rounds, rates, yerr=[below, above], marker="o", capsize=4, color="#2f6f4f")
    axes.set_xscale("log", base=2)
    axes.set_xticks(rounds, [f"{count:,}" for count in rounds])
    axes.set_ylim(0)
    axes.set_xlabel("rounds a decision")
    axes.set_ylabel("share of deals lost, 95% interval")
    axes.grid(alpha=0.3)
    figure.savefig(out)


if __name__ == "__main__":
    main()
