"""A whole match can be played by one who only reads lines and types lines, in any terminal."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from owntrumps.cli.terminal.faces import NO_BREAK, Faces, folded
from owntrumps.cli.terminal.game import RefusedError, Update
from owntrumps.cli.terminal.offline import OfflineGame
from owntrumps.cli.terminal.screen import picked_up
from owntrumps.cli.terminal.session import LeftError, Session, watch
from owntrumps.cli.terminal.words import Words
from owntrumps.rules.rulesets import PRESETS
from owntrumps.views.view import View
from tests.cli.terminals import SEED, Person, Shown, lowest, offline, typing


@pytest.mark.parametrize("ruleset", sorted(PRESETS))
def test_a_match_of_every_preset_is_played_to_its_end(ruleset: str):
    rules = replace(PRESETS[ruleset], ply_limit=120)
    shown = Shown()
    view = Session(offline(rules, games=2), shown.screen, Person(shown)).run()
    assert view["status"] == "finished"
    assert view["game"] == 2
    assert "Deal 2" in shown.text
    assert "the match" in shown.text.splitlines()[-1].lower()


@pytest.mark.parametrize("faces", ["french", "hungarian"])
def test_a_terminal_without_unicode_is_shown_ascii(faces):
    shown = Shown("ascii", faces=faces)
    with pytest.raises(LeftError):
        Session(offline(), shown.screen, typing()).run()
    assert "Your hand: " in shown.text
    assert ("tok" in shown.text) == (faces == "hungarian")


def test_no_line_is_wider_than_the_terminal():
    shown = Shown(faces="hungarian", width=60)
    Session(offline(replace(PRESETS["dudak"], deck=52, ply_limit=60)), shown.screen, Person(shown)).run()
    assert max(map(len, shown.text.splitlines())) <= 60


def test_a_long_list_of_cards_is_broken_between_cards_only():
    shown = Shown(faces="hungarian", width=40)
    shown.screen.say("  Anna takes: " + shown.screen.words.cards([f"{rank}h" for rank in "789TJQKA"]))
    first, *others = shown.text.splitlines()
    assert first.endswith(",")
    assert others
    assert all(line.startswith("    piros ") for line in others)


def test_nothing_is_sent_before_it_is_confirmed():
    shown = Shown()
    game = Recording(offline())
    with pytest.raises(LeftError):
        Session(game, shown.screen, typing("1", "u", "1", "2", "u", "u", "t")).run()
    assert game.moves == []
    with pytest.raises(LeftError):
        Session(game, shown.screen, typing("t", "")).run()
    assert game.moves == [["take"]]


def test_quick_moves_are_sent_without_another_enter():
    shown = Shown()
    game = Recording(offline())
    with pytest.raises(LeftError):
        Session(game, shown.screen, typing("t"), quick=True).run()
    assert game.moves == [["take"]]


def test_a_mistake_is_told_and_asked_again():
    shown = Shown()
    with pytest.raises(LeftError):
        Session(offline(), shown.screen, typing("99", "", "[bold]x")).run()
    assert "'99' is none of these" in shown.text
    assert "Choose first." in shown.text
    assert "'[bold]x' is none of these" in shown.text


def test_a_refused_move_is_told_and_asked_again():
    shown = Shown()
    game = Recording(offline(), refuse=1)
    with pytest.raises(LeftError):
        Session(game, shown.screen, typing("t", "", "t", "")).run()
    assert "Not accepted: not now" in shown.text
    assert game.moves == [["take"], ["take"]]


def test_the_commands_of_the_terminal_send_nothing():
    shown = Shown()
    game = Recording(offline())
    with pytest.raises(LeftError):
        Session(game, shown.screen, typing("?", "r", "f", "q", "t", "")).run()
    assert "Type the number of a card" in shown.text
    assert "piros" in shown.text
    assert game.moves == []


class Recording:
    """A game that keeps what is sent, and refuses the first so many moves."""

    def __init__(self, game: OfflineGame, *, refuse: int = 0) -> None:
        self._game = game
        self._refuse = refuse
        self.moves: list[list[str]] = []

    def start(self) -> Update:
        return self._game.start()

    def wait(self) -> Update:
        return self._game.wait()

    def play(self, view: View, plays: Sequence[str]) -> None:
        self.moves.append(list(plays))
        if self._refuse:
            self._refuse -= 1
            raise RefusedError("not now")
        self._game.play(view, plays)


def test_the_table_shows_who_holds_how_many_and_what_was_seen():
    shown = Shown()
    update = offline().start()
    shown.screen.table(update.view)
    rows = [line for line in shown.text.splitlines() if "lowest" in line]
    assert len(rows) == 3
    for seat, row in zip(update.view["seats"][1:], rows, strict=True):
        assert str(seat["cards"]) in row.split()
        assert all(Faces().card(card) in row for card in seat["known"])


def to_respond(game: OfflineGame) -> View:
    """The first view in which the person must respond."""
    view = game.start().view
    while not (view["legal"] and view["phase"] == "respond"):
        if view["legal"]:
            game.play(view, view["legal"][:1])
        view = game.wait().view
    return view


@pytest.mark.parametrize("ruleset", sorted(PRESETS))
def test_what_a_take_would_pick_up_is_what_it_picks_up(ruleset: str):
    game = offline(replace(PRESETS[ruleset], must_beat=False))
    view = to_respond(game)
    game.play(view, ["take"])
    taken = [event for event in game.wait().happened if event["type"] == "pile-taken"]
    assert taken[0]["cards"] == picked_up(view)


def test_the_bots_of_a_match_offline_see_their_own_hand_only():
    seen: list[View] = []

    def looking(view: View, events, level: str) -> list[str]:
        seen.append(view)
        dealt = [event for event in events if event["type"] == "deal-dealt"]
        for seat, hand in enumerate(dealt[0]["hands"]):
            assert (None in hand) == (seat != view["you"])
        return lowest(view, events, level)

    game = OfflineGame(PRESETS["dudak"], "dudak", [("looking", looking)] * 3, seed=SEED)
    to_respond(game)
    assert seen
    assert all(view["fairness"]["seed"] is None for view in seen)


def test_the_same_seed_deals_the_same_cards():
    assert offline().start().view["hand"] == offline().start().view["hand"]
    assert offline().start().view["hand"] != offline(seed="cd" * 32).start().view["hand"]


def test_a_bots_lead_on_a_beat_that_ends_the_deal_is_left_out():
    def two_cards(view: View, events, level: str) -> list[str]:
        plays = view["legal"][:1]
        others = [card for card in view["hand"] if card not in plays]
        return plays + others[:1] if view["phase"] == "respond" and plays != ["take"] else plays

    rules = replace(PRESETS["duel"], ply_limit=2)
    game = OfflineGame(rules, "custom", [("two", two_cards)], seed=SEED)
    view = game.start().view
    while view["status"] == "playing":
        if view["legal"]:
            game.play(view, view["legal"][-1:])
        view = game.wait().view
    assert view["result"] == {"draw": "ply_limit"}


def test_an_impossible_match_is_refused():
    with pytest.raises(RefusedError, match="turned"):
        offline("bornyu", trump=2)


def test_a_match_is_told_to_one_who_only_watches():
    shown = Shown()
    game = offline(replace(PRESETS["duel"], ply_limit=6))

    class Watched:
        """Both seats play by themselves."""

        def start(self) -> Update:
            return game.start()

        def wait(self) -> Update:
            update = game.wait()
            if update.view["legal"]:
                game.play(update.view, update.view["legal"][-1:])
            return update

        def play(self, view: View, plays: Sequence[str]) -> None:
            raise AssertionError("one who watches plays nothing")

    assert watch(Watched(), shown.screen)["status"] == "finished"
    assert "The match is a draw: the deal has become too long." in shown.text


def test_names_are_shown_as_they_are_and_never_as_markup():
    game = OfflineGame(PRESETS["duel"], "duel", [("[red]\x1b[31mEve", lowest)], seed=SEED)
    shown = Shown()
    shown.screen.table(game.start().view)
    assert "[red]?[31mEve" in shown.text
    assert "\x1b" not in shown.text


def test_cards_in_words():
    assert [Faces().card(card) for card in ("Th", "7c", "Ad", "Qs")] == ["10♥", "7♣", "A♦", "Q♠"]
    assert [Faces(plain=True).card(card) for card in ("Th", "7c")] == ["10h", "7c"]
    hungarian = [Faces("hungarian").card(card).replace(NO_BREAK, " ") for card in ("Th", "Jc", "Qd", "Ks", "Ah")]
    assert hungarian == ["piros 10", "makk alsó", "tök felső", "zöld király", "piros ász"]
    assert Faces("hungarian", plain=True).card("Qd") == f"tok{NO_BREAK}felso"
    assert folded("Þór ő 中") == "?or o ?"


def test_sentences_name_the_reader_as_you():
    words = Words(Faces())
    view = offline("svoi-kozyri").start().view
    event = {"type": "deal-dealt", "game": 2, "dealer": 1, "leader": 0}
    assert list(words.sentences(view, event)) == ["Deal 2: lowest 2 deals, you lead."]
    exchange = {"type": "cards-exchanged", "exchanges": [{"card": "6c", "giver": 0, "receiver": 2}]}
    assert list(words.sentences(view, exchange)) == ["lowest 3 gets 6♣ from you."]
    left = {"type": "seat-left", "seat": 0, "reason": "timeout", "then": "bot", "level": "greedy"}
    assert list(words.sentences(view, left)) == ["You run out of time: a bot plays on."]
    assert list(words.sentences(view, {"type": "clock-set"})) == []


def ended(result: dict[str, Any]) -> str:
    view = offline("svoi-kozyri").start().view
    view["result"] = result
    return Words(Faces()).result(view)


def test_every_end_of_a_match_has_its_sentence():
    assert ended({"losers": [0]}) == "You have lost the match."
    assert ended({"losers": [2], "forfeit": True}) == "lowest 3 has forfeited the match."
    assert ended({"losers": [0, 2]}) == "You and lowest 3 have lost the match."
    assert ended({"draw": "one_card"}) == "The match is a draw: the last card beats the top of the pile."
    assert ended({"draw": "no_lost_deal"}) == "The match is a draw: nobody lost a deal."
    assert ended({"aborted": "called-off"}) == "The match was called off (called-off)."
