"""`owntrumps verify`: is a record whole, fair and legal? No server is trusted."""

import json
import sys
from contextlib import nullcontext
from pathlib import Path
from typing import Annotated, Any, Final, NoReturn

import typer

LARGEST: Final = 64 * 1024 * 1024
"""Bytes of a record; a match of a hundred deals of 2,000 plies has 30 MB."""
JSON_START: Final = (b"{", b"[")


def verify(
    source: Annotated[str, typer.Argument(metavar="FILE|URL", help="A record, JSON or text; - is standard input.")],
    as_json: Annotated[bool, typer.Option("--json", help="Print the finding as JSON.")] = False,
) -> None:
    """Check a match's record: hash chain, deals from seed and nonces, legality of every play, result.

    Exit code 0 if all is right, 1 if something is wrong, 2 if the record cannot be read.
    """
    problems = _problems(_record(_read(source)))
    if as_json:
        typer.echo(json.dumps({"ok": not problems, **({"problems": problems} if problems else {})}))
    elif not problems:
        typer.echo("The record is whole, fair and legal.")
    else:
        for problem in problems:
            place = "" if problem["entry"] is None else f"entry {problem['entry']}: "
            typer.echo(f"{place}{problem['code']}: {problem['detail']}")
    raise typer.Exit(1 if problems else 0)


def _problems(record: Any) -> list[dict[str, Any]]:
    from owntrumps.record.verify import verify as verified

    return [problem.as_json() for problem in verified(record)]


def _read(source: str) -> bytes:
    """At most `LARGEST` bytes of a file, standard input or the address of a match or its record."""
    if source.startswith(("http://", "https://")):
        return _fetched(source)
    try:
        with nullcontext(sys.stdin.buffer) if source == "-" else Path(source).open("rb") as file:
            data = file.read(LARGEST + 1)
    except OSError as error:
        _unreadable(f"{source} cannot be read: {error.strerror}")
    if len(data) > LARGEST:
        _unreadable(f"{source} is larger than {LARGEST} bytes")
    return data


def _fetched(url: str) -> bytes:
    import httpx

    data = bytearray()
    try:
        headers = {"Accept": "application/json"}
        with httpx.stream("GET", url, headers=headers, follow_redirects=True, timeout=30) as response:
            if response.status_code != httpx.codes.OK:
                _unreadable(f"{url} answers {response.status_code}")
            for chunk in response.iter_bytes():
                data += chunk
                if len(data) > LARGEST:
                    _unreadable(f"{url} is larger than {LARGEST} bytes")
    except (httpx.HTTPError, httpx.InvalidURL) as error:
        _unreadable(f"{url} cannot be read: {error}")
    return bytes(data)


def _record(data: bytes) -> Any:
    """The record's JSON, whichever way it was written."""
    from owntrumps.record.text import RecordSyntaxError, parse_record

    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        _unreadable(f"byte {error.start} is not UTF-8")
    try:
        if data.lstrip().startswith(JSON_START) and not data.startswith(b"[Format"):
            return json.loads(text)
        return parse_record(text)
    except RecordSyntaxError as error:
        _unreadable(str(error))
    except json.JSONDecodeError as error:
        _unreadable(f"line {error.lineno}, column {error.colno}: {error.msg}")
    except (RecursionError, ValueError) as error:
        _unreadable(f"not JSON that can be read: {error}")


def _unreadable(why: str) -> NoReturn:
    typer.echo(why, err=True)
    raise typer.Exit(2)
