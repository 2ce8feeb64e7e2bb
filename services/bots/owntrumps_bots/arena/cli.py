"""`owntrumps arena`: levels against each other over common deals, seats rotated."""

import json
import os
from pathlib import Path
from time import perf_counter
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from owntrumps.rules.rulesets import Ruleset, RulesetError, ruleset_from
from owntrumps_bots.arena.entries import entry_of
from owntrumps_bots.arena.plot import PlotError, check_drawable, draw
from owntrumps_bots.arena.ratings import ratings
from owntrumps_bots.arena.run import Arena, ResumeError, play_all
from owntrumps_bots.arena.tally import Played, level_rows
from owntrumps_bots.policies.levels import LevelError

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)


@app.command()
def arena(
    levels: Annotated[str, typer.Option(help="One level a seat: a,b,c,d. LEVEL@MS gives one its own time.")],
    ruleset: Annotated[str, typer.Option(help="A preset's name, or a ruleset as JSON.")] = "bornyu",
    deals: Annotated[int, typer.Option(min=1, help="Deals to play; each card deal is played from every seat.")] = 100,
    seed: Annotated[int, typer.Option(help="Same seed, same deals.")] = 1,
    budget_ms: Annotated[int | None, typer.Option(help="Thinking time a decision, for every level.")] = None,
    rounds: Annotated[int | None, typer.Option(min=1, help="Bound searches by rounds, so that runs repeat.")] = None,
    processes: Annotated[int, typer.Option(min=1, help="Deals played at once.")] = os.cpu_count() or 1,
    resume: Annotated[Path | None, typer.Option(help="Keep every deal in this file, and go on from it.")] = None,
    plot: Annotated[Path | None, typer.Option(help="Draw the rates into this .png or .svg file.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="JSON instead of a table.")] = False,
) -> None:
    """Let levels play each other: who loses how often, with what certainty, and how long they think."""
    try:
        rules, name = _ruleset(ruleset)
        entries = tuple(entry_of(text, budget_ms, rounds) for text in levels.split(","))
        if len(entries) != rules.seats:
            raise LevelError("bad-levels", f"{name} has {rules.seats} seats, but --levels names {len(entries)}")
        if plot is not None:
            check_drawable(plot)
        report = _report(name, Arena(rules, entries, deals, seed), processes, resume)
        if plot is not None:
            draw(report, plot)
    except (RulesetError, LevelError, ResumeError, PlotError, OSError) as error:
        typer.echo(f"arena: {error}", err=True)
        raise typer.Exit(2) from None
    if as_json:
        typer.echo(json.dumps(report))
    else:
        Console().print(_table(report))


def _ruleset(text: str) -> tuple[Ruleset, str]:
    """The ruleset of a name or of JSON; RulesetError if it is none."""
    if not text.lstrip().startswith("{"):
        return ruleset_from(text)
    try:
        return ruleset_from(json.loads(text))
    except json.JSONDecodeError as error:
        raise RulesetError("bad-ruleset", f"the ruleset is not JSON: {error}") from None


def _report(name: str, arena: Arena, processes: int, kept: Path | None) -> dict[str, Any]:
    """Plays the arena under a progress bar (on standard error) and adds it up."""
    begun = perf_counter()
    played: list[Played] = []
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task(f"{name}: {', '.join(entry.name for entry in arena.entries)}", total=arena.deals)
        for deal in play_all(arena, processes, kept):
            played.append(deal)
            progress.advance(task)
    rows = level_rows(arena.entries, arena.ruleset.seats, played)
    for row, rating in zip(rows, ratings(len(rows), played), strict=True):
        row["rating"] = rating
    return {
        "ruleset": name,
        "deals": len(played),
        "seed": arena.seed,
        "plies_per_deal": sum(deal.plies for deal in played) / len(played),
        "seconds": perf_counter() - begun,
        "levels": rows,
    }


def _table(report: dict[str, Any]) -> Table:
    table = Table(title=f"{report['ruleset']}, {report['deals']} deals, seed {report['seed']}")
    table.add_column("level", no_wrap=True)
    two = len(report["levels"]) == 2
    for heading in ("lost %", "95%", "drawn", *(("points %", "95%") if two else ()), "rating", "ms/play"):
        table.add_column(heading, justify="right", no_wrap=True)
    for row in report["levels"]:
        (low, high), (least, most) = row["ci95"], row["points_ci95"]
        table.add_row(
            row["level"],
            f"{100 * row['rate']:.1f}",
            f"{100 * low:.1f}-{100 * high:.1f}",
            str(row["drawn"]),
            *((f"{100 * row['points']:.1f}", f"{100 * least:.1f}-{100 * most:.1f}") if two else ()),
            f"{row['rating']['mu']:.1f}±{row['rating']['sigma']:.1f}",
            f"{row['ms_per_decision']:.2f}",
        )
    return table
