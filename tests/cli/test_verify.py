"""`owntrumps verify` finds honest records right, forged ones wrong, and everything else unreadable."""

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from owntrumps.record.text import record_text
from tests.cli.program import owntrumps
from tests.record.samples import finished_record


@pytest.fixture(scope="module")
def record() -> Any:
    return finished_record("duel", seed=4)


def test_an_honest_record_is_right_in_both_forms(record: Any, tmp_path: Path) -> None:
    for name, text in (("record.json", json.dumps(record)), ("record.txt", record_text(record))):
        (tmp_path / name).write_text(text, encoding="utf-8")
        result = owntrumps("verify", str(tmp_path / name), "--json")
        assert (result.returncode, json.loads(result.stdout)) == (0, {"ok": True})
    assert owntrumps("verify", "-", given=record_text(record).encode()).returncode == 0


def test_a_forged_record_is_wrong_and_says_where(record: Any) -> None:
    forged = json.loads(json.dumps(record))
    forged["entries"][4]["at"] = "1999-01-01T00:00:00.000Z"
    result = owntrumps("verify", "-", "--json", given=json.dumps(forged).encode())
    answer = json.loads(result.stdout)
    assert (result.returncode, answer["ok"]) == (1, False)
    assert [(problem["code"], problem["entry"]) for problem in answer["problems"]] == [("broken-chain", 5)]
    told = owntrumps("verify", "-", given=json.dumps(forged).encode())
    assert told.stdout.startswith(b"entry 5: broken-chain: ")


@pytest.mark.parametrize(
    ("given", "why"),
    [
        (b"", b"line 1, column 1: expected an entry"),
        (b"\xff\xfe", b"byte 0 is not UTF-8"),
        (b'{"format": ', b"line 1, column 12"),
        (b"[" * 100_000, b"JSON"),
        (b'[Format "owntrumps-record/1"]\n1 x', b"line 2, column 3: expected a moment"),
        (b'{"a": ' + b"9" * 5000 + b"}", b"JSON"),
    ],
)
def test_what_cannot_be_read_is_refused_with_its_place(given: bytes, why: bytes) -> None:
    result = owntrumps("verify", "-", given=given)
    assert (result.returncode, result.stdout) == (2, b"")
    assert why in result.stderr


def test_a_truncated_record_cannot_be_read(record: Any) -> None:
    text = record_text(record).encode()
    cut = owntrumps("verify", "-", given=text[: len(text) // 2])
    assert cut.returncode in (1, 2)
    assert owntrumps("verify", "-", given=json.dumps(record).encode()[:-100]).returncode == 2


def test_a_missing_or_huge_file_is_refused(tmp_path: Path) -> None:
    assert owntrumps("verify", str(tmp_path / "none")).returncode == 2
    huge = tmp_path / "huge"
    with huge.open("wb") as file:
        file.truncate(100_000_000)
    result = owntrumps("verify", str(huge))
    assert result.returncode == 2
    assert b"is larger than" in result.stderr


@pytest.fixture
def served(record: Any) -> Iterator[str]:
    """The address of a server that has the record, and nothing else."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            found = self.path == "/record"
            body = json.dumps(record).encode() if found else b"no"
            self.send_response(200 if found else 404)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            """Keep the tests' output clean."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_address[1]}"
        server.shutdown()
        thread.join()


def test_a_record_is_fetched_from_its_address(served: str) -> None:
    assert owntrumps("verify", f"{served}/record").returncode == 0
    missing = owntrumps("verify", f"{served}/other")
    assert missing.returncode == 2
    assert b"answers 404" in missing.stderr
