"""What happened, in sentences."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final

from owntrumps.cli.terminal.faces import Faces
from owntrumps.views.view import View

Event = Mapping[str, Any]

_DRAWS: Final = {
    "one_card": "the last card beats the top of the pile",
    "repetition": "the position came back too often",
    "ply_limit": "the deal has become too long",
    "no_lost_deal": "nobody lost a deal",
}


class Words:
    """Sentences for one viewer: "You lead …", "Anna leads …"."""

    def __init__(self, faces: Faces) -> None:
        self.faces = faces

    def name(self, view: View, seat: int, *, you: str = "You") -> str:
        """``You``, or the seat's name, told apart from namesakes by the seat's number. ``you`` within a sentence."""
        if seat == view["you"]:
            return you
        names = [terms["name"] for terms in view["seats"]]
        name = names[seat] or "somebody"
        return name if names.count(names[seat]) == 1 else f"{name} {seat + 1}"

    def cards(self, cards: Sequence[str | None]) -> str:
        between = ", " if self.faces.name == "hungarian" else " "
        return between.join("?" if card is None else self.faces.card(card) for card in cards)

    def sentences(self, view: View, event: Event) -> Iterator[str]:
        """None or more; the view says who sits where."""
        tell = _TELL.get(event["type"])
        if tell is not None:
            yield from tell(self, view, event)

    def does(self, view: View, seat: int, verb: str, *, you: str = "You") -> str:
        """``You lead``, ``Anna leads``."""
        return f"{you} {verb}" if seat == view["you"] else f"{self.name(view, seat)} {_third(verb)}"

    def result(self, view: View) -> str:
        """How the match ended."""
        result = view["result"] or {}
        if "aborted" in result:
            return f"The match was called off ({result['aborted']})."
        if "draw" in result:
            return f"The match is a draw: {_DRAWS[result['draw']]}."
        losers = result.get("losers", [])
        has = self.does(view, losers[0], "have") if len(losers) == 1 else f"{self._listed(view, losers)} have"
        return f"{has} {'forfeited' if result.get('forfeit') else 'lost'} the match."

    def _listed(self, view: View, seats: Sequence[int]) -> str:
        return " and ".join(self.name(view, seat) for seat in seats)


def _third(verb: str) -> str:
    if verb == "have":
        return "has"
    return verb + ("es" if verb.endswith(("s", "sh")) else "s")


def _created(words: Words, view: View, event: Event) -> Iterator[str]:
    del words, event
    yield f"A match of {view['ruleset']['name']} for {len(view['seats'])} players."


def _seated(words: Words, view: View, event: Event) -> Iterator[str]:
    yield f"{words.does(view, event['seat'], 'sit')} down."


def _started(words: Words, view: View, event: Event) -> Iterator[str]:
    for seat, trump in enumerate(event["trumps"] or ()):
        yield f"{words.does(view, seat, 'have')} {words.faces.suit(trump)} for trumps."


def _dealt(words: Words, view: View, event: Event) -> Iterator[str]:
    deals = words.does(view, event["dealer"], "deal", you="you")
    leads = words.does(view, event["leader"], "lead", you="you")
    yield f"Deal {event['game']}: {deals}, {leads}."


def _turned(words: Words, view: View, event: Event) -> Iterator[str]:
    for seat, (trump, cards) in enumerate(zip(event["trumps"], event["turned"], strict=True)):
        yield f"{words.does(view, seat, 'turn')} up {words.cards(cards)}: {words.faces.suit(trump)} is trumps there."


def _exchanged(words: Words, view: View, event: Event) -> Iterator[str]:
    for exchange in event["exchanges"]:
        gets, giver = words.does(view, exchange["receiver"], "get"), words.name(view, exchange["giver"], you="you")
        yield f"{gets} {words.faces.card(exchange['card'])} from {giver}."


def _led(words: Words, view: View, event: Event) -> Iterator[str]:
    yield f"{words.does(view, event['seat'], 'lead')} {words.faces.card(event['card'])}."


def _beaten(words: Words, view: View, event: Event) -> Iterator[str]:
    yield f"{words.does(view, event['seat'], 'beat')} it with {words.faces.card(event['card'])}."


def _taken(words: Words, view: View, event: Event) -> Iterator[str]:
    yield f"{words.does(view, event['seat'], 'take')} {_counted(event['cards'])}: {words.cards(event['cards'])}."


def _discarded(words: Words, view: View, event: Event) -> Iterator[str]:
    del words, view
    yield f"The pile of {_counted(event['cards'])} leaves play."


def _counted(cards: Sequence[object]) -> str:
    return "1 card" if len(cards) == 1 else f"{len(cards)} cards"


def _lost(words: Words, view: View, event: Event) -> Iterator[str]:
    loser = "the calf" if view["ruleset"]["name"] == "bornyu" else "the loser"
    if event["loser"] == view["you"]:
        yield f"Deal {event['game']} is over: you alone hold cards. You are {loser}."
    else:
        yield f"Deal {event['game']} is over: {words.name(view, event['loser'])} alone holds cards, and is {loser}."


def _drawn(words: Words, view: View, event: Event) -> Iterator[str]:
    del words, view
    yield f"Deal {event['game']} is a draw: {_DRAWS[event['reason']]}."


def _left(words: Words, view: View, event: Event) -> Iterator[str]:
    then = "a bot plays on" if event["then"] == "bot" else "the seat forfeits"
    if event["reason"] == "resigned":
        yield f"{words.does(view, event['seat'], 'resign')}: {then}."
    else:
        yield f"{words.does(view, event['seat'], 'run')} out of time: {then}."


def _regained(words: Words, view: View, event: Event) -> Iterator[str]:
    yield f"{words.does(view, event['seat'], 'have')} come back."


def _warned(words: Words, view: View, event: Event) -> Iterator[str]:
    whose = "Your" if event["seat"] == view["you"] else f"{words.name(view, event['seat'])}'s"
    yield f"{whose} time is running out."


_TELL: Final[Mapping[str, Callable[[Words, View, Event], Iterator[str]]]] = {
    "match-created": _created,
    "seat-taken": _seated,
    "match-started": _started,
    "deal-dealt": _dealt,
    "trumps-turned": _turned,
    "cards-exchanged": _exchanged,
    "card-led": _led,
    "top-beaten": _beaten,
    "pile-taken": _taken,
    "pile-discarded": _discarded,
    "deal-lost": _lost,
    "deal-drawn": _drawn,
    "seat-left": _left,
    "seat-regained": _regained,
    "turn-warned": _warned,
}
"""What is not here is not told: the end of the match has its own sentence, clocks show in the table."""
