"""Players as this process knows them: asked for again after a second, so a token given up elsewhere lives that long."""

from collections import OrderedDict
from collections.abc import Callable
from threading import Lock
from time import monotonic
from typing import Final

from owntrumps.game.terms import PlayerId
from owntrumps.store import port
from owntrumps.store.port import Player

KNOWN_SECONDS: Final = 1.0
REMEMBERED: Final = 10_000


class Players:
    """A small cache over the store's players."""

    def __init__(self, store: port.Players, clock: Callable[[], float] = monotonic) -> None:
        self._store = store
        self._clock = clock
        self._lock = Lock()
        self._known: OrderedDict[PlayerId, tuple[float, Player]] = OrderedDict()

    def get(self, id_: PlayerId) -> Player | None:
        """The player, as the store had them at most a second ago."""
        now = self._clock()
        with self._lock:
            at, player = self._known.get(id_, (0.0, None))
        if player is not None and now - at < KNOWN_SECONDS:
            return player
        player = self._store.player(id_)
        if player is not None:
            with self._lock:
                self._known[id_] = (now, player)
                self._known.move_to_end(id_)
                if len(self._known) > REMEMBERED:
                    self._known.popitem(last=False)
        return player

    def still(self, player: Player) -> bool:
        """Whether the token with which the player came is good still."""
        now = self.get(player.id)
        return now is not None and now.token_hash == player.token_hash

    def revoke(self, id_: PlayerId) -> None:
        """Make the player's token worthless: here at once."""
        self._store.revoke(id_)
        with self._lock:
            self._known.pop(id_, None)
