"""`owntrumps referee`: a line for a line, at once, in bounded memory, with an exact error where a line is wrong."""

import json
import os
import signal
import subprocess
from pathlib import Path

import pytest

from owntrumps.cli import json_lines
from tests.cli.program import PROGRAM, VECTORS, lines_of, owntrumps
from tests.rules.positions import study

GOOD = json.dumps(study(plays=["Th"])).encode() + b"\n"


def test_every_vector_has_its_line_and_the_exit_code_is_zero():
    for name in ("records", "studies"):
        path = VECTORS / f"own-trumps-{name}.jsonl"
        done = owntrumps("referee", str(path))
        assert done.returncode == 0
        assert done.stderr == b""
        vectors = [json.loads(line) for line in path.read_text().splitlines()]
        assert [answer["result"] for answer in lines_of(done.stdout)] == [vector["result"] for vector in vectors]


def test_standard_input_is_the_default():
    assert owntrumps("referee", given=GOOD).stdout == owntrumps("referee", "-", given=GOOD).stdout != b""


@pytest.mark.parametrize(
    ("line", "slug"),
    [
        (b'{"ruleset": "bornyu"', "bad-json"),
        (b"{'ruleset': 'bornyu'}", "bad-json"),
        (b'{"leader": NaN}', "bad-json"),
        (b'{"leader": -Infinity}', "bad-json"),
        (b'{"leader": ' + b"9" * 5000 + b"}", "bad-json"),
        (b"[" * 100_000, "bad-json"),
        (b'{"leader": 0} {"leader": 1}', "bad-json"),
        (b'{"name": "\xff\xfe"}', "not-utf-8"),
        (b"\x00\x01\x02", "bad-json"),
        (b"[]", "bad-record"),
        (b'"record"', "bad-record"),
        (b"null", "bad-record"),
        (b"{}", "missing-field"),
        (b'{"ruleset": "whist"}', "unknown-ruleset"),
        (b'{"ruleset": "\\ud800"}', "unknown-ruleset"),
    ],
)
def test_a_line_that_is_no_record_is_an_error_and_the_next_is_judged(line: bytes, slug: str):
    done = owntrumps("referee", given=line + b"\n" + GOOD)
    assert done.returncode == 1
    wrong, right = lines_of(done.stdout)
    assert (wrong["error"], wrong["ply"]) == (slug, None)
    assert 0 < len(wrong["detail"]) <= json_lines.LONGEST_DETAIL + 1
    assert right["result"] is None
    assert done.stderr == b""


def test_a_wrong_play_is_located_with_what_was_legal():
    wrong = b"".join(json.dumps(study(plays=plays)).encode() + b"\n" for plays in (["Th", "8d"], ["Th", "10h"]))
    done = owntrumps("referee", given=wrong)
    assert done.returncode == 1
    assert lines_of(done.stdout) == [
        {
            "error": "illegal-play",
            "ply": 1,
            "detail": "seat 2 does not hold 8d",
            "legal": ["7s", "Ks", "take"],
        },
        {
            "error": "unknown-play",
            "ply": 1,
            "detail": "a play is a card such as 'Th', or 'take', not '10h'",
            "legal": ["7s", "Ks", "take"],
        },
    ]


def test_blank_lines_are_no_records():
    done = owntrumps("referee", given=b"\n" + GOOD + b"  \r\n\n" + GOOD.strip())
    assert (done.returncode, len(lines_of(done.stdout))) == (0, 2)


def test_each_record_is_answered_before_the_next_is_sent():
    with subprocess.Popen([*PROGRAM, "referee"], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as running:
        assert running.stdin is not None
        assert running.stdout is not None
        for _ in range(3):
            running.stdin.write(GOOD)
            running.stdin.flush()
            assert json.loads(running.stdout.readline())["plies"][0]["seat"] == 1
        running.stdin.close()
        assert running.wait(timeout=30) == 0


def peak_kib(stdin: Path) -> tuple[int, int]:
    """Exit code and peak resident memory of a referee reading the file."""
    with (
        stdin.open("rb") as given,
        subprocess.Popen([*PROGRAM, "referee"], stdin=given, stdout=subprocess.DEVNULL) as running,
    ):
        _, status, usage = os.wait4(running.pid, 0)
        running.returncode = os.waitstatus_to_exitcode(status)
        return running.returncode, usage.ru_maxrss


def test_memory_does_not_grow_with_the_number_of_records(tmp_path: Path):
    few, many = tmp_path / "few.jsonl", tmp_path / "many.jsonl"
    few.write_bytes(GOOD * 100)
    many.write_bytes(GOOD * 20_000)
    few_code, few_peak = peak_kib(few)
    many_code, many_peak = peak_kib(many)
    assert few_code == many_code == 0
    assert many_peak < few_peak + 4 * 1024


def test_a_line_beyond_the_limit_is_an_error_of_that_record(tmp_path: Path):
    endless = tmp_path / "endless.jsonl"
    with endless.open("wb") as file:
        for _ in range(3):
            file.write(b'"' + b"x" * json_lines.LONGEST_LINE)
        file.write(b"\n" + GOOD)
    done = owntrumps("referee", str(endless))
    assert done.returncode == 1
    wrong, right = lines_of(done.stdout)
    assert (wrong["error"], wrong["ply"]) == ("line-too-long", None)
    assert right["result"] is None


def test_a_file_that_cannot_be_read_is_a_mistake_of_the_caller(tmp_path: Path):
    for path in (tmp_path, tmp_path / "none.jsonl"):
        done = owntrumps("referee", str(path))
        assert done.returncode == 2
        assert str(path) in done.stderr.decode()
        assert b"Traceback" not in done.stderr


def test_answers_that_cannot_be_written_end_it_with_a_word():
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run([*PROGRAM, "referee"], input=GOOD, stdout=full, stderr=subprocess.PIPE, check=False)
    assert done.returncode == 2
    assert done.stderr == b"the answers cannot be written: No space left on device\n"


def test_a_reader_that_goes_away_ends_it_quietly():
    with subprocess.Popen(
        [*PROGRAM, "referee"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as running:
        assert running.stdin is not None
        assert running.stdout is not None
        assert running.stderr is not None
        running.stdout.close()
        running.stdin.write(GOOD)
        running.stdin.close()
        assert running.wait(timeout=30) == 1
        assert running.stderr.read() == b""


def test_an_interrupt_ends_it_quietly():
    with subprocess.Popen(
        [*PROGRAM, "referee"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as running:
        assert running.stdin is not None
        assert running.stdout is not None
        assert running.stderr is not None
        running.stdin.write(GOOD)
        running.stdin.flush()
        running.stdout.readline()
        running.send_signal(signal.SIGINT)
        assert running.wait(timeout=30) == 130
        assert running.stderr.read() == b""
