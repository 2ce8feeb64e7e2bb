"""Archived matches come out whole, once each, also when the work is interrupted."""

import json
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow.parquet
import pytest
from sqlalchemy import text
from typer.testing import CliRunner, Result

from owntrumps.archive.archive import Archive, open_archive
from owntrumps.cli import exported
from owntrumps.cli.main import app
from owntrumps.game.moments import iso
from owntrumps.record.verify import verify
from tests.archive.given import ANN, BOB, bot, many, person, played
from tests.cli.program import PROGRAM

COUNT = 20


@pytest.fixture
def database(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path}/history.sqlite3"


@pytest.fixture
def archive(database: str) -> Iterator[Archive]:
    """Matches of all sorts, and an imported one."""
    opened = open_archive(database)
    for match in many(COUNT):
        opened.save(match.id, match.entries)
    imported = played(99, "duel", (person(ANN), person(BOB)))
    opened.save(imported.id, imported.entries, imported=True)
    yield opened
    opened.close()


def export(*arguments: object) -> Result:
    return CliRunner().invoke(app, ["export", *map(str, arguments)])


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def wanted(archive: Archive) -> list[tuple[int, str]]:
    return [
        (seq, match.id)
        for seq, match in archive.page(after=0, limit=100)
        if not match.match["private"] and not match.match["imported"]
    ]


def test_every_line_is_a_record_that_verifies_in_the_archives_order(archive, database, tmp_path):
    result = export(tmp_path / "out.jsonl", "--database", database)
    found = lines(tmp_path / "out.jsonl")
    assert (result.exit_code, result.stdout) == (0, f"{len(found)} matches exported\n")
    assert [(line["seq"], line["match"]) for line in found] == wanted(archive)
    assert all(verify(line) == [] for line in found)


def test_private_and_imported_matches_come_only_when_asked_for(archive, database, tmp_path):
    export(tmp_path / "out.jsonl", "--database", database, "--all")
    assert [line["seq"] for line in lines(tmp_path / "out.jsonl")] == [*range(1, COUNT + 2)]
    assert len(wanted(archive)) < COUNT


@pytest.mark.parametrize("left", [0, 1, 700, 5_000, 100_000])
def test_an_export_goes_on_where_it_stopped(archive, database, tmp_path, left):
    # Given a whole export, and one that was cut off anywhere
    whole, cut = tmp_path / "whole.jsonl", tmp_path / "cut.jsonl"
    export(whole, "--database", database)
    cut.write_bytes(whole.read_bytes()[:left])
    # When
    assert export(cut, "--database", database).exit_code == 0
    # Then
    assert cut.read_bytes() == whole.read_bytes()
    # And once more there is nothing to do
    assert export(cut, "--database", database).stdout == "0 matches exported\n"
    assert cut.read_bytes() == whole.read_bytes()


def test_standard_output_and_the_folder_of_one_machine_will_do(archive, database, tmp_path):
    export(tmp_path / "out.jsonl", "--database", database)
    result = export("--data", tmp_path)
    assert result.exit_code == 0
    assert result.stdout == (tmp_path / "out.jsonl").read_text()
    assert export("--data", tmp_path / "nowhere").exit_code == 2
    assert export("--data", tmp_path, "--format", "parquet").exit_code == 2


