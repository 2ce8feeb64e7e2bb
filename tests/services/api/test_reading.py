"""Looking: ETags, waiting for news, views of the past, pages of the log."""

from threading import Thread

import pytest

from tests.services.api.world import World, code_of


def test_the_etag_is_the_version_and_what_is_known_is_not_sent_again(world: World) -> None:
    match, ann, _ = world.duel()
    path = f"/v1/matches/{match}"
    seen = ann.get(path)
    assert seen.headers["ETag"] == '"2"'
    assert "Authorization" in seen.headers["Vary"]
    for tag in ('"2"', 'W/"2"', '"1", "2"', "*"):
        known = ann.get(path, {"If-None-Match": tag})
        assert (known.status_code, known.data, known.headers["ETag"]) == (304, b"", '"2"')
    for tag in ('"1"', '"nonsense"', ""):
        assert ann.get(path, {"If-None-Match": tag}).status_code == 200


def test_each_caller_sees_their_own_hand_and_a_spectator_none(world: World) -> None:
    match, ann, bob = world.duel()
    views = [caller.view(match) for caller in (ann, bob, world.nobody)]
    assert [view["you"] for view in views] == [0, 1, None]
    assert [len(view["hand"]) for view in views] == [18, 18, 0]
    assert not set(views[0]["hand"]) & set(views[1]["hand"])
    assert sum(bool(view["legal"]) for view in views) == 1


def test_waiting_ends_with_the_news(world: World) -> None:
    match, ann, bob = world.duel()
    player = world.to_move(match, ann, bob)
    answers = []
    waiting = Thread(target=lambda: answers.append(world.nobody.get(f"/v1/matches/{match}?wait=60&after=2")))
    waiting.start()
    assert player.move(match, player.view(match)["legal"][0]).status_code == 201
    waiting.join()
    assert answers[0].json is not None
    assert answers[0].json["version"] == 3


def test_waiting_for_what_is_there_already_does_not_wait(world: World) -> None:
    match, _, _ = world.duel()
    seen = world.nobody.get(f"/v1/matches/{match}?wait=60&after=1")
    assert seen.json is not None
    assert seen.json["version"] == 2


def test_waiting_without_news_gives_what_there_is_or_that_nothing_is_new(world: World) -> None:
    match, ann, _ = world.duel()
    seen = world.nobody.get(f"/v1/matches/{match}?wait=0&after=2")
    assert seen.status_code == 200
    stranger = ann.get(f"/v1/matches/{match}?wait=60", {"If-None-Match": '"77"'})
    assert (stranger.status_code, stranger.headers["ETag"]) == (200, '"2"'), "answered at once: it is not what is here"
    known = ann.get(f"/v1/matches/{match}?wait=0", {"If-None-Match": '"2"'})
    assert known.status_code == 304


def test_nobody_waits_for_a_match_that_is_over(world: World) -> None:
    match, ann, _ = world.duel(on_timeout="forfeit")
    ann.post(f"/v1/matches/{match}/resignation")
    seen = world.nobody.get(f"/v1/matches/{match}?wait=60&after=3")
    assert seen.json is not None
    assert seen.json["status"] == "finished"


@pytest.mark.parametrize("query", ["wait=61", "wait=-1", "wait=1.5", "wait=x", "after=x", "key=x", "colour=red"])
def test_a_query_that_cannot_be_is_refused(world: World, query: str) -> None:
    match, _, _ = world.duel()
    refused = world.nobody.get(f"/v1/matches/{match}?{query}")
    assert (refused.status_code, code_of(refused)) == (422, "malformed")
    assert refused.json is not None
    assert refused.json["errors"][0]["field"] == query.partition("=")[0]


def test_a_version_from_the_future_is_a_bad_cursor(world: World) -> None:
    match, _, _ = world.duel()
    for path in (f"/v1/matches/{match}?wait=1&after=3", f"/v1/matches/{match}/events?after=3"):
        refused = world.nobody.get(path)
        assert (refused.status_code, code_of(refused)) == (422, "bad-cursor")
        assert refused.json is not None
        assert refused.json["version"] == 2


def test_a_view_of_the_past_is_what_was_seen_then(world: World) -> None:
    match, ann, bob = world.duel()
    seen = {2: [caller.get(f"/v1/matches/{match}").data for caller in (ann, bob, world.nobody)]}
    for version in (3, 4, 5):
        player = world.to_move(match, ann, bob)
        player.move(match, player.view(match)["legal"][-1])
        seen[version] = [caller.get(f"/v1/matches/{match}").data for caller in (ann, bob, world.nobody)]
    for version, then in seen.items():
        again = [caller.get(f"/v1/matches/{match}/views/{version}") for caller in (ann, bob, world.nobody)]
        assert [view.data for view in again] == then
        assert again[0].headers["ETag"] == f'"{version}"'


@pytest.mark.parametrize("version", ["0", "3", "999999999", "-1", "x", "1.0"])
def test_a_version_that_is_not_there_is_not_found(world: World, version: str) -> None:
    match, _, _ = world.duel()
    assert code_of(world.nobody.get(f"/v1/matches/{match}/views/{version}")) == "not-found"


def test_the_log_runs_in_pages(world: World) -> None:
    match, ann, bob = world.duel()
    for _ in range(5):
        player = world.to_move(match, ann, bob)
        player.move(match, player.view(match)["legal"][0])
    versions, after = [], 0
    while True:
        page = ann.get(f"/v1/matches/{match}/events?after={after}&limit=3").json
        assert page is not None
        versions += [entry["version"] for entry in page["entries"]]
        if page["next"] is None:
            break
        after = page["next"]
    assert versions == [1, 2, 3, 4, 5, 6, 7]
    end = ann.get(f"/v1/matches/{match}/events?after=7").json
    assert end == {"entries": [], "next": None}


def test_the_log_hides_what_the_caller_may_not_see_until_the_end(world: World) -> None:
    match, ann, _ = world.duel(on_timeout="forfeit")

    def hands(caller: object) -> list[int]:
        page = caller.get(f"/v1/matches/{match}/events").json  # type: ignore[attr-defined]
        dealt = next(event for event in page["entries"][1]["events"] if event["type"] == "deal-dealt")
        return [sum(card is not None for card in hand) for hand in dealt["hands"]]

    created = world.nobody.get(f"/v1/matches/{match}/events?limit=1").json
    assert created is not None
    assert created["entries"][0]["events"][0]["terms"]["seed"] is None
    assert (hands(ann), hands(world.nobody)) == ([18, 0], [0, 0])
    ann.post(f"/v1/matches/{match}/resignation")
    assert (hands(ann), hands(world.nobody)) == ([18, 18], [18, 18])
