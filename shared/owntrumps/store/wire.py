"""How the port's values stand in Redis, and back."""

import re
from collections.abc import Mapping
from typing import Any

import msgspec

from owntrumps.game.moments import iso, millis_of
from owntrumps.game.refusals import Refusal
from owntrumps.game.terms import MatchId, Millis, PlayerId, Version
from owntrumps.rules.cards import Seat
from owntrumps.store.codec import MalformedDataError, read_command, write_command
from owntrumps.store.ids import is_command_id, is_match_id, shard_of
from owntrumps.store.port import (
    Accepted,
    BotTurn,
    CommandId,
    MatchIndex,
    Notice,
    Outcome,
    Player,
    Shard,
    Status,
    StoredEntry,
    Submission,
)

Fields = Mapping[bytes, bytes]
"""A stream message as the client gives it."""

_encode = msgspec.json.Encoder(order="sorted").encode
_STATUSES: Mapping[bytes, Status] = {
    b"open": "open",
    b"playing": "playing",
    b"finished": "finished",
    b"aborted": "aborted",
}
_PAYLOAD = re.compile(
    rb'\{"at":"(?P<at>[^"]+)","events":(?P<events>\[.*\]),'
    rb'"schema":(?P<schema>[1-9][0-9]*),"version":(?P<version>[1-9][0-9]*)\}',
    re.DOTALL,
)
_CHAIN = re.compile(r"[0-9a-f]{64}", re.ASCII)


def submission_fields(submission: Submission) -> dict[str, str | bytes]:
    return {
        "id": submission.id,
        "match": submission.match,
        "fingerprint": submission.fingerprint,
        "command": write_command(submission.command),
    }


def raw_fields(fields: Fields) -> dict[str, str]:
    """A message as text, whatever bytes it is made of."""
    return {_text(name): _text(value) for name, value in fields.items()}


def _text(value: bytes) -> str:
    return value.decode(errors="backslashreplace")


def submission_of(shard: Shard, raw: Mapping[str, str]) -> Submission | None:
    """The submission, None if this is none that belongs into the shard's inbox."""
    id_, match = raw.get("id", ""), MatchId(raw.get("match", ""))
    if not is_command_id(id_) or not is_match_id(match) or shard_of(match) != shard:
        return None
    try:
        command = read_command(raw.get("command", ""))
    except MalformedDataError:
        return None
    return Submission(CommandId(id_), match, command, raw.get("fingerprint", ""))


def entry_fields(entry: StoredEntry) -> tuple[int, int, bytes, bytes]:
    """The parts of an entry that its version does not give: moment, schema, events (JSON), chain hash (32 bytes).

    A log of these takes a quarter less memory than one of whole payloads in the same stream. ValueError if the payload
    would not come back byte for byte, since its hash stands for those bytes.
    """
    parts = _PAYLOAD.fullmatch(entry.payload)
    if parts is None or int(parts["version"]) != entry.version or _CHAIN.fullmatch(entry.chain) is None:
        raise ValueError(f"entry {entry.version} is no canonical JSON with a chain hash of 64 hex digits")
    at = millis_of(parts["at"].decode())
    return at, int(parts["schema"]), parts["events"], bytes.fromhex(entry.chain)


def entry_of(id_: bytes, fields: Fields) -> StoredEntry:
    version, at = id_.partition(b"-")[0], iso(Millis(int(fields[b"at"]))).encode()
    payload = b'{"at":"%s","events":%s,"schema":%s,"version":%s}' % (at, fields[b"events"], fields[b"schema"], version)
    return StoredEntry(Version(int(version)), payload, fields[b"chain"].hex())


def outcome_value(outcome: Outcome) -> bytes:
    """``<version, 0 if refused> <match> <fingerprint, or JSON of the refusal>``: scripts read the version."""
    answer = outcome.answer
    if isinstance(answer, Accepted):
        return f"{answer.version} {outcome.match} {outcome.fingerprint}".encode()
    refusal = {
        "fingerprint": outcome.fingerprint,
        "slug": answer.slug,
        "detail": answer.detail,
        "extra": answer.extra,
    }
    return b"0 %s %s" % (outcome.match.encode(), _encode(refusal))


def outcome_of(id_: CommandId, value: bytes) -> Outcome:
    version, match, rest = value.split(b" ", 2)
    if version != b"0":
        return Outcome(id_, MatchId(match.decode()), rest.decode(), Accepted(Version(int(version))))
    written = msgspec.json.decode(rest)
    refusal = Refusal(written["slug"], written["detail"], written["extra"])
    return Outcome(id_, MatchId(match.decode()), written["fingerprint"], refusal)


def bot_turn_text(bot_turn: BotTurn | None) -> str:
    return "" if bot_turn is None else f"{bot_turn.seat} {bot_turn.level}"


def _bot_turn_of(text: bytes) -> BotTurn | None:
    if not text:
        return None
    seat, level = text.decode().split(" ", 1)
    return BotTurn(Seat(int(seat)), level)


def notice_of(shard: Shard, cursor: bytes, fields: Fields) -> Notice:
    version = int(fields[b"version"])
    return Notice(
        shard,
        cursor.decode(),
        MatchId(fields[b"match"].decode()),
        CommandId(fields[b"command"].decode()),
        Version(version) if version else None,
        _STATUSES.get(fields[b"status"]),
        _bot_turn_of(fields[b"bot"]),
        PlayerId(fields[b"to_move"].decode()) or None,
    )


def index_value(index: MatchIndex) -> bytes:
    """JSON that scripts read; equal indexes give equal bytes."""
    written: dict[str, Any] = {
        "status": index.status,
        "ruleset": index.ruleset_name,
        "private": index.private,
        "created_at": index.created_at,
        "players": index.players,
    }
    if index.to_move is not None:
        written["to_move"] = index.to_move
    return _encode(written)


def index_of(value: bytes) -> MatchIndex:
    written = msgspec.json.decode(value)
    return MatchIndex(
        written["status"],
        written["ruleset"],
        written["private"],
        Millis(written["created_at"]),
        tuple(map(PlayerId, written["players"])),
        written.get("to_move"),
    )


def player_value(player: Player) -> bytes:
    return _encode({"name": player.name, "token_hash": player.token_hash, "created_at": player.created_at})


def player_of(id_: PlayerId, value: bytes) -> Player:
    written = msgspec.json.decode(value)
    return Player(id_, written["name"], written["token_hash"], Millis(written["created_at"]))
