"""Hypothesis strategies shared by the tests."""

from hypothesis import strategies as st

from owntrumps.rules.rulesets import Ruleset, RulesetError, check_playable


def _playable(ruleset: Ruleset) -> bool:
    try:
        check_playable(ruleset)
    except RulesetError:
        return False
    return True


def rulesets() -> st.SearchStrategy[Ruleset]:
    """Every playable combination of parameters, with limits low enough to be reached."""
    return st.builds(
        Ruleset,
        deck=st.sampled_from([24, 32, 36, 52]),
        seats=st.sampled_from([2, 3, 4]),
        direction=st.sampled_from([1, -1]),
        first_leader=st.sampled_from(["after_dealer", "dealer"]),
        trump_choice=st.sampled_from(["declared", "turned"]),
        deal=st.sampled_from(["shuffled", "shuffled", "mirrored"]),
        low_card_exchange=st.booleans(),
        must_beat=st.booleans(),
        pick_up=st.sampled_from(["pile", "graded", "same_suit"]),
        after_last_beat=st.sampled_from(["lead", "beat", "discard"]),
        lead_after_pick_up=st.sampled_from(["next", "taker"]),
        one_card_draw=st.booleans(),
        repetition_limit=st.sampled_from([0, 3, 4]),
        ply_limit=st.sampled_from([1, 30, 150, 2000]),
    ).filter(_playable)


def seeds() -> st.SearchStrategy[str]:
    """A match's seed: 64 hex digits."""
    return st.binary(min_size=32, max_size=32).map(bytes.hex)
