"""What goes out. These describe; the values themselves come from `owntrumps.views` and are written as they are.

Every field is named and nothing else may appear: the tests hold each answer against this.
"""

from typing import Any, Final, Literal, get_args, get_origin, get_type_hints

from marshmallow import RAISE, Schema, fields, validate

from owntrumps.rules.cards import SUITS
from owntrumps.rules.rulesets import Ruleset
from owntrumps_api.schemas import values


class Answer(Schema):
    class Meta:
        unknown = RAISE


def _text(about: str = "", **settings: Any) -> fields.String:
    return fields.String(required=True, metadata={"description": about} if about else {}, **settings)


def _whole(about: str = "", **settings: Any) -> fields.Integer:
    return fields.Integer(required=True, metadata={"description": about} if about else {}, **settings)


def _yes_no(about: str = "") -> fields.Boolean:
    return fields.Boolean(required=True, metadata={"description": about} if about else {})


def _one_of(*choices: str, **settings: Any) -> fields.String:
    return fields.String(required=True, validate=validate.OneOf(choices), **settings)


def _moment(about: str = "", **settings: Any) -> fields.String:
    return fields.String(required=True, metadata={"format": "date-time", "description": about}, **settings)


def _cards(about: str) -> fields.List[Any]:
    card = fields.String(metadata={"pattern": values.CARD_PATTERN})
    return fields.List(card, required=True, metadata={"description": about})


def _seats(about: str) -> fields.List[Any]:
    return fields.List(fields.Integer(), required=True, metadata={"description": about})


def _parameter(hint: object) -> fields.Field[Any]:
    if hint is bool:
        return _yes_no()
    if hint is int:
        return _whole()
    choices = get_args(hint) if get_origin(hint) is Literal else ()
    kind = fields.Integer if isinstance(choices[0], int) else fields.String
    return kind(required=True, validate=validate.OneOf(choices))


class _Parameters(Answer):
    name = _text("The preset with exactly these parameters, or `custom`.")


RulesetShown: Final = _Parameters.from_dict(
    {name: _parameter(hint) for name, hint in get_type_hints(Ruleset).items() if name in Ruleset.__dataclass_fields__},
    name="RulesetShown",
)


class PlayerShown(Answer):
    id = _text()
    name = _text()
    created_at = _moment()


class PlayerMade(Answer):
    id = _text()
    name = _text()
    token = _text("Shown this once; only its hash is kept.")


class SeatShown(Answer):
    seat = _whole()
    kind = _one_of("open", "player", "bot")
    name = _text(allow_none=True)
    player = _text("The player's id.", allow_none=True)
    level = fields.String(metadata={"description": "Of a bot."})
    budget_ms = fields.Integer(metadata={"description": "How long a bot was asked to think about a play."})
    stand_in = _yes_no("A bot plays on for the seat's player, who may come back.")
    trump = _one_of(*SUITS, allow_none=True)
    cards = _whole("How many it holds.")
    out = _yes_no()
    known = _cards("Cards that everybody has seen it pick up or turn up and not play since.")


class DealResult(Answer):
    loser = fields.Integer()
    draw = fields.String(validate=validate.OneOf(["one_card", "repetition", "ply_limit"]))


class MatchResult(Answer):
    losers = fields.List(fields.Integer())
    forfeit = fields.Boolean()
    draw = fields.String(validate=validate.OneOf(["one_card", "repetition", "ply_limit", "no_lost_deal"]))
    aborted = fields.String(metadata={"description": "Why the match was called off."})


class Fairness(Answer):
    commitment = _text("SHA-256 of the seed.")
    seed = _text("Revealed once the match is over.", allow_none=True)
    nonces = fields.List(fields.String(allow_none=True), required=True)


class View(Answer):
    id = _text()
    status = _one_of("open", "playing", "finished", "aborted")
    version = _whole("How many decisions the log holds.")
    updated_at = _moment()
    ruleset = fields.Nested(RulesetShown, required=True)
    seats = fields.List(fields.Nested(SeatShown), required=True)
    you = _whole("The caller's seat; null for a spectator.", allow_none=True)
    game = _whole("Which deal of the series, from 1.")
    games = _whole()
    dealer = _whole(allow_none=True)
    leader = _whole(allow_none=True)
    turn = _whole("The seat to move.", allow_none=True)
    phase = _one_of("lead", "respond", allow_none=True)
    pile = _cards("Bottom to top.")
    discarded = _cards("Cards that left play.")
    out = _seats("In the order of going out.")
    hand = _cards("The caller's.")
    legal = fields.List(
        fields.String(metadata={"pattern": f"{values.CARD_PATTERN}|^take$"}),
        required=True,
        metadata={"description": "The caller's plays, if it is their turn."},
    )
    plies = _whole()
    turn_seconds = _whole(allow_none=True)
    on_timeout = _one_of("bot", "forfeit")
    private = _yes_no()
    creator = _text(allow_none=True)
    deadline = _moment("Until when the person to move has time.", allow_none=True)
    losses = _seats("Lost deals by seat.")
    deal_result = fields.Nested(DealResult, required=True, allow_none=True)
    result = fields.Nested(MatchResult, required=True, allow_none=True)
    fairness = fields.Nested(Fairness, required=True)
    link = fields.String(metadata={"description": "The key of a private match's link, for those who sit there."})


