"""`python -m owntrumps_engine`: run (the default), rebuild, check."""

import os
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from owntrumps.game.terms import MatchId
from owntrumps.process.logs import configure
from owntrumps.process.settings import ConfigError
from owntrumps.process.stopping import asked_to_stop
from owntrumps.store.connect import open_store
from owntrumps.store.port import Store, StoreUnavailableError
from owntrumps_engine.config import EngineConfig, config_from
from owntrumps_engine.engine import Engine
from owntrumps_engine.maintenance import Report
from owntrumps_engine.maintenance import check as check_states
from owntrumps_engine.maintenance import rebuild as rebuild_states

INTERRUPTED = 130
"""The exit code after Ctrl-C, as shells have it."""

app = typer.Typer(
    name="owntrumps-engine",
    help="Decides the commands of all matches. Settings come from the environment (OWNTRUMPS_STORE_URL and others).",
    add_completion=False,
    pretty_exceptions_enable=False,
)
StoreUrl = Annotated[
    str | None, typer.Option("--store", help="redis://…, unix://…, rediss://… or redis+cluster://…", show_default=False)
]


@app.callback(invoke_without_command=True)
def default(context: typer.Context) -> None:
    """Run the engine where no command is named."""
    if context.invoked_subcommand is None:
        run()


@app.command()
def run(store: StoreUrl = None) -> None:
    """Work until SIGTERM or Ctrl-C; the batch at hand is finished."""
    config = _config(store)
    configure(config.log_level)
    stop = asked_to_stop()
    opened = open_store(config.store_url)
    engine = Engine(opened, config)
    engine.metrics.serve(config.metrics_port)
    typer.echo("ready")  # for a supervisor that waits for it
    try:
        engine.run(stop)
    finally:
        opened.close()


@app.command()
def rebuild(store: StoreUrl = None) -> None:
    """Drop every materialised state and write it anew from the log alone. May run beside living engines."""
    opened = open_store(_config(store).store_url)
    _maintain(opened, "Rebuilding", rebuild_states)


@app.command()
def check(store: StoreUrl = None) -> None:
    """Compare every state with its log and verify the hash chains; exit code 1 if something is wrong."""
    opened = open_store(_config(store).store_url)
    _maintain(opened, "Checking", check_states)


def _config(store: str | None) -> EngineConfig:
    environment = dict(os.environ)
    if store is not None:
        environment["OWNTRUMPS_STORE_URL"] = store
    try:
        return config_from(environment)
    except ConfigError as error:
        raise typer.BadParameter(str(error)) from None


def _maintain(store: Store, title: str, work: Callable[[Store, Sequence[MatchId]], Iterator[Report]]) -> None:
    """Go through all matches under a progress bar on standard error; a summary on standard output."""
    findings: Counter[str] = Counter()
    entries = 0
    code = 0
    bar = Progress(
        TextColumn(title),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
        console=Console(stderr=True),
    )
    try:
        matches = store.match_ids()
        with bar:
            task = bar.add_task(title, total=len(matches))
            for report in work(store, matches):
                findings[report.finding] += 1
                entries += report.entries
                bar.advance(task)
                if report.bad:
                    code = 1
                    bar.console.print(f"{report.match}: {report.finding}: {report.detail}", highlight=False)
    except KeyboardInterrupt:
        code = INTERRUPTED
    except StoreUnavailableError as error:
        typer.echo(f"the store cannot be reached: {error}", err=True)
        code = 2
    finally:
        store.close()
    listed = ", ".join(f"{count} {finding}" for finding, count in findings.most_common()) or "none"
    typer.echo(f"{findings.total()} matches ({listed}), {entries} entries{', interrupted' * (code == INTERRUPTED)}")
    raise typer.Exit(code)
