"""The referee plays a record through and says exactly where and why it cannot go on."""

from typing import Any

import pytest

from owntrumps.rules.referee import RecordError, referee
from owntrumps.rules.study import StudyError
from tests.rules.positions import study, vectors


@pytest.mark.parametrize("name", ["records", "studies"])
def test_every_recorded_deal_of_an_independent_model_is_played_alike(name: str):
    for vector in vectors(name):
        judged = referee(vector)
        moments = [{key: ply[key] for key in ("seat", "phase", "legal")} for ply in vector["plies"]]
        assert judged == {
            "plies": moments,
            "result": vector["result"],
            "out": vector["out"],
            "hands": vector["final_hands"],
            "pile": vector["final_pile"],
        }, vector["name"]


def test_a_record_without_plays_is_a_deal_in_progress():
    judged = referee(study())
    assert judged == {
        "plies": [],
        "result": None,
        "out": [],
        "hands": [["7c", "Ah"], ["8d", "Th"], ["7s", "Ks"]],
        "pile": [],
    }


def test_plays_and_plies_say_the_same():
    by_plies = study(plays=None, plies=[{"play": "Th", "seat": 7}, {"play": "Ks"}])
    assert referee(by_plies) == referee(study(plays=["Th", "Ks"]))


def record_error(record: dict[str, Any]) -> RecordError:
    with pytest.raises(RecordError) as caught:
        referee(record)
    return caught.value


@pytest.mark.parametrize(
    ("plays", "ply", "detail", "legal"),
    [
        (["Ah"], 0, "seat 1 does not hold Ah", ["8d", "Th"]),
        (["take"], 0, "in phase lead a card must be led; there is nothing to take", ["8d", "Th"]),
        (["Th", "Kd"], 1, "seat 2 does not hold Kd", ["7s", "Ks", "take"]),
        (["8d", "take", "Ah", "Th", "8d"], 3, "Th does not beat Ah", ["take"]),
    ],
)
def test_an_illegal_play_is_located_and_explained_with_what_was_legal(
    plays: list[str], ply: int, detail: str, legal: list[str]
):
    error = record_error(study(plays=plays))
    assert (error.slug, error.ply, error.detail, error.legal) == ("illegal-play", ply, detail, legal)


def test_taking_is_illegal_where_the_ruleset_makes_one_beat():
    record = study(ruleset={"base": "bornyu", "seats": 3, "must_beat": True}, plays=["Th", "take"])
    error = record_error(record)
    assert (error.slug, error.ply, error.legal) == ("illegal-play", 1, ["7s", "Ks"])


def test_an_unknown_play_is_located():
    error = record_error(study(plays=["Th", 10]))
    assert (error.slug, error.ply, error.legal) == ("unknown-play", 1, ["7s", "Ks", "take"])


def test_nothing_is_played_after_the_end():
    duel = study(ruleset="duel", trumps=["c", "d"], leader=0, hands=[["7c"], ["8d", "9d"]], plays=["7c", "8d"])
    error = record_error(duel)
    assert (error.slug, error.ply, error.legal) == ("deal-over", 1, [])
    assert "loser" in error.detail


@pytest.mark.parametrize("plays", [None, "7c", {"0": "7c"}, 3])
def test_plays_are_a_list(plays: object):
    with pytest.raises(StudyError) as caught:
        referee({**study(plays=None), **({} if plays is None else {"plays": plays})})
    assert caught.value.slug == ("missing-field" if plays is None else "bad-plays")


@pytest.mark.parametrize("ply", ["Th", {"card": "Th"}, None])
def test_a_ply_is_an_object_with_its_play(ply: object):
    error = record_error({**study(plays=None), "plies": [{"play": "Th"}, ply]})
    assert (error.slug, error.ply, error.legal) == ("bad-plays", 1, ["7s", "Ks", "take"])
