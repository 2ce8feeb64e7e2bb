"""What `owntrumps export` writes: JSON Lines in one file, or Parquet in a folder of parts.

Both go on where they stopped.

A line of JSON is a match's record (docs/record.md) with ``seq``, ``created_at`` and ``ended_at`` before it; a row of
Parquet has the columns of `_columns`, the record as JSON text among them.
"""

import json
import os
import re
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any, BinaryIO, Final, Protocol

from owntrumps.archive.whole import WholeMatch
from owntrumps.game.moments import iso
from owntrumps.game.terms import Millis
from owntrumps.record.build import record_json
from owntrumps.store.codec import read_entry

PART_ROWS: Final = 5_000
"""Matches in a part of Parquet; so many are in memory, and lost from the work when it is interrupted."""
_TAIL_BYTES: Final = 64 * 1024
_PART: Final = re.compile(r"part-(\d{12})-(\d{12})\.parquet")


class NotAnExportError(ValueError):
    """Something else is where the export is to go."""


class Writer(Protocol):
    """Where matches go. ``after`` is the ``seq`` of the last match that is there for good."""

    after: int

    def write(self, seq: int, match: WholeMatch) -> None:
        """Add a match. DamagedLogError leaves everything as it was."""

    def close(self) -> None:
        """Make sure that all is there for good."""


def record_of(match: WholeMatch) -> dict[str, Any]:
    """The record of an archived match."""
    return record_json([read_entry(entry.payload, entry.chain) for entry in match.entries()])


class JsonLines:
    """One file. A line that an interruption left unfinished is cut off."""

    def __init__(self, path: Path) -> None:
        self._file = path.open("r+b") if path.exists() else path.open("w+b")
        try:
            end = _end_of_lines(self._file)
            self.after = _last_seq(self._file, end, path)
        except NotAnExportError:
            self._file.close()
            raise
        self._file.truncate(end)
        self._file.seek(end)

    def write(self, seq: int, match: WholeMatch) -> None:
        self._file.write(_line(seq, match).encode())

    def close(self) -> None:
        self._file.flush()
        os.fsync(self._file.fileno())
        self._file.close()


def _line(seq: int, match: WholeMatch) -> str:
    moments = {name: iso(Millis(match.match[name])) for name in ("created_at", "ended_at")}
    line = {"seq": seq, **moments, **record_of(match)}
    return json.dumps(line, ensure_ascii=False, separators=(",", ":")) + "\n"


def _end_of_lines(file: BinaryIO) -> int:
    """Where the last whole line ends."""
    position = file.seek(0, os.SEEK_END)
    while position:
        start = max(0, position - _TAIL_BYTES)
        file.seek(start)
        found = file.read(position - start).rfind(b"\n")
        if found >= 0:
            return start + found + 1
        position = start
    return 0


def _last_seq(file: BinaryIO, end: int, path: Path) -> int:
    """The ``seq`` of the last whole line, which is its first member; 0 for an empty file."""
    if not end:
        return 0
    position = end - 1
    line = b""
    while position and b"\n" not in line:
        start = max(0, position - _TAIL_BYTES)
        file.seek(start)
        line = file.read(position - start) + line
        position = start
    found = re.match(rb'\{"seq":(\d{1,18}),', line.rpartition(b"\n")[2])
    if found is None:
        raise NotAnExportError(f"{path} holds something else than an export")
    return int(found[1])


class Printed:
    """JSON Lines on standard output, from the beginning each time."""

    def __init__(self) -> None:
        self.after = 0

    def write(self, seq: int, match: WholeMatch) -> None:
        sys.stdout.write(_line(seq, match))

    def close(self) -> None:
        sys.stdout.flush()


class Parquet:
    """A folder of parts ``part-<first seq>-<last seq>.parquet``; each appears whole or not at all."""

    def __init__(self, folder: Path) -> None:
        import pyarrow as pa
        from pyarrow import parquet

        self._arrow = pa
        self._parquet = parquet
        self._schema = _columns(pa)
        self._folder = folder
        folder.mkdir(parents=True, exist_ok=True)
        names = [_PART.fullmatch(path.name) for path in folder.iterdir() if not path.name.endswith(".tmp")]
        if None in names:
            raise NotAnExportError(f"{folder} holds something else than an export")
        self.after = max((int(name[2]) for name in names if name is not None), default=0)
        self._rows: list[dict[str, Any]] = []

    def write(self, seq: int, match: WholeMatch) -> None:
        self._rows.append(_row(seq, match))
        if len(self._rows) == PART_ROWS:
            self._write_part()

    def close(self) -> None:
        if self._rows:
            self._write_part()

    def _write_part(self) -> None:
        first, last = self._rows[0]["seq"], self._rows[-1]["seq"]
        part = self._folder / f"part-{first:012}-{last:012}.parquet"
        unfinished = part.with_suffix(".tmp")
        table = self._arrow.Table.from_pylist(self._rows, schema=self._schema)
        self._parquet.write_table(table, unfinished, compression="zstd")
        unfinished.replace(part)
        self._rows = []
        self.after = last


_PLAIN: Final = (
    *("ruleset_name", "status", "private", "imported", "created_at", "ended_at"),
    *("version", "games", "plies", "draw", "forfeit", "aborted"),
)


def _row(seq: int, match: WholeMatch) -> dict[str, Any]:
    row: Mapping[str, Any] = match.match
    return {
        "seq": seq,
        "id": match.id,
        **{name: row[name] for name in _PLAIN},
        "seats": [dict(seat) for seat in match.seats],
        "record": json.dumps(record_of(match), ensure_ascii=False, separators=(",", ":")),
    }


def _columns(arrow: Any) -> Any:
    moment = arrow.timestamp("ms", tz="UTC")
    seat = arrow.struct(
        [
            ("seat", arrow.int8()),
            ("player", arrow.string()),
            ("name", arrow.string()),
            ("level", arrow.string()),
            ("losses", arrow.int32()),
            ("loser", arrow.bool_()),
            ("forfeit", arrow.bool_()),
            ("stand_in", arrow.bool_()),
        ]
    )
    return arrow.schema(
        [
            ("seq", arrow.int64()),
            ("id", arrow.string()),
            ("ruleset_name", arrow.string()),
            ("status", arrow.string()),
            ("private", arrow.bool_()),
            ("imported", arrow.bool_()),
            ("created_at", moment),
            ("ended_at", moment),
            ("version", arrow.int32()),
            ("games", arrow.int32()),
            ("plies", arrow.int32()),
            ("draw", arrow.string()),
            ("forfeit", arrow.bool_()),
            ("aborted", arrow.string()),
            ("seats", arrow.list_(seat)),
            ("record", arrow.string()),
        ]
    )
