"""The text record: headers, then one line an entry, for people to read and programs to check. See docs/record.md.

    [Format "owntrumps-record/1"]
    [Match "07-4k2…"]
    …

    1 2026-03-01T12:00:00.250Z match-created{…} match-started{…} deal-dealt{…} #<chain hash>
    2 2026-03-01T12:00:01.000Z 0>7c #…
    3 2026-03-01T12:00:02.000Z 1xKc 1>9h #…
    4 2026-03-01T12:00:03.000Z 2^7c,Kc,9h #…

`0>7c`: seat 0 leads; `1xKc`: seat 1 beats; `2^…`: seat 2 takes these cards (bottom to top); `name{…}`: any other event
with its fields as JSON. Nothing is lost: `parse_record` gives back the JSON record. Headers repeat what the entries say
and must agree with them.
"""

import json
import re
from collections.abc import Iterator
from typing import Any, Final, NoReturn

from owntrumps.game.evolve import CorruptLogError
from owntrumps.game.log import Entry
from owntrumps.record.build import FORMAT, record_json
from owntrumps.store.codec import canonical_json, entry_of
from owntrumps.store.json_values import MalformedDataError
from owntrumps.store.upcasts import UnknownSchemaError

_HEADER = re.compile(r'\[([A-Z][A-Za-z0-9]*) ("(?:[^"\\]|\\.)*")\]')
_NUMBER = re.compile(r"[1-9][0-9]{0,8}")
_MOMENT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z")
_SCHEMA = re.compile(r"schema=([1-9][0-9]{0,3})")
_PLAY = re.compile(r"([0-9])([>x])([2-9TJQKA][cdhs])(?= )")
_TAKE = re.compile(r"([0-9])\^([2-9TJQKA][cdhs](?:,[2-9TJQKA][cdhs])*)(?= )")
_NAME = re.compile(r"[a-z]+(?:-[a-z]+)*(?=\{)")
_CHAIN = re.compile(r"#([0-9a-f]*)")
_TYPE_OF: Final = {">": "card-led", "x": "top-beaten"}
_SIGN_OF: Final = {name: sign for sign, name in _TYPE_OF.items()}
_JSON = json.JSONDecoder()


class RecordSyntaxError(ValueError):
    """A text that is no record: where (line and column from 1), and what was expected there."""

    def __init__(self, line: int, column: int, expected: str) -> None:
        super().__init__(f"line {line}, column {column}: expected {expected}")
        self.line = line
        self.column = column
        self.expected = expected


def record_text(record: dict[str, Any]) -> str:
    """The text of a record's JSON (as `record_json` makes it)."""
    headers = [f"[{name} {json.dumps(value, ensure_ascii=False)}]" for name, value in _headers(record)]
    return "\n".join([*headers, "", *map(_entry_line, record["entries"])]) + "\n"


def parse_record(text: str) -> dict[str, Any]:
    """The JSON record of a text; RecordSyntaxError for a text that is none, or whose headers contradict its log."""
    lines = [line.removesuffix("\r") for line in text.split("\n")]
    headers: list[tuple[str, str, int]] = []
    entries: list[Entry] = []
    for number, line in enumerate(lines, start=1):
        if line.startswith("[") and not entries:
            headers.append((*_read_header(line, number), number))
        elif line.strip() and not line.startswith(";"):
            entries.append(_read_entry(line, number))
    if not entries:
        raise RecordSyntaxError(len(lines), 1, "an entry such as '1 2026-03-01T12:00:00.000Z match-created{…} #…'")
    try:
        record = record_json(entries)
    except (CorruptLogError, LookupError, ValueError, StopIteration) as error:
        raise RecordSyntaxError(len(lines), 1, f"entries that follow from each other ({error})") from None
    _check_headers(headers, record)
    return record


def _headers(record: dict[str, Any]) -> Iterator[tuple[str, str]]:
    yield "Format", record["format"]
    yield "Match", record["match"]
    yield "Ruleset", record["ruleset"]["name"]
    yield "Parameters", _compact({name: value for name, value in record["ruleset"].items() if name != "name"})
    yield "Games", str(record["games"])
    for seat in record["seats"]:
        yield f"Seat{seat['seat']}", _seat_text(seat)
    yield "Losses", " ".join(map(str, record["losses"]))
    yield "Result", "*" if record["result"] is None else _compact(record["result"])
    yield "Commitment", record["fairness"]["commitment"]
    yield "Seed", record["fairness"]["seed"] or "*"
    yield "Nonces", _compact(record["fairness"]["nonces"])
    yield "Chain", record["chain"]


def _compact(value: object) -> str:
    return canonical_json(value).decode()


