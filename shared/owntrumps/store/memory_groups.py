"""A consumer group in memory."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from owntrumps.game.terms import Millis
from owntrumps.store.port import Shard

Key = tuple[Shard, int]
"""A message: its shard and its number, which grows."""


@dataclass(slots=True)
class Handed:
    """To whom a message went, when last, and how often so far."""

    consumer: str
    at: Millis
    times: int


@dataclass(slots=True)
class Group:
    """Each message of the shards' streams goes to one consumer, until somebody settles it."""

    after: dict[Shard, int] = field(default_factory=dict)
    handed: dict[Key, Handed] = field(default_factory=dict)

    def take(self, messages: Iterable[Key], consumer: str, now: Millis, limit: int) -> list[Key]:
        """The first messages that went to nobody yet."""
        taken = [(shard, id_) for shard, id_ in messages if id_ > self.after.get(shard, 0)][:limit]
        for shard, id_ in taken:
            self.after[shard] = id_
            self.handed[shard, id_] = Handed(consumer, now, 1)
        return taken

    def claim(self, consumer: str, now: Millis, idle_ms: int, limit: int) -> list[tuple[Shard, int, int]]:
        """Messages that nobody settled for so long: shard, number, times handed out."""
        idle = [key for key, handed in self.handed.items() if now - handed.at >= idle_ms][:limit]
        for key in idle:
            self.handed[key] = Handed(consumer, now, self.handed[key].times + 1)
        return [(shard, id_, self.handed[shard, id_].times) for shard, id_ in idle]

    def settle(self, key: Key) -> None:
        self.handed.pop(key, None)
