"""`python -m owntrumps_history`: run (the default), ratings-rebuild, check."""

import os
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Annotated, Final

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from owntrumps.archive.archive import Archive, open_archive
from owntrumps.archive.errors import ArchiveSchemaError, ArchiveUnavailableError
from owntrumps.process.logs import configure
from owntrumps.process.settings import ConfigError
from owntrumps.process.stopping import asked_to_stop
from owntrumps.store.connect import open_store
from owntrumps_history.checking import check as check_archive
from owntrumps_history.config import HistoryConfig, config_from
from owntrumps_history.rating import OpenSkillRater
from owntrumps_history.service import History

INTERRUPTED: Final = 130
"""The exit code after Ctrl-C, as shells have it."""

app = typer.Typer(
    name="owntrumps-history",
    help="Archives matches that are over. Settings come from the environment (OWNTRUMPS_DATABASE_URL and others).",
    add_completion=False,
    pretty_exceptions_enable=False,
)
StoreUrl = Annotated[
    str | None, typer.Option("--store", help="redis://…, unix://…, rediss://… or redis+cluster://…", show_default=False)
]
DatabaseUrl = Annotated[
    str | None, typer.Option("--database", help="postgresql://… or sqlite:////path", show_default=False)
]


@app.callback(invoke_without_command=True)
def default(context: typer.Context) -> None:
    """Run the service where no command is named."""
    if context.invoked_subcommand is None:
        run()


@app.command()
def run(store: StoreUrl = None, database: DatabaseUrl = None) -> None:
    """Work until SIGTERM or Ctrl-C; the batch at hand is finished."""
    config = _config(store, database, needs_store=True)
    configure(config.log_level)
    stop = asked_to_stop()
    opened, archive = open_store(config.store_url), _archive(config)
    history = History(opened, archive, config)
    history.metrics.serve(config.metrics_port)
    typer.echo("ready")  # for a supervisor that waits for it
    try:
        history.run(stop)
    finally:
        opened.close()
        archive.close()


@app.command("ratings-rebuild")
def ratings_rebuild(database: DatabaseUrl = None) -> None:
    """Write all ratings anew from the archived matches. May run beside a living service, which waits meanwhile.

    Interrupted, it changes nothing.
    """
    archive = _archive(_config(None, database, needs_store=False))
    with _told_and_closed(archive):
        rated = 0
        with _bar("Rating", archive.count()) as advance:
            for page in archive.rebuild_ratings(OpenSkillRater()):
                rated += page
                advance(page)
        typer.echo(f"{rated} matches read; their ratings are written anew")


@app.command()
def check(database: DatabaseUrl = None) -> None:
    """Fold every archived log, verify its hash chain, and compare rows and states with what it tells; exit code 1 if
    something is wrong."""
    archive = _archive(_config(None, database, needs_store=False))
    findings: Counter[str] = Counter()
    with _told_and_closed(archive):
        console = Console(stderr=True)
        with _bar("Checking", archive.count(), console) as advance:
            for report in check_archive(archive):
                findings[report.finding] += 1
                advance(1)
                if report.finding != "good":
                    console.print(f"{report.match}: {report.finding}: {report.detail}", highlight=False)
        typer.echo(", ".join(f"{count} {finding}" for finding, count in sorted(findings.items())) or "nothing archived")
    if findings.keys() - {"good"}:
        raise typer.Exit(1)


def _config(store: str | None, database: str | None, *, needs_store: bool) -> HistoryConfig:
    environment = dict(os.environ)
    if store is not None:
        environment["OWNTRUMPS_STORE_URL"] = store
    if database is not None:
        environment["OWNTRUMPS_DATABASE_URL"] = database
    try:
        return config_from(environment, needs_store=needs_store)
    except ConfigError as error:
        raise typer.BadParameter(str(error)) from None


def _archive(config: HistoryConfig) -> Archive:
    try:
        return open_archive(config.database_url, OpenSkillRater())
    except ValueError as error:
        raise typer.BadParameter(f"OWNTRUMPS_DATABASE_URL: {error}") from None


@contextmanager
def _told_and_closed(archive: Archive) -> Iterator[None]:
    """What stops a command becomes a line and an exit code."""
    try:
        yield
    except (ArchiveUnavailableError, ArchiveSchemaError) as error:
        typer.echo(f"the archive cannot be read: {error}", err=True)
        raise typer.Exit(2) from None
    except KeyboardInterrupt:
        raise typer.Exit(INTERRUPTED) from None
    finally:
        archive.close()


@contextmanager
def _bar(title: str, total: int, console: Console | None = None) -> Iterator[Callable[[int], None]]:
    """A progress bar on standard error, and what moves it on by so many steps."""
    columns = (TextColumn(title), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console or Console(stderr=True)) as bar:
        task = bar.add_task(title, total=total)
        yield lambda steps: bar.advance(task, steps)
