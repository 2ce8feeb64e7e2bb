"""What the operations of one app share: configuration, store, hub, counters. Found through the app, never a global."""

from dataclasses import dataclass, field
from typing import Final

from flask import current_app

from owntrumps.archive.archive import Archive
from owntrumps.game.terms import Millis
from owntrumps.store.checkpoints import Checkpoints
from owntrumps.store.port import Store
from owntrumps_api.clock import Clock
from owntrumps_api.config import ApiConfig
from owntrumps_api.held import Places, WriteLimit
from owntrumps_api.hub import Hub
from owntrumps_api.known_players import Players
from owntrumps_api.matchmaking import Matchmaker
from owntrumps_api.metrics import Metrics
from owntrumps_api.tails import Tails

KEY: Final = "owntrumps"


@dataclass(frozen=True, slots=True)
class Service:
    """``places`` are those for requests that are held open, ``tails`` the ends of the logs that are watched.
    ``store`` reads through to ``archive``, where there is one. ``past`` is how matches were at earlier versions."""

    config: ApiConfig
    store: Store
    hub: Hub
    metrics: Metrics
    places: Places
    writes: WriteLimit
    tails: Tails
    matchmaker: Matchmaker
    clock: Clock
    players: Players
    archive: Archive | None = None
    past: Checkpoints = field(default_factory=Checkpoints)

    def now(self) -> Millis:
        """The store's moment, asked for at most once a second."""
        return self.clock.now()

    def close(self) -> None:
        """End streams and waits, and stop its threads. The store is its opener's to close."""
        self.hub.close()
        self.matchmaker.close()
        self.hub.join()
        self.matchmaker.join()


def service() -> Service:
    """The running app's."""
    found: Service = current_app.extensions[KEY]
    return found
