"""What goes out of the archive: results, ratings and records."""

from marshmallow import fields, validate

from owntrumps.rules.rulesets import PRESETS
from owntrumps_api.schemas import values
from owntrumps_api.schemas.answers import Answer, Entry, Fairness, PlayerShown, RulesetShown
from owntrumps_api.schemas.headers import Query


class RatingShown(Answer):
    """A skill that is believed to be normally distributed."""

    rating = fields.Float(required=True, metadata={"description": "Its mean; somebody new has 25."})
    uncertainty = fields.Float(required=True, metadata={"description": "Its standard deviation; it shrinks with play."})
    low = fields.Float(
        required=True, metadata={"description": "Three deviations below the mean: what boards are ordered by."}
    )


class ResultsShown(Answer):
    ruleset = fields.String(required=True, metadata={"description": "A preset, or `custom`."})
    matches = fields.Integer(required=True, metadata={"description": "Finished public ones."})
    lost = fields.Integer(required=True)
    drawn = fields.Integer(required=True)
    forfeited = fields.Integer(required=True)
    calf = fields.Integer(required=True, metadata={"description": "Lost deals: how often they were the calf."})
    rating = fields.Nested(RatingShown, required=True, allow_none=True)


class PlayerProfile(PlayerShown):
    results = fields.List(fields.Nested(ResultsShown), required=True, metadata={"description": "By ruleset."})


class StandingShown(RatingShown):
    rank = fields.Integer(required=True)
    kind = fields.String(required=True, validate=validate.OneOf(["player", "bot"]))
    name = fields.String(required=True, allow_none=True)
    player = fields.String(metadata={"description": "The player's id."})
    level = fields.String(metadata={"description": "Of a bot."})
    matches = fields.Integer(required=True)
    lost = fields.Integer(required=True)


class Leaderboard(Answer):
    ruleset = fields.String(required=True)
    leaderboard = fields.List(fields.Nested(StandingShown), required=True)


class LeaderboardQuery(Query):
    ruleset = values.choice(tuple(PRESETS), "Of which preset.", load_default="bornyu")
    limit = values.QueryInteger(
        load_default=100, validate=validate.Range(1, 500), metadata={"description": "Ranks shown."}
    )


class _RecordSeat(Answer):
    seat = fields.Integer(required=True)
    kind = fields.String(required=True)
    name = fields.String(required=True, allow_none=True)
    player = fields.String(required=True, allow_none=True)
    level = fields.String(required=True, allow_none=True)
    stand_in = fields.Boolean(required=True)
    trump = fields.String(required=True, allow_none=True)


class Record(Answer):
    """The portable record. Cards that the caller may not see are null."""

    format = fields.String(required=True)
    match = fields.String(required=True)
    ruleset = fields.Nested(RulesetShown, required=True)
    games = fields.Integer(required=True)
    seats = fields.List(fields.Nested(_RecordSeat), required=True)
    trumps = fields.List(fields.String(), required=True, allow_none=True)
    deals = fields.List(
        fields.Dict(keys=fields.String()),
        required=True,
        metadata={"description": "Each has game, dealer, leader, trumps, dealt, hands, plays, result, out."},
    )
    losses = fields.List(fields.Integer(), required=True)
    result = fields.Dict(keys=fields.String(), required=True, allow_none=True)
    fairness = fields.Nested(Fairness, required=True)
    chain = fields.String(required=True)
    entries = fields.List(fields.Nested(Entry), required=True, metadata={"description": "The whole log."})
