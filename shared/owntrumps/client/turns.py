"""What a view says about whose turn it is."""

from owntrumps.views.view import View


def in_progress(view: View) -> bool:
    return view["status"] in ("open", "playing")


def is_callers_turn(view: View) -> bool:
    """Whether the caller is to move; not while a bot stands in for them."""
    you = view["you"]
    return you is not None and view["turn"] == you and view["seats"][you]["kind"] == "player"
