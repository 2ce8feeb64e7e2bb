"""Callers cannot tell where a match lives; records go out as the caller may see them and come in only if they hold."""

import json
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import msgspec
import pytest

from owntrumps.archive.archive import Archive, open_archive
from owntrumps.game.terms import PlayerId, Version
from owntrumps.record.build import record_json
from owntrumps.record.text import parse_record, record_text
from owntrumps.record.verify import verify
from owntrumps.store.codec import read_entry
from owntrumps_api.app import create_app
from owntrumps_api.importing import RECORD_BYTES
from owntrumps_history.config import HistoryConfig
from owntrumps_history.rating import OpenSkillRater
from owntrumps_history.service import History
from tests.archive.given import Played, bot, person, played
from tests.services.api.world import CONFIG, Caller, World, code_of

AT_ONCE = HistoryConfig(sweep_every_ms=0, claim_every_ms=0, grace_ms=0)


class ArchivingWorld(World):
    """A world whose matches go to an archive whenever the test says so."""

    def __init__(self, archive: Archive) -> None:
        super().__init__()
        self.archive = archive
        self.app = create_app(CONFIG, self.store, archive)
        self.nobody = Caller(self.app)

    def archive_all(self) -> None:
        """Every match that is over leaves the store."""
        history = History(self.store, self.archive, AT_ONCE)
        while history.run_once(0):
            pass

    def finished(self, **terms: Any) -> tuple[str, Caller, Caller]:
        """A duel that one of two people resigned."""
        match, ann, bob = self.duel(on_timeout="forfeit", **terms)
        assert ann.post(f"/v1/matches/{match}/resignation").status_code == 201
        return match, ann, bob


@pytest.fixture
def archive(tmp_path) -> Iterator[Archive]:
    opened = open_archive(f"sqlite:///{tmp_path}/history.sqlite3", OpenSkillRater())
    yield opened
    opened.close()


@pytest.fixture
def world(archive) -> Iterator[ArchivingWorld]:
    living = ArchivingWorld(archive)
    living.start_engine()
    yield living
    living.close()


def reads_of(match: str, key: str, *callers: Caller) -> list[Any]:
    """Everything that can be read of a match, by everybody."""
    paths = [
        f"/v1/matches/{match}{key}",
        f"/v1/matches/{match}/events{key}",
        f"/v1/matches/{match}/views/2{key}",
        f"/v1/matches/{match}/views/99{key}",
        f"/v1/matches/{match}/record{key}",
        "/v1/matches",
        "/v1/matches?status=finished&ruleset=duel",
        "/v1/matches?status=playing",
        *[f"/v1/matches?player={caller.id}" for caller in callers if caller.id],
    ]
    answers = [caller.get(path) for caller in callers for path in paths]
    return [(answer.status_code, answer.headers.get("ETag"), answer.json) for answer in answers]


@pytest.mark.parametrize("private", [False, True])
def test_a_client_cannot_tell_where_a_match_lives(world, private):
    # Given a match that is over, and what everybody reads of it
    match, ann, bob = world.finished(private=private)
    key = f"?key={ann.view(match)['link']}" if private else ""
    everybody = (ann, bob, world.player("Carl"), world.nobody)
    before = reads_of(match, key, *everybody)
    # When it has left the store
    world.archive_all()
    assert world.store.match_ids() == []
    # Then
    assert reads_of(match, key, *everybody) == before
    assert world.nobody.get(f"/v1/matches/{match}").status_code == (403 if private else 200)


def test_commands_to_an_archived_match_are_refused_as_ever(world):
    match, ann, _ = world.finished()
    carl = world.player("Carl")

    def refusals() -> list[tuple[int, str, str]]:
        answers = [
            caller.post(f"/v1/matches/{match}/{path}", body, headers)
            for caller in (ann, carl)
            for path, body, headers in (
                ("moves", {"action": "take"}, None),
                ("moves", {"action": "take"}, {"If-Match": '"1"'}),
                ("seats", {}, None),
                ("resignation", {}, None),
                ("trump", {"trump": "c"}, None),
            )
        ]
        return [(answer.status_code, code_of(answer), answer.json["detail"]) for answer in answers]

    before = refusals()
    world.archive_all()
    assert refusals() == before
    bulk = ann.post("/v1/moves", {"moves": [{"match": match, "action": "take"}]})
    assert bulk.json["results"][0]["problem"]["code"] == "match-over"