def _seat_text(seat: dict[str, Any]) -> str:
    trump = "?" if seat["trump"] is None else seat["trump"]
    level = f" ({seat['level']})" if seat["level"] else ""
    return f"{trump} {seat['kind']}{level} {seat['name'] or ''}".rstrip()


def _entry_line(entry: dict[str, Any]) -> str:
    schema = [] if entry["schema"] == 1 else [f"schema={entry['schema']}"]
    events = [event_text(event) for event in entry["events"]]
    return " ".join([str(entry["version"]), entry["at"], *schema, *events, f"#{entry['chain']}"])


def event_text(event: dict[str, Any]) -> str:
    """One event's JSON in the words of the text record."""
    match event:
        case {"type": "card-led" | "top-beaten" as name, "seat": seat, "card": card}:
            return f"{seat}{_SIGN_OF[name]}{card}"
        case {"type": "pile-taken", "seat": seat, "cards": cards}:
            return f"{seat}^{','.join(cards)}"
        case _:
            return str(event["type"]) + _compact({name: value for name, value in event.items() if name != "type"})


def _read_header(line: str, number: int) -> tuple[str, str]:
    match = _HEADER.fullmatch(line)
    if match is None:
        raise RecordSyntaxError(number, 1, 'a header such as [Match "07-4k2"]')
    try:
        value: str = json.loads(match[2])
    except json.JSONDecodeError as error:
        raise RecordSyntaxError(number, match.start(2) + error.colno, "a JSON string") from None
    return match[1], value


class _Line:
    """One entry's line while it is read from left to right."""

    def __init__(self, text: str, number: int) -> None:
        self.text = text
        self.number = number
        self.at = 0

    def fail(self, expected: str) -> NoReturn:
        raise RecordSyntaxError(self.number, self.at + 1, expected)

    def take(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        match = pattern.match(self.text, self.at)
        if match is not None:
            self.at = match.end()
        return match

    def need(self, pattern: re.Pattern[str], expected: str) -> re.Match[str]:
        return self.take(pattern) or self.fail(expected)

    def space(self) -> None:
        if self.text[self.at : self.at + 1] != " ":
            self.fail("one space")
        self.at += 1

    def json_object(self) -> dict[str, Any]:
        try:
            value, self.at = _JSON.raw_decode(self.text, self.at)
        except json.JSONDecodeError as error:
            self.at = error.pos
            self.fail(f"JSON ({error.msg})")
        except RecursionError:
            self.fail("JSON that is not nested a thousand deep")
        fields: dict[str, Any] = value
        return fields


def _read_entry(text: str, number: int) -> Entry:
    line = _Line(text, number)
    version = int(line.need(_NUMBER, "the entry's version, a whole number from 1")[0])
    line.space()
    at = line.need(_MOMENT, "a moment such as 2026-03-01T12:00:00.000Z")[0]
    line.space()
    schema = line.take(_SCHEMA)
    if schema is not None:
        line.space()
    events = []
    while not line.text.startswith("#", line.at):
        events.append(_read_event(line))
        line.space()
    chain = line.need(_CHAIN, "the chain hash, '#' and hex digits")[1]
    if line.at != len(line.text):
        line.fail("the end of the line")
    written = {"version": version, "at": at, "schema": int(schema[1]) if schema else 1, "events": events}
    try:
        return entry_of(written, chain)
    except (MalformedDataError, UnknownSchemaError) as error:
        raise RecordSyntaxError(number, 1, f"an entry with events as documented ({error})") from None


def _read_event(line: _Line) -> dict[str, Any]:
    play = line.take(_PLAY)
    if play is not None:
        return {"type": _TYPE_OF[play[2]], "seat": int(play[1]), "card": play[3]}
    taken = line.take(_TAKE)
    if taken is not None:
        return {"type": "pile-taken", "seat": int(taken[1]), "cards": taken[2].split(",")}
    name = line.need(_NAME, "an event: 0>7c, 1xKc, 2^7c,Kc or name{…}, or '#' and the chain hash")[0]
    return {"type": name, **line.json_object()}


def _check_headers(headers: list[tuple[str, str, int]], record: dict[str, Any]) -> None:
    """Headers may be left out, but for the format; those that are there say what the log says."""
    said = dict(_headers(record))
    if not headers or headers[0][:2] != ("Format", FORMAT):
        raise RecordSyntaxError(1, 1, f'the header [Format "{FORMAT}"]')
    for name, value, number in headers:
        if name in said and said[name] != value:
            raise RecordSyntaxError(number, len(name) + 3, f"{json.dumps(said[name])}, which is what the entries say")
