"""`owntrumps export`: archived matches for research and safe-keeping."""

from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final, Literal, NoReturn

import typer

if TYPE_CHECKING:
    from owntrumps.archive.archive import Archive
    from owntrumps.archive.whole import WholeMatch
    from owntrumps.cli.exported import Writer
    from owntrumps.game.terms import Millis

INTERRUPTED: Final = 130
"""The exit code after Ctrl-C, as shells have it."""
STANDARD_OUTPUT: Final = Path("-")
_PAGE: Final = 50
"""Matches read at a time."""

Format = Literal["jsonl", "parquet"]


def export(
    out: Annotated[
        Path,
        typer.Argument(
            metavar="FILE|FOLDER",
            help="A file for JSON Lines, a folder for Parquet; - is standard output (JSON Lines, from the beginning).",
        ),
    ] = STANDARD_OUTPUT,
    database: Annotated[
        str | None,
        typer.Option(
            envvar="OWNTRUMPS_DATABASE_URL",
            help="Where the archive is: postgresql://… or sqlite:////path; else that of --data.",
            show_default=False,
        ),
    ] = None,
    data: Annotated[Path, typer.Option(help="The folder of `owntrumps serve`.")] = Path(".data"),
    format_: Annotated[Format, typer.Option("--format", help="JSON Lines, or Parquet (needs pyarrow).")] = "jsonl",
    since: Annotated[
        str | None, typer.Option(help="Only matches that ended at this day or moment (UTC) or later: 2026-03-01")
    ] = None,
    everything: Annotated[
        bool, typer.Option("--all", help="Private matches and imported records too; else public ones played here.")
    ] = False,
) -> None:
    """Write archived matches, whole, in the archive's order; the same call again goes on where it stopped.

    Exit code 0 if all are there, 1 if some are damaged and were left out, 2 if it cannot be done.
    """
    try:
        from owntrumps.archive.archive import open_archive
        from owntrumps.archive.errors import ArchiveSchemaError, ArchiveUnavailableError
        from owntrumps.cli.exported import JsonLines, NotAnExportError, Parquet, Printed
    except ImportError as error:
        _give_up(f"this needs more than is installed ({error}): pip install 'owntrumps[export]'")
    moment = None if since is None else _moment(since)
    if out == STANDARD_OUTPUT and format_ == "parquet":
        _give_up("Parquet goes into a folder, not to standard output")
    try:
        with closing(open_archive(database or _embedded(data))) as archive:
            if out == STANDARD_OUTPUT:
                writer: Writer = Printed()
            else:
                writer = JsonLines(out) if format_ == "jsonl" else Parquet(out)
            written, damaged = _export(archive, writer, moment, everything=everything)
    except (ArchiveUnavailableError, ArchiveSchemaError) as error:
        _give_up(f"the archive cannot be read: {error}")
    except (NotAnExportError, ValueError) as error:
        _give_up(str(error))
    except ImportError as error:
        _give_up(f"Parquet needs pyarrow ({error}): pip install 'owntrumps[export]'")
    except OSError as error:
        _give_up(f"{out} cannot be written: {error.strerror}")
    except KeyboardInterrupt:
        typer.echo("interrupted: the same call goes on where this one stopped", err=True)
        raise typer.Exit(INTERRUPTED) from None
    told = f"{written} matches exported" + (f", {damaged} damaged ones left out" if damaged else "")
    typer.echo(told, err=out == STANDARD_OUTPUT)
    if damaged:
        raise typer.Exit(1)


def _export(archive: "Archive", writer: "Writer", since: "Millis | None", *, everything: bool) -> tuple[int, int]:
    """Write all that is left under a progress bar; how many matches were written, and how many are damaged."""
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    from owntrumps.archive.errors import DamagedLogError

    columns = (TextColumn("Exporting"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(), TimeRemainingColumn())
    written, damaged = 0, 0
    with closing(writer), Progress(*columns, console=Console(stderr=True)) as bar:
        task = bar.add_task("Exporting", total=archive.count(after=writer.after, since=since))
        for seq, match in _matches(archive, writer.after, since):
            if everything or not (match.match["private"] or match.match["imported"]):
                try:
                    writer.write(seq, match)
                    written += 1
                except DamagedLogError as error:
                    damaged += 1
                    bar.console.print(f"{match.id}: damaged: {error}", highlight=False)
            bar.advance(task)
    return written, damaged


def _matches(archive: "Archive", after: int, since: "Millis | None") -> "Iterator[tuple[int, WholeMatch]]":
    while page := archive.page(after=after, limit=_PAGE, since=since):
        yield from page
        after = page[-1][0]


def _embedded(data: Path) -> str:
    """The database of one machine's data folder."""
    file = (data / "history.sqlite3").absolute()
    if not file.exists():
        _give_up(f"there is no archive in {data}: say where it is with --database or --data")
    return f"sqlite:///{file}"


def _moment(text: str) -> "Millis":
    """Milliseconds of a day or a moment, in UTC where it names no zone."""
    from owntrumps.game.terms import Millis

    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        _give_up(f"--since is a day or a moment such as 2026-03-01 or 2026-03-01T12:00:00Z, not {text!r}")
    zoned = moment if moment.tzinfo is not None else moment.replace(tzinfo=UTC)
    return Millis(int(zoned.timestamp() * 1000))


def _give_up(reason: str) -> NoReturn:
    typer.echo(reason, err=True)
    raise typer.Exit(2)
