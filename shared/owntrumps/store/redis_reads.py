"""Waiting for whichever shard's stream grows first."""

import threading
import time
from collections.abc import Mapping
from typing import Any, Final, Protocol

from redis.client import PubSub

from owntrumps.store.port import StoreUnavailableError
from owntrumps.store.redis_link import Command, Link, errors_translated
from owntrumps.store.wire import Fields

MAX_BLOCK_MS: Final = 5_000
"""The longest the server may keep silent on purpose: the client takes a longer silence for a dead connection."""
MAX_BELL_MS: Final = 500
"""How long a cluster's streams may go unread where a bell was missed."""

Messages = list[tuple[str, list[tuple[bytes, Fields]]]]
"""By stream: each message's id and fields."""


class StreamReads(Protocol):
    """How messages are awaited."""

    def read(self, command: Command, streams: Mapping[str, str], *, block_ms: int, bell: str) -> Messages:
        """The messages that XREAD or XREADGROUP (``command``: all before BLOCK) finds after each stream's id."""

    def close(self) -> None: ...


class OneServerReads:
    """One command waits for all streams."""

    def __init__(self, link: Link) -> None:
        self._link = link

    def read(
        self,
        command: Command,
        streams: Mapping[str, str],
        *,
        block_ms: int,
        bell: str,  # noqa: ARG002 - a cluster's
    ) -> Messages:
        ends = time.monotonic() + block_ms / 1000
        while True:
            left = int((ends - time.monotonic()) * 1000)
            block: Command = ("BLOCK", min(left, MAX_BLOCK_MS)) if left > 0 else ()
            found = _messages(self._link.call(*command, *block, "STREAMS", *streams, *streams.values()))
            if found or left <= 0:
                return found

    def close(self) -> None:
        self._link.close()


class ClusterReads:
    """In a cluster a command waits for one slot only: so all are read, and after that a bell is awaited.

    The bell is a channel on which whoever appends to a stream publishes, heard on every node. Each thread has its own
    subscriptions.
    """

    def __init__(self, link: Link) -> None:
        self._link = link
        self._mine = threading.local()

    def read(self, command: Command, streams: Mapping[str, str], *, block_ms: int, bell: str) -> Messages:
        ends = time.monotonic() + block_ms / 1000
        if block_ms > 0:
            self._listen(bell)
        while True:
            answers = self._link.pipeline([(*command, "STREAMS", key, id_) for key, id_ in streams.items()])
            found = [message for answer in answers for message in _messages(answer)]
            left = ends - time.monotonic()
            if found or left <= 0:
                return found
            self._hear(bell, min(left, MAX_BELL_MS / 1000))

    def _subscriptions(self) -> dict[str, PubSub]:
        """This thread's, by bell."""
        subscriptions: dict[str, PubSub] = self._mine.__dict__.setdefault("subscriptions", {})
        return subscriptions

    def _listen(self, bell: str) -> None:
        """Subscribe, and wait until it is so: what is read after that was appended before or will be heard of."""
        subscriptions = self._subscriptions()
        if bell not in subscriptions:
            with errors_translated():
                subscription: PubSub = self._link.client.pubsub()
                subscription.subscribe(bell)
                subscription.get_message(timeout=MAX_BELL_MS / 1000)
            subscriptions[bell] = subscription

    def _hear(self, bell: str, seconds: float) -> None:
        """Wait for the bell, and take all its strokes at once."""
        subscription = self._subscriptions()[bell]
        try:
            with errors_translated():
                heard = subscription.get_message(timeout=seconds)
                while heard is not None:
                    heard = subscription.get_message(timeout=0)
        except StoreUnavailableError:
            del self._subscriptions()[bell]
            subscription.close()
            raise

    def close(self) -> None:
        """Subscriptions end with their threads; the link is the store's own."""


def _messages(answer: Any) -> Messages:
    """An answer as the client parses it under RESP2: a list of [stream, [(id, fields), …]], or nothing."""
    return [(stream.decode(), found) for stream, found in answer or ()]
