"""What holds in every match of every ruleset, whatever is played."""

from collections.abc import Sequence

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from owntrumps.game.commands import MakeMove
from owntrumps.game.log import Entry, fold, handle
from owntrumps.game.refusals import Refusal
from owntrumps.game.state import EMPTY, FinishedMatch, Match, PlayingMatch, is_over
from owntrumps.game.terms import ByBot, Millis
from owntrumps.rules.cards import Card, Seat, cards_of, mask_of, names_of, pack
from owntrumps.rules.deal import Draw, Loser
from owntrumps.rules.perft import moves
from owntrumps.rules.plays import TAKE, Play, legal_plays
from owntrumps.rules.rulesets import Ruleset
from owntrumps.views.redaction import visible_entry
from owntrumps.views.view import view_of
from tests.matches import accepted, create, move, refused
from tests.strategies import rulesets, seeds


class AnyMatch(RuleBasedStateMachine):
    """A match of bots over any ruleset, with legal and illegal moves."""

    def __init__(self) -> None:
        super().__init__()
        self.match: Match = EMPTY
        self.log: list[Entry] = []

    @initialize(ruleset=rulesets(), seed=seeds(), games=st.integers(1, 3))
    def begin(self, ruleset: Ruleset, seed: str, games: int) -> None:
        self.match, entry = accepted(EMPTY, create(ruleset, seed=seed, games=games))
        self.log = [entry]

    @property
    def playing(self) -> PlayingMatch:
        assert isinstance(self.match.state, PlayingMatch)
        return self.match.state

    def legal(self) -> Sequence[Play]:
        return moves(self.playing.board.table, self.playing.board.deal)

    @precondition(lambda self: isinstance(self.match.state, PlayingMatch))
    @rule(choice=st.integers(0, 51))
    def a_legal_play_is_accepted(self, choice: int) -> None:
        legal = self.legal()
        self.match, entry = accepted(self.match, move(self.match, legal[choice % len(legal)]))
        self.log.append(entry)

    @precondition(lambda self: isinstance(self.match.state, PlayingMatch))
    @rule(play=st.one_of(st.just(TAKE), st.integers(0, 51)))
    def a_play_is_accepted_exactly_if_it_is_listed(self, play: Play) -> None:
        events = handle(self.match, move(self.match, play))
        if play in self.legal():
            assert not isinstance(events, Refusal)
        else:
            assert isinstance(events, Refusal)
            assert events.slug == "illegal-play"
            assert events.extra["legal"] == legal_plays(self.playing.board.table, self.playing.board.deal.position)

    @precondition(lambda self: isinstance(self.match.state, PlayingMatch))
    @rule(seat=st.integers(0, 3), card=st.integers(0, 51))
    def nobody_moves_out_of_turn(self, seat: int, card: int) -> None:
        state = self.playing
        if seat < len(state.seats) and seat != state.board.deal.position.turn:
            command = MakeMove(Millis(self.match.at), ByBot(Seat(seat)), (Card(card),))
            assert refused(self.match, command).slug == "not-your-turn"

    @invariant()
    def every_card_is_in_one_place(self) -> None:
        state = self.match.state
        if isinstance(state, PlayingMatch | FinishedMatch):
            position = state.board.deal.position
            places = [hand.cards for hand in position.hands] + [mask_of(position.pile), position.discarded]
            assert sum(place.bit_count() for place in places) == state.terms.ruleset.deck
            assert sum(places) == pack(state.terms.ruleset.deck)
            assert len(position.pile) == len(set(position.pile))

    @invariant()
    def exactly_one_seat_is_to_move_and_it_holds_cards(self) -> None:
        state = self.match.state
        if isinstance(state, PlayingMatch):
            position = state.board.deal.position
            assert position.hands[position.turn].count > 0
            assert len(position.holders()) >= 2
            assert self.legal()
            assert position.phase == "lead" or position.pile

    @invariant()
    def a_lost_deal_leaves_one_seat_with_cards(self) -> None:
        state = self.match.state
        if isinstance(state, FinishedMatch):
            holders = state.board.deal.position.holders()
            if isinstance(state.score.last, Loser):
                assert holders == [state.score.last.seat]
            elif state.score.last == Draw("one_card"):
                assert len(holders) == 1
                assert state.board.deal.position.counts()[holders[0]] == 1
            else:
                assert len(holders) >= 2

    @invariant()
    def refolding_the_log_gives_the_match(self) -> None:
        assert fold(self.log) == self.match

    @rule()
    def every_redacted_log_folds_to_that_viewers_view(self) -> None:
        state = self.match.state
        if isinstance(state, PlayingMatch | FinishedMatch):
            for viewer in (None, *map(Seat, range(len(state.seats)))):
                redacted = fold(visible_entry(entry, state, viewer) for entry in self.log)
                assert view_of(redacted, viewer) == view_of(self.match, viewer)

    @rule()
    def nothing_can_be_done_to_a_match_that_is_over(self) -> None:
        if is_over(self.match.state):
            command = MakeMove(Millis(self.match.at), ByBot(Seat(0)), (TAKE,))
            assert refused(self.match, command).slug == "match-over"


AnyMatch.TestCase.settings = settings(max_examples=40, stateful_step_count=50, deadline=None)
TestAnyMatch = AnyMatch.TestCase


def test_card_sets_list_their_members_in_canonical_order() -> None:
    assert names_of(mask_of(cards_of(pack(24))[::-1]))[:7] == ["9c", "Tc", "Jc", "Qc", "Kc", "Ac", "9d"]