class Entry(Answer):
    """One decision. Cards that the caller may not see are null."""

    version = _whole()
    at = _moment()
    schema = _whole("Of the events.")
    events = fields.List(fields.Raw(metadata={"$ref": "#/components/schemas/Event"}), required=True)
    chain = _text("The entry's place in the log's hash chain.")


class EventsPage(Answer):
    entries = fields.List(fields.Nested(Entry), required=True)
    next = _whole("`after` of the next page; null at the log's end.", allow_none=True)


class MoveMade(Answer):
    version = _whole("Of the entry that the decision became.")
    events = fields.List(fields.Raw(metadata={"$ref": "#/components/schemas/Event"}), required=True)
    view = fields.Nested(View, required=True)


class Undecided(Answer):
    status = _one_of("undecided")
    location = _text("Where the answer will be.")


class ProblemShown(Schema):
    """RFC 9457. Further members depend on the code: `legal`, `version`, `turn`, `seat`, `reason`."""

    class Meta:
        unknown = "include"

    type = _text()
    title = _text()
    status = _whole()
    detail = _text()
    code = _text("A stable slug.")
    errors = fields.List(fields.Dict(keys=fields.String(), values=fields.String()))
    retry_after = fields.Integer(metadata={"description": "Seconds, as in Retry-After."})


class OneResult(Answer):
    match = _text()
    status = _whole("What POST /v1/matches/{match}/moves would have answered with.")
    version = fields.Integer()
    events = fields.List(fields.Raw(metadata={"$ref": "#/components/schemas/Event"}))
    view = fields.Nested(View)
    location = fields.String(metadata={"description": "With status 202: where the answer will be."})
    problem = fields.Nested(ProblemShown)


class ManyResults(Answer):
    results = fields.List(fields.Nested(OneResult), required=True)


class MatchListed(Answer):
    id = _text()
    status = _one_of("open", "playing", "finished", "aborted")
    version = _whole()
    ruleset = fields.Nested(RulesetShown, required=True)
    seats = fields.List(fields.Nested(SeatShown), required=True)
    you = _whole(allow_none=True)
    game = _whole()
    games = _whole()
    turn = _whole(allow_none=True)
    turn_seconds = _whole(allow_none=True)
    on_timeout = _one_of("bot", "forfeit")
    private = _yes_no()
    creator = _text(allow_none=True)
    losses = _seats("Lost deals by seat.")
    result = fields.Nested(MatchResult, required=True, allow_none=True)
    created_at = _moment()
    updated_at = _moment()


class MatchList(Answer):
    matches = fields.List(fields.Nested(MatchListed), required=True)
    next = _text("`cursor` of the next page; null at the end.", allow_none=True)


class Turn(Answer):
    match = _text()
    version = _whole()
    seat = _whole()
    game = _whole()
    phase = _one_of("lead", "respond")
    ruleset = _text("Its name.")
    deadline = _moment(allow_none=True)
    updated_at = _moment("Since when it is the caller's turn.")


class Turns(Answer):
    turns = fields.List(fields.Nested(Turn), required=True)


class Rulesets(Answer):
    rulesets = fields.List(fields.Nested(RulesetShown), required=True)


class Budget(Answer):
    default = _whole()
    least = _whole()
    most = _whole()


class Bot(Answer):
    level = _text()
    about = _text()
    budget_ms = fields.Nested(Budget, required=True)


class Bots(Answer):
    bots = fields.List(fields.Nested(Bot), required=True)


class SeekShown(Answer):
    id = _text()
    status = _one_of("waiting", "paired")
    ruleset = fields.Nested(RulesetShown, required=True)
    match = _text("The match, once it is there.", allow_none=True)
    created_at = _moment()
    expires_at = _moment()
    bots_at = _moment("When bots take the seats still empty.", allow_none=True)


class Seeks(Answer):
    seeks = fields.List(fields.Nested(SeekShown), required=True)


class Health(Answer):
    status = _one_of("ok")