def test_making_the_same_match_again_gives_the_same_answer_or_says_that_it_exists(world):
    # Given a match, made with a key, that was called off and archived
    ann = world.player()
    body = {"ruleset": "duel", "seats": [{"kind": "me"}, {"kind": "open"}]}
    key = {"Idempotency-Key": "once"}
    made = ann.post("/v1/matches", body, key)
    assert ann.post(f"/v1/matches/{made.json['id']}/abort").status_code == 201
    world.archive_all()
    assert world.store.match_ids() == []
    # When it is asked for again
    again = ann.post("/v1/matches", body, key)
    assert (again.status_code, again.json) == (201, made.json)
    # And when its outcome has expired
    world.store._outcomes.clear()
    late = ann.post("/v1/matches", body, key)
    assert (late.status_code, code_of(late)) == (409, "match-exists")
    assert world.store.match_ids() == []


# Records


def test_a_record_is_redacted_until_the_match_is_over(world):
    match, ann, bob = world.duel()
    dealt = [caller.get(f"/v1/matches/{match}/record").json["deals"][0]["dealt"] for caller in (ann, bob, world.nobody)]
    for seat, (mine, other, spectators) in enumerate(zip(*dealt, strict=True)):
        for view, hidden in ((mine, seat == 1), (other, seat == 0), (spectators, True)):
            assert (None in view) == hidden
            assert set(view) == {None} or not hidden
    running = ann.get(f"/v1/matches/{match}/record").json
    assert running["fairness"]["seed"] is None
    assert [problem.code for problem in verify(running)] == ["unfinished"]
    ann.post(f"/v1/matches/{match}/resignation")


def test_a_finished_record_verifies_in_both_forms_which_say_the_same(world):
    match, *_ = world.finished()
    for _ in range(2):
        as_json = world.nobody.get(f"/v1/matches/{match}/record", {"Accept": "application/json"})
        as_text = world.nobody.get(f"/v1/matches/{match}/record", {"Accept": "text/plain"})
        assert as_text.mimetype == "text/plain"
        assert verify(as_json.json) == []
        assert parse_record(as_text.text) == as_json.json
        world.archive_all()


def test_a_form_that_a_record_does_not_have_is_refused(world):
    match, _, _ = world.duel()
    answer = world.nobody.get(f"/v1/matches/{match}/record", {"Accept": "image/png"})
    assert (answer.status_code, code_of(answer)) == (406, "not-acceptable")


def test_records_of_private_matches_need_the_link(world):
    match, ann, _ = world.finished(private=True)
    link = ann.view(match)["link"]
    for _ in range(2):
        assert code_of(world.nobody.get(f"/v1/matches/{match}/record")) == "private-match"
        assert world.nobody.get(f"/v1/matches/{match}/record?key={link}").status_code == 200
        world.archive_all()


# Import


def record_of(match: Played) -> dict[str, Any]:
    record = record_json([read_entry(entry.payload, entry.chain) for entry in match.entries])
    return json.loads(json.dumps(record))  # type: ignore[no-any-return]


def sent(caller: Caller, record: Any, kind: str = "application/json") -> Any:
    data = record if isinstance(record, bytes) else msgspec.json.encode(record)
    return caller.send("POST", "/v1/records", data=data, headers={"Content-Type": kind})


ANNA, BELA = PlayerId("annaannaannaanna"), PlayerId("belabelabelabela")


