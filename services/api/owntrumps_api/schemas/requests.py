"""What clients may send. Unknown fields are refused by name; what the rules say to it is the engine's business."""

import re
import unicodedata
from typing import Any, Final

from marshmallow import RAISE, Schema, ValidationError, fields, validate, validates_schema

from owntrumps.game.decide import MAX_GAMES, MAX_TURN_SECONDS
from owntrumps_api.schemas import values

LONGEST_NAME: Final = 40
MOST_MOVES: Final = 256
"""Moves in one call of POST /v1/moves."""
LONGEST_BUDGET_MS: Final = 60_000
LONGEST_SEEK_SECONDS: Final = 3600


class Body(Schema):
    class Meta:
        unknown = RAISE
        ordered = True


class Nothing(Body):
    """No body, or an empty object."""


_JOINED: Final = re.compile(r"(?<=[^\s\u200c\u200d])[\u200c\u200d](?=[^\s\u200c\u200d])")
"""A joiner between two characters: a family of emoji has them, and so have words of Persian and Hindi."""


def _name(text: str) -> None:
    if not text.strip():
        raise ValidationError("A name has at least one character that is not a space.")
    odd = next((char for char in _JOINED.sub("", text) if unicodedata.category(char)[0] == "C"), None)
    if odd is not None:
        raise ValidationError(f"A name has no control or format characters, such as {odd!r}.")


class NewPlayer(Body):
    name = fields.String(
        required=True,
        validate=[validate.Length(1, LONGEST_NAME), _name],
        metadata={"description": "What others see; need not be unique."},
    )


class SeatAsked(Body):
    """`me` may name a trump and a nonce; a `bot` has a level, perhaps a trump and a budget; `open` has nothing."""

    kind = values.choice(("me", "bot", "open"), "Who sits here: the caller, a bot, or whoever comes.", required=True)
    level = fields.String(validate=validate.Length(1, 40), metadata={"description": "A bot's level, see /v1/bots."})
    budget_ms = values.number(1, LONGEST_BUDGET_MS, "A bot's thinking time per play, within its level's limits.")
    trump = values.suit("The seat's trump, where trumps are declared.")
    nonce = values.pattern(
        values.NONCE_PATTERN,
        "A nonce is 1 to 64 letters, digits or _ . : + / = -",
        "Mixed into the shuffle, so that the server alone cannot choose it.",
    )

    @validates_schema
    def fits_kind(self, data: dict[str, Any], **_: Any) -> None:
        allowed = {"me": {"trump", "nonce"}, "bot": {"level", "budget_ms", "trump"}, "open": set()}[data["kind"]]
        for name in data.keys() - allowed - {"kind"}:
            raise ValidationError(f"A seat of kind {data['kind']} has no {name}.", name)
        if data["kind"] == "bot" and "level" not in data:
            raise ValidationError("A bot's seat names its level.", "level")


class NewMatch(Body):
    ruleset = values.RulesetGiven(
        required=True,
        metadata={
            "description": 'A preset\'s name, a complete parameter set, or `{"base": NAME, overrides…}`.',
            "examples": ["bornyu", {"base": "duel", "deck": 24}],
        },
    )
    seats = fields.List(
        fields.Nested(SeatAsked),
        required=True,
        validate=validate.Length(1, 4),
        metadata={"description": "One for each seat, in order; at most one is `me`."},
    )
    games = values.number(1, MAX_GAMES, "Deals in the series.", load_default=1)
    trump = values.suit("The trump of the `me` seat.")
    nonce = values.pattern(
        values.NONCE_PATTERN, "A nonce is 1 to 64 letters, digits or _ . : + / = -", "Of the `me` seat."
    )
    turn_seconds = values.number(1, MAX_TURN_SECONDS, "A person's time per turn; none by default.", allow_none=True)
    on_timeout = values.choice(("bot", "forfeit"), "What becomes of the seat of somebody who left.", load_default="bot")
    private = values.StrictBoolean(
        load_default=False, metadata={"description": "Seen and joined only by those who have its link."}
    )
    seed = values.pattern(
        "^[0-9a-fA-F]{64}$",
        "A seed is 64 hex digits.",
        "The whole chance of the match; only where the server allows it.",
    )


class SeatTaken(Body):
    trump = values.suit("Where trumps are declared; drawn from the match's seed if nobody names one.")
    nonce = values.pattern(
        values.NONCE_PATTERN, "A nonce is 1 to 64 letters, digits or _ . : + / = -", "Mixed into the shuffle."
    )


class TrumpChosen(Body):
    trump = values.suit("The caller's trump.", required=True)


def _card() -> fields.String:
    return values.pattern(
        values.CARD_PATTERN, "{input!r} is not a card: write rank then suit, such as 7c or Th.", "Rank then suit."
    )


class Move(Body):
    """``{"action": "play", "cards": ["Jh", "9c"]}`` or ``{"action": "take"}``."""

    action = values.choice(("play", "take"), "Put cards on the pile, or pick up from it.", required=True)
    cards = fields.List(
        _card(),
        validate=validate.Length(1, 2),
        metadata={
            "description": "Only with `play`: one card, or in phase respond the beating card and the card led on it.",
            "examples": [["7c"], ["Jh", "9c"]],
        },
    )

    @validates_schema
    def fits_action(self, data: dict[str, Any], **_: Any) -> None:
        if data["action"] == "play" and "cards" not in data:
            raise ValidationError("A play names its cards.", "cards")
        if data["action"] == "take" and "cards" in data:
            raise ValidationError("A take names no cards.", "cards")


class OneOfManyMoves(Move):
    match = values.match_id("The match to move in.", required=True)
    if_version = values.number(0, 999_999_999, "Refused as stale-version unless the match is at this version.")
    key = values.pattern(
        values.KEY_PATTERN, "A key is 1 to 200 visible ASCII characters.", "The move's idempotency key."
    )


class ManyMoves(Body):
    moves = fields.List(
        fields.Nested(OneOfManyMoves),
        required=True,
        validate=validate.Length(1, MOST_MOVES),
        metadata={"description": "Answered one by one, in this order."},
    )


class NewSeek(Body):
    ruleset = values.RulesetGiven(required=True, metadata={"description": "As in POST /v1/matches."})
    seats = values.number(2, 4, "How many play, where that differs from the ruleset's own number.")
    bots_after = values.number(
        0, LONGEST_SEEK_SECONDS, "Seconds after which bots take the seats still empty; never by default."
    )
    level = fields.String(
        load_default="greedy", validate=validate.Length(1, 40), metadata={"description": "Of those bots, see /v1/bots."}
    )
    trump = values.suit("A wish, where trumps are declared: of two with the same one, whoever came first gets it.")
    expires_after = values.number(5, LONGEST_SEEK_SECONDS, "Seconds for which to look.", load_default=300)
