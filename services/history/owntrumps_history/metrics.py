"""What a history process counts, for Prometheus."""

from typing import Final

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, start_http_server

_SECONDS: Final = (0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10)


class Metrics:
    """One process's counters, in a registry of their own: a process (a test, say) may hold several."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self.archived = Counter("owntrumps_history_archived", "Matches written to the archive", registry=self.registry)
        self.swept = Counter(
            "owntrumps_history_swept",
            "Matches of these that the feed had not told, or not in time",
            registry=self.registry,
        )
        self.forgotten = Counter(
            "owntrumps_history_forgotten", "Archived matches that left the store", registry=self.registry
        )
        self.stuck = Gauge(
            "owntrumps_history_stuck", "Matches that cannot be archived or let go: look at them", registry=self.registry
        )
        self.save_seconds = Histogram(
            "owntrumps_history_save_seconds",
            "One transaction of saved matches and their ratings",
            buckets=_SECONDS,
            registry=self.registry,
        )
        self.unavailable = Counter(
            "owntrumps_history_unavailable",
            "Times the store or the database could not be reached",
            ["what"],
            registry=self.registry,
        )

    def serve(self, port: int) -> None:
        """Answer GET /metrics on every address at this port, from a thread of its own; 0: do not."""
        if port:
            start_http_server(port, registry=self.registry)
