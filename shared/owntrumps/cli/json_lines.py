"""JSON Lines in, one line of JSON out for each, as they come: memory is bounded by the longest line allowed."""

import json
import os
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import IO, Any, Final, NoReturn

import typer

from owntrumps.rules.referee import RecordError
from owntrumps.rules.rulesets import RulesetError
from owntrumps.rules.study import StudyError

LONGEST_LINE: Final = 32 * 1024 * 1024
"""Bytes of one record; a longer line is an error of that record. A record of 2,000 plies has 0.3 MB."""
LONGEST_DETAIL: Final = 500
"""Characters of an error's detail: it quotes what it was given, and that may be anything."""


class _NotJsonError(ValueError):
    """What Python's reader would take, and JSON does not know."""


class _LineError(ValueError):
    def __init__(self, slug: str, detail: str) -> None:
        super().__init__(detail)
        self.slug = slug
        self.detail = detail


def answer_lines(source: str, answer: Callable[[Mapping[str, Any]], Mapping[str, Any]]) -> None:
    """Print the answer to every record of a file, or of standard input for ``-``; blank lines are skipped.

    A record that is wrong (its line, or what ``answer`` raises about it) is answered with
    ``{"error": slug, "ply": n or null, "detail": sentence}``, and for a wrong play ``legal``. Ends the command with
    exit code 1 if there was one, and with 2 if the file cannot be read or the answers cannot be written.
    """
    errors = False
    with _opened(source) as lines:
        for line in _lines(lines):
            if line.isspace():
                continue
            try:
                answered: Mapping[str, Any] = answer(_record(line))
            except (_LineError, RulesetError, StudyError) as error:
                errors = True
                answered = _error(error.slug, None, error.detail)
            except RecordError as error:
                errors = True
                answered = {**_error(error.slug, error.ply, error.detail), "legal": error.legal}
            except RecursionError:
                errors = True
                answered = _error("bad-json", None, "nested too deeply")
            _print(json.dumps(answered))
    if errors:
        raise typer.Exit(1)


def _print(line: str) -> None:
    try:
        sys.stdout.write(line + "\n")
        sys.stdout.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        with Path(os.devnull).open("wb") as nowhere:  # what is left in the buffer cannot be written at the end either
            os.dup2(nowhere.fileno(), sys.stdout.fileno())
        typer.echo(f"the answers cannot be written: {error.strerror}", err=True)
        raise typer.Exit(2) from None


def _error(slug: str, ply: int | None, detail: str) -> dict[str, Any]:
    if len(detail) > LONGEST_DETAIL:
        detail = detail[:LONGEST_DETAIL] + "…"
    return {"error": slug, "ply": ply, "detail": detail}


def _opened(source: str) -> AbstractContextManager[IO[bytes]]:
    if source == "-":
        return nullcontext(sys.stdin.buffer)
    try:
        return Path(source).open("rb")
    except OSError as error:
        typer.echo(f"{source} cannot be read: {error.strerror}", err=True)
        raise typer.Exit(2) from None


def _lines(stream: IO[bytes]) -> Iterator[bytes]:
    """The lines; of one that is too long only its beginning, one byte longer than allowed."""
    while line := stream.readline(LONGEST_LINE + 1):
        yield line
        while len(line) > LONGEST_LINE and not line.endswith(b"\n"):
            line = stream.readline(LONGEST_LINE + 1)


def _record(line: bytes) -> Mapping[str, Any]:
    if len(line) > LONGEST_LINE:
        raise _LineError("line-too-long", f"a record has at most {LONGEST_LINE} bytes")
    try:
        text = line.decode("utf-8")
    except UnicodeDecodeError as error:
        raise _LineError("not-utf-8", f"byte {error.start} of the line is not UTF-8") from None
    try:
        record = json.loads(text, parse_constant=_no_constant)
    except json.JSONDecodeError as error:
        raise _LineError("bad-json", f"{error.msg} at column {error.colno}") from None
    except _NotJsonError as error:
        raise _LineError("bad-json", str(error)) from None
    except ValueError:
        raise _LineError("bad-json", "a number has too many digits") from None
    if not isinstance(record, dict):
        raise _LineError("bad-record", f"a record is an object, not {record!r}")
    return record


def _no_constant(name: str) -> NoReturn:
    raise _NotJsonError(f"{name} is not JSON")