@pytest.mark.parametrize("kind", ["application/json", "text/plain"])
def test_a_record_that_verifies_becomes_a_match_that_can_only_be_read(world, archive, kind):
    # Given
    ann = world.player()
    match = played(5, "duel", (person(ANNA, "Anna"), person(BELA, "Béla")))
    record = record_of(match)
    body = record if kind == "application/json" else record_text(record).encode()
    # When
    answer = sent(ann, body, kind)
    # Then
    assert answer.status_code == 201, answer.text
    assert answer.headers["Location"] == f"/v1/matches/{match.id}"
    assert world.nobody.get(f"/v1/matches/{match.id}/record").json == record
    assert archive.entries(match.id, after=Version(0), limit=10_000) == match.entries
    # And it is neither listed nor rated, and nobody can play on
    assert world.nobody.get("/v1/matches").json["matches"] == []
    assert world.nobody.get(f"/v1/matches?player={ANNA}").json["matches"] == []
    assert world.nobody.get("/v1/leaderboard?ruleset=duel").json["leaderboard"] == []
    assert code_of(ann.post(f"/v1/matches/{match.id}/moves", {"action": "take"})) == "not-your-seat"
    # And sending it again gives the same answer and changes nothing
    again = sent(ann, body, kind)
    assert (again.status_code, again.json) == (201, answer.json)
    assert archive.count() == 1


def test_a_record_seats_nobody_whose_id_stands_in_it(world, archive):
    # Given a record, made up by somebody, in which two players of this server met
    ann, bob = world.player("Ann"), world.player("Bob")
    match = played(5, "duel", (person(PlayerId(ann.id), "Ann"), person(PlayerId(bob.id), "A fool")))
    assert sent(ann, record_of(match)).status_code == 201
    before = world.snapshot()
    # When one of them asks for a rematch
    answer = ann.post(f"/v1/matches/{match.id}/rematch")
    # Then there is none
    assert (answer.status_code, code_of(answer)) == (403, "not-your-seat")
    assert world.snapshot() == before
    # While a match that was played here has one, also from the archive
    real, ann, _ = world.finished()
    world.archive_all()
    assert ann.post(f"/v1/matches/{real}/rematch").status_code == 201


def test_a_record_in_text_may_have_the_line_ends_of_windows(world):
    text = record_text(record_of(played(5))).replace("\n", "\r\n").encode()
    assert sent(world.player(), text, "text/plain").status_code == 201


def test_a_record_of_a_match_that_lives_here_is_that_match(world, archive):
    match, ann, _ = world.finished()
    record = world.nobody.get(f"/v1/matches/{match}/record").json
    assert sent(ann, record).json == ann.view(match)
    assert archive.count() == 0


def test_a_record_never_replaces_a_match(world, archive):
    ann = world.player()
    match, twin = played(5), played(5, step_ms=251)
    assert sent(ann, record_of(match)).status_code == 201
    answer = sent(ann, record_of(twin))
    assert (answer.status_code, code_of(answer)) == (409, "match-exists")
    assert archive.entries(match.id, after=Version(0), limit=10_000) == match.entries


def _edit(record):
    record["entries"][3]["at"] = "2026-01-01T00:00:00.000Z"


def _drop(record):
    del record["entries"][4]


def _cut(record):
    record["entries"].pop()


def _seed(record):
    record["entries"][-1]["events"][-1]["seed"] = "00" * 32


def _summary(record):
    record["losses"] = [0] * len(record["losses"])


def _format(record):
    record["format"] = "pgn"


@pytest.mark.parametrize("forge", [_edit, _drop, _cut, _seed, _summary, _format])
def test_a_record_that_does_not_hold_is_refused_with_what_is_wrong(world, archive, forge):
    record = record_of(played(5))
    forge(record)
    answer = sent(world.player(), record)
    assert (answer.status_code, code_of(answer)) == (422, "record-refused")
    assert {problem["code"] for problem in answer.json["problems"]} <= {problem.code for problem in verify(record)}
    assert answer.json["problems"]
    assert archive.count() == 0


