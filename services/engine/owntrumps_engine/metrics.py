"""What the engine counts, for Prometheus."""

from typing import Final

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, start_http_server

_BATCH_SIZES: Final = (1, 2, 4, 8, 16, 32, 64, 128, 256)
_SECONDS: Final = (0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5)


class Metrics:
    """One engine's counters, in a registry of their own: a process (a test, say) may hold several engines."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self.commands = Counter(
            "owntrumps_engine_commands",
            "Commands answered, by kind and by answer (accepted or the refusal's slug)",
            ["command", "answer"],
            registry=self.registry,
        )
        self.parked = Counter("owntrumps_engine_parked", "Commands put aside", registry=self.registry)
        self.conflicts = Counter(
            "owntrumps_engine_conflicts", "Decisions made anew since another was quicker", registry=self.registry
        )
        self.claimed = Counter(
            "owntrumps_engine_claimed", "Commands taken over from another engine", registry=self.registry
        )
        self.deadlines = Counter(
            "owntrumps_engine_deadlines", "What time did to matches", ["task"], registry=self.registry
        )
        self.lookups = Counter(
            "owntrumps_engine_cache_lookups", "Matches looked for in the cache", ["found"], registry=self.registry
        )
        self.cached = Gauge("owntrumps_engine_cached_matches", "Matches in the cache", registry=self.registry)
        self.batch_size = Histogram(
            "owntrumps_engine_batch_size", "Commands in a batch", buckets=_BATCH_SIZES, registry=self.registry
        )
        self.batch_seconds = Histogram(
            "owntrumps_engine_batch_seconds",
            "From a batch's receipt to its last answer",
            buckets=_SECONDS,
            registry=self.registry,
        )
        self.unavailable = Counter(
            "owntrumps_engine_store_unavailable", "Times the store could not be reached", registry=self.registry
        )

    def serve(self, port: int) -> None:
        """Answer GET /metrics on every address at this port, from a thread of its own; 0: do not."""
        if port:
            start_http_server(port, registry=self.registry)
