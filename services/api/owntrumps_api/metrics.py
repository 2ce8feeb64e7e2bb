"""Counters for Prometheus, one registry an app."""

from collections.abc import Callable

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

BUCKETS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30)


class Metrics:
    """``held`` tells how many requests are held open, ``silence`` how long the feed has not been heard."""

    def __init__(self, held: Callable[[], float], silence: Callable[[], float]) -> None:
        self.registry = CollectorRegistry()
        self.requests = Counter(
            "owntrumps_api_requests_total",
            "Answered requests.",
            ["operation", "method", "status"],
            registry=self.registry,
        )
        self.seconds = Histogram(
            "owntrumps_api_request_seconds",
            "From the request to its answer; streams count up to their first byte.",
            ["operation"],
            buckets=BUCKETS,
            registry=self.registry,
        )
        self.decisions = Histogram(
            "owntrumps_api_decision_seconds",
            "From a command's submission to the engine's answer.",
            buckets=BUCKETS,
            registry=self.registry,
        )
        self.undecided = Counter(
            "owntrumps_api_undecided_total", "Commands that got 202: no answer in time.", registry=self.registry
        )
        self.entries = Counter("owntrumps_api_stream_entries_total", "Entries sent on streams.", registry=self.registry)
        self.cut = Counter("owntrumps_api_streams_cut_total", "Streams of clients too slow.", registry=self.registry)
        Gauge("owntrumps_api_held", "Streams and long polls open now.", registry=self.registry).set_function(held)
        Gauge("owntrumps_api_feed_silence_seconds", "Since the feed was read.", registry=self.registry).set_function(
            silence
        )

        self._answered: dict[tuple[str, str, int], tuple[Counter, Histogram]] = {}

    def answered(self, operation: str, method: str, status: int, seconds: float) -> None:
        """Count an answered request."""
        key = (operation, method, status)
        if key not in self._answered:  # finding a label's counter costs more than counting
            self._answered[key] = (
                self.requests.labels(operation, method, str(status)),
                self.seconds.labels(operation),
            )
        counter, histogram = self._answered[key]
        counter.inc()
        histogram.observe(seconds)

    def text(self) -> bytes:
        """In Prometheus' text format."""
        written: bytes = generate_latest(self.registry)
        return written