@pytest.mark.parametrize(
    "seats",
    [
        (person(ANNA, "x" * 41), bot()),
        (person(ANNA, "a\u202eb"), bot()),
        (person(PlayerId("../etc")), bot()),
        (person(ANNA), bot("<b>")),
        (replace(person(ANNA), nonce="a b"), bot()),
    ],
)
def test_words_that_no_server_lets_in_do_not_come_in_by_a_record(world, archive, seats):
    answer = sent(world.player(), record_of(played(5, "duel", seats)))
    assert (answer.status_code, code_of(answer)) == (422, "record-refused")
    assert archive.count() == 0


@pytest.mark.parametrize(
    ("body", "kind", "status", "code"),
    [
        (b"{", "application/json", 400, "broken-json"),
        (b"\xff\xfe", "application/json", 400, "broken-json"),
        (b"[" * 100_000, "application/json", 400, "broken-json"),
        (b"null", "application/json", 422, "record-refused"),
        (b"[]", "application/json", 422, "record-refused"),
        (b"", "text/plain", 422, "unreadable-record"),
        (b"\xff\xfe", "text/plain", 422, "unreadable-record"),
        (b'[Format "owntrumps-record/1"]\n\n1 now', "text/plain", 422, "unreadable-record"),
        (b"<x/>", "application/xml", 415, "unsupported-media-type"),
        (b" " * (RECORD_BYTES + 1), "application/json", 413, "too-large"),
        (b" " * (RECORD_BYTES + 1), "text/plain", 413, "too-large"),
    ],
)
def test_what_is_no_record_is_refused_exactly(world, archive, body, kind, status, code):
    answer = sent(world.player(), body, kind)
    assert (answer.status_code, code_of(answer)) == (status, code)
    assert archive.count() == 0


@pytest.mark.parametrize("kind", ["application/json", "text/plain"])
def test_a_body_without_a_length_is_bounded_too(world, kind):
    answer = world.player().post_unsized("/v1/records", b" " * (RECORD_BYTES + 1), kind)
    assert (answer.status_code, code_of(answer)) == (413, "too-large")


def test_a_text_that_cannot_be_read_says_where(world):
    body = b'[Format "owntrumps-record/1"]\n\n1 now'
    answer = sent(world.player(), body, "text/plain")
    assert (answer.json["line"], answer.json["column"]) == (3, 3)
    assert "moment" in answer.json["expected"]


def test_only_players_bring_records(world):
    assert code_of(sent(world.nobody, b"{}")) == "unauthorized"


# Players


def test_a_profile_tells_results_and_rating_and_the_leaderboard_the_order(world):
    _, ann, bob = world.finished()
    world.archive_all()
    loser = world.nobody.get(f"/v1/players/{ann.id}").json
    (results,) = loser["results"]
    assert {name: results[name] for name in ("ruleset", "matches", "lost", "drawn", "forfeited", "calf")} == {
        "ruleset": "duel",
        "matches": 1,
        "lost": 1,
        "drawn": 0,
        "forfeited": 1,
        "calf": 0,
    }
    board = world.nobody.get("/v1/leaderboard?ruleset=duel").json["leaderboard"]
    assert [(row["rank"], row["player"], row["name"]) for row in board] == [(1, bob.id, "Bob"), (2, ann.id, "Ann")]
    assert results["rating"] == {name: board[1][name] for name in ("rating", "uncertainty", "low")}
    assert world.nobody.get("/v1/leaderboard?ruleset=dudak").json["leaderboard"] == []
    assert world.nobody.get("/v1/leaderboard").json["ruleset"] == "bornyu"


@pytest.mark.parametrize("query", ["ruleset=chess", "limit=0", "limit=501", "nonsense=1"])
def test_a_bad_question_for_a_leaderboard_is_refused(world, query):
    assert code_of(world.nobody.get(f"/v1/leaderboard?{query}")) == "malformed"


def test_without_an_archive_all_but_history_works():
    plain = World()
    ann = plain.player()
    profile = plain.nobody.get(f"/v1/players/{ann.id}").json
    assert profile is not None
    assert profile["results"] == []
    assert code_of(plain.nobody.get("/v1/leaderboard")) == "unavailable"
    assert code_of(sent(ann, b"{}")) == "unavailable"
    plain.close()
