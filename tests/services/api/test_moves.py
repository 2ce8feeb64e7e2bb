"""Playing: one move, its answer, and many matches in one call."""

import random

from tests.services.api.world import Caller, World, code_of, running


def play_to_the_end(world: World, match: str, players: tuple[Caller, ...], dice: random.Random) -> int:
    """Random legal plays until the match is over; how many moves it took. Every answer must be 201."""
    seats = {player.view(match)["you"]: player for player in players}
    view = players[0].view(match)
    moves = 0
    while view["status"] == "playing":
        player = seats[view["turn"]]
        play = dice.choice(player.view(match)["legal"])
        made = player.move(match, play, headers={"If-Match": f'"{view["version"]}"'})
        assert made.status_code == 201, made.text
        assert made.json is not None
        assert made.json["version"] == view["version"] + 1
        view = made.json["view"]
        moves += 1
    return moves


def test_a_duel_is_played_to_its_end_and_then_everything_is_shown(world: World) -> None:
    match, ann, bob = world.duel(ruleset={"base": "duel", "deck": 24, "ply_limit": 80})
    play_to_the_end(world, match, (ann, bob), random.Random(3))
    view = world.nobody.get(f"/v1/matches/{match}").json
    assert view is not None
    assert view["status"] == "finished"
    assert view["fairness"]["seed"] == "2a" * 32
    assert all(len(seat["known"]) == seat["cards"] for seat in view["seats"])
    assert code_of(ann.move(match, "take")) == "match-over"


def test_a_beat_and_the_lead_on_it_are_one_move(world: World) -> None:
    match, ann, bob = world.duel()
    first = world.to_move(match, ann, bob)
    second = bob if first is ann else ann
    for lead in first.view(match)["legal"]:
        if first.move(match, lead).status_code != 201:
            continue
        break
    view = second.view(match)
    beat = view["legal"][0]
    lead = next(card for card in view["hand"] if card != beat)
    made = second.move(match, beat, lead)
    assert made.status_code == 201
    assert made.json is not None
    assert [event["type"] for event in made.json["events"]] == ["top-beaten", "card-led"]
    assert made.json["view"]["pile"][-2:] == [beat, lead]
    assert made.headers["Location"] == f"/v1/matches/{match}/views/{made.json['version']}"


def test_a_move_without_an_engine_gets_202_and_its_answer_later() -> None:
    with running() as world:
        match, ann, bob = world.duel()
        player = world.to_move(match, ann, bob)
        world._stop.set()
        assert world._engine is not None
        world._engine.join()
        card = player.view(match)["legal"][0]
        late = player.move(match, card, headers={"Prefer": "respond-async, wait=0"})
        assert late.status_code == 202
        assert late.headers["Preference-Applied"] == "wait=0"
        assert late.json is not None
        where = late.headers["Location"]
        assert where == late.json["location"]
        assert player.get(where).status_code == 202
        # Another move with the key of one that is undecided gets 202 too: which of them came first, the engine says
        legal = player.view(match)["legal"]
        keyed = [player.move(match, each, headers={"Prefer": "wait=0", "Idempotency-Key": "k"}) for each in legal[:2]]
        world._stop.clear()
        world.start_engine()
        news = world.nobody.get(f"/v1/matches/{match}?wait=20&after=2").json
        assert news is not None
        assert news["version"] == 3
        answered = player.get(where)
        assert answered.status_code == 200
        assert answered.json is not None
        assert (answered.json["version"], answered.json["view"]["pile"]) == (3, [card])
        stranger = bob if player is ann else ann
        assert code_of(stranger.get(where)) == "not-found"
        first, second = (player.get(each.headers["Location"]) for each in keyed)
        assert code_of(first) == "not-your-turn"
        assert code_of(second) == "idempotency-key-reused"


def test_the_outcome_of_a_refused_move_is_its_problem(world: World) -> None:
    match, ann, bob = world.duel()
    waiting = bob if world.to_move(match, ann, bob) is ann else ann
    refused = waiting.move(match, "take", headers={"Idempotency-Key": "k", "Prefer": "wait=0"})
    world.nobody.get(f"/v1/matches/{match}?wait=0")
    if refused.status_code == 202:
        refused = waiting.move(match, "take", headers={"Idempotency-Key": "k", "Prefer": "wait=20"})
    assert code_of(refused) == "not-your-turn"
    assert refused.json is not None
    assert refused.json["version"] == 2


def test_many_matches_are_played_in_one_call_with_one_result_each_in_order(world: World) -> None:
    ann = world.player("Ann")
    matches = []
    for _ in range(8):
        body = {"ruleset": "duel", "seats": [{"kind": "me"}, {"kind": "open"}]}
        made = ann.post("/v1/matches", body).json
        assert made is not None
        assert world.player("Bob").post(f"/v1/matches/{made['id']}/seats").status_code == 201
        matches.append(made["id"])
    moves = []
    for match in matches:
        legal = ann.view(match)["legal"]
        moves.append({"match": match, "action": "play", "cards": [legal[0] if legal else "6c"], "if_version": 2})
    moves.append({"match": "07-aaaaaaaaaaaa", "action": "take"})
    moves.append({"match": "99-aaaaaaaaaaaa", "action": "take"})
    answered = ann.post("/v1/moves", {"moves": moves}).json
    assert answered is not None
    assert [result["match"] for result in answered["results"]] == [move["match"] for move in moves]
    for move, result in zip(moves[:8], answered["results"], strict=False):
        if result["status"] == 201:
            assert result["version"] == 3
            assert result["view"]["pile"] == move["cards"]
        else:
            assert (result["status"], result["problem"]["code"]) == (409, "not-your-turn")
    assert {result["status"] for result in answered["results"][:8]} == {201, 409}
    assert [result["problem"]["code"] for result in answered["results"][8:]] == ["not-found", "not-found"]


def test_a_move_sent_again_through_the_other_door_with_its_key_is_the_same_move(world: World) -> None:
    match, ann, bob = world.duel()
    player = world.to_move(match, ann, bob)
    card = player.view(match)["legal"][0]
    single = player.move(match, card, headers={"Idempotency-Key": "k"})
    assert single.status_code == 201
    many = {"moves": [{"match": match, "action": "play", "cards": [card], "key": "k"}]}
    again = player.post("/v1/moves", many).json
    assert again is not None
    assert single.json is not None
    assert again["results"] == [{"match": match, "status": 201, **single.json}]
    whole = player.post("/v1/moves", many, {"Idempotency-Key": "w"})
    assert whole.json == again


def test_bots_move_only_through_their_own_door(world: World) -> None:
    ann = world.player()
    made = ann.post("/v1/matches", {"ruleset": "bornyu", "seats": [{"kind": "bot", "level": "greedy"}] * 4}).json
    assert made is not None
    assert code_of(ann.move(made["id"], "take")) == "not-your-seat"