def test_only_what_ended_later_comes_with_since(archive, database, tmp_path):
    ends = [match.match["ended_at"] for _, match in archive.page(after=0, limit=100)]
    middle = sorted(ends)[COUNT // 2]
    export(tmp_path / "out.jsonl", "--database", database, "--all", "--since", iso(middle))
    found = [line["ended_at"] for line in lines(tmp_path / "out.jsonl")]
    assert sorted(found) == sorted(iso(end) for end in ends if end >= middle)
    export(tmp_path / "none.jsonl", "--database", database, "--since", "2200-01-01")
    assert lines(tmp_path / "none.jsonl") == []


def test_parquet_comes_in_parts_and_goes_on_after_the_last(archive, database, tmp_path, monkeypatch):
    monkeypatch.setattr(exported, "PART_ROWS", 4)
    folder = tmp_path / "out"
    assert export(folder, "--database", database, "--format", "parquet").exit_code == 0
    parts = sorted(folder.iterdir())
    before = pyarrow.parquet.read_table(folder).to_pylist()
    assert [(row["seq"], row["id"]) for row in before] == wanted(archive)
    assert len(parts) == -(-len(before) // 4)
    assert all(verify(json.loads(row["record"])) == [] for row in before)
    assert before[0]["seats"][0]["player"] == archive.page(after=0, limit=1)[0][1].seats[0]["player"]
    # When the last parts are missing, and an unfinished one lies about
    for part in parts[2:]:
        part.unlink()
    (folder / "part-1.tmp").write_bytes(b"PAR")
    assert export(folder, "--database", database, "--format", "parquet").exit_code == 0
    (folder / "part-1.tmp").unlink(missing_ok=True)
    # Then
    assert pyarrow.parquet.read_table(folder).to_pylist() == before


def test_a_damaged_match_is_told_and_left_out(archive, database, tmp_path):
    with archive._writer.begin() as connection:
        connection.execute(text("UPDATE matches SET chain = 'x' WHERE seq = 1"))
    result = export(tmp_path / "out.jsonl", "--database", database, "--all")
    assert result.exit_code == 1
    assert "1 damaged ones left out" in result.stdout
    assert [line["seq"] for line in lines(tmp_path / "out.jsonl")] == [*range(2, COUNT + 2)]


@pytest.mark.parametrize("content", [b"hello\n", b'{"a":1}\n', b'{"seq":"x"}\n'])
def test_a_file_that_is_no_export_is_left_alone(archive, database, tmp_path, content):
    (tmp_path / "out").write_bytes(content)
    result = export(tmp_path / "out", "--database", database)
    assert result.exit_code == 2
    assert "something else" in result.stderr
    assert (tmp_path / "out").read_bytes() == content


@pytest.mark.parametrize(
    "arguments",
    [
        ["--since", "yesterday"],
        ["--database", "mysql://x"],
        ["--database", "postgresql://owntrumps@127.0.0.1:1/none"],
        ["--format", "xml"],
    ],
)
def test_what_cannot_be_done_is_exit_code_2(archive, database, tmp_path, arguments):
    given = ["--database", database, *arguments]
    result = export(tmp_path / "out.jsonl", *given)
    assert result.exit_code == 2
    assert result.stderr


def test_an_interrupted_export_says_so_and_can_go_on(tmp_path, database):
    # Given so many matches that it takes a while
    with_many = open_archive(database)
    match = played(1, "bornyu", [person(ANN), bot(), bot(), bot()], games=10)
    with_many.save(match.id, match.entries)
    with with_many._writer.begin() as connection:
        columns = [name for name in _columns(connection) if name not in ("seq", "id")]
        listed = ", ".join(columns)
        copied = f"SELECT :seq, 'x' || :seq, {listed} FROM matches WHERE seq = 1"
        for seq in range(2, 41):
            connection.execute(text(f"INSERT INTO matches (seq, id, {listed}) {copied}"), {"seq": seq})
    with_many.close()
    out = tmp_path / "out.jsonl"
    command = [*PROGRAM, "export", str(out), "--database", database]
    # When it is interrupted as soon as it has written something
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stderr is not None
        seen = b""
        while b"/40" not in seen:
            seen += process.stderr.read1()  # type: ignore[attr-defined]
        process.send_signal(signal.SIGINT)
        _, told = process.communicate(timeout=60)
    # Then
    assert process.returncode in (0, 130)
    assert process.returncode == 0 or b"goes on" in told
    assert export(out, "--database", database).exit_code == 0
    assert [line["seq"] for line in lines(out)] == [*range(1, 41)]


def _columns(connection) -> list[str]:
    return [row[1] for row in connection.execute(text("PRAGMA table_info(matches)"))]


def test_without_pyarrow_parquet_says_what_is_missing(archive, database, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    result = export(tmp_path / "out", "--database", database, "--format", "parquet")
    assert result.exit_code == 2
    assert "pyarrow" in result.stderr
