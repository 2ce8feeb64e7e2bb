"""Headers and queries that operations understand."""

from typing import Final

from marshmallow import EXCLUDE, RAISE, Schema, fields, validate

from owntrumps.rules.rulesets import PRESETS
from owntrumps_api.schemas import values

LATEST_VERSION: Final = 999_999_999


class Headers(Schema):
    class Meta:
        unknown = EXCLUDE


class Query(Schema):
    class Meta:
        unknown = RAISE


class PostHeaders(Headers):
    idempotency_key = values.pattern(
        values.KEY_PATTERN,
        "A key is 1 to 200 visible ASCII characters.",
        "Makes a retry safe: the same key and body get the same answer, another body is refused. Use a random one.",
        data_key="Idempotency-Key",
    )
    prefer = fields.String(
        data_key="Prefer",
        validate=validate.Length(max=200),
        metadata={
            "description": "`wait=n`: how many seconds to wait for the engine's answer before 202.",
            "example": "wait=5",
        },
    )


class MoveHeaders(PostHeaders):
    if_match = values.pattern(
        values.ETAG_PATTERN,
        'If-Match is a version such as "17".',
        'The version the move was chosen at, such as `"17"`; 412 if the match has moved on.',
        data_key="If-Match",
    )


class ViewHeaders(Headers):
    if_none_match = fields.String(
        data_key="If-None-Match",
        validate=validate.Length(max=200),
        metadata={"description": 'A version the client has, such as `"17"`; 304 if there is no newer one.'},
    )


class StreamHeaders(Headers):
    last_event_id = fields.String(
        data_key="Last-Event-ID",
        validate=validate.Length(max=200),
        metadata={"description": "The last version a broken stream delivered; it wins over `after`."},
    )


def _link() -> fields.String:
    return values.pattern(
        "^[0-9a-f]{32}$",
        "A key is the 32 hex digits of a private match's link.",
        "The secret of a private match's link.",
    )


class KeyQuery(Query):
    key = _link()


class CommandQuery(Query):
    request = values.pattern(
        r"^([0-9a-f]{64})?$", "request is as in Location.", "Stands for what was sent, as in Location.", load_default=""
    )


class ViewQuery(KeyQuery):
    wait = values.QueryInteger(
        validate=validate.Range(0, 60), metadata={"description": "Seconds to wait for a version after `after`."}
    )
    after = values.QueryInteger(
        metadata={
            "description": "The version the client has, with `wait`; by default that of If-None-Match, or the newest."
        }
    )


class EventsQuery(KeyQuery):
    after = values.QueryInteger(load_default=0, metadata={"description": "The version after which to begin."})
    limit = values.QueryInteger(
        load_default=500, validate=validate.Range(1, 5000), metadata={"description": "Entries on a page (JSON only)."}
    )
    speed = fields.Float(
        validate=validate.Range(0.01, 1000),
        metadata={"description": "Streams only: what is past comes at so many times the pace it was played at."},
    )


class ListQuery(Query):
    status = values.choice(("open", "playing", "finished", "aborted"), "Only these.")
    ruleset = values.choice((*PRESETS, "custom"), "Only matches of this preset, or of none (`custom`).")
    player = values.pattern(values.PLAYER_PATTERN, "{input!r} is not a player's id.", "Only matches in which they sit.")
    cursor = values.pattern(values.CURSOR_PATTERN, "{input!r} is not a cursor.", "`next` of the page before.")
    limit = values.QueryInteger(
        load_default=50, validate=validate.Range(1, 100), metadata={"description": "Matches on a page."}
    )


class WaitQuery(Query):
    wait = values.QueryInteger(
        load_default=0, validate=validate.Range(0, 60), metadata={"description": "Seconds to wait for news."}
    )
