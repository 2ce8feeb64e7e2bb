"""The figures of all workers, summed up where they share a place anyway: a hash on RQ's server.

Workers come and go with the load, so figures kept in each would be lost or have to be gathered; whoever asks
(`owntrumps_bots.metrics`) asks once. Fields are ``<figure>:<level>[:<part>]``, every value only ever grows:

    jobs:<level>:<ending>               jobs ended so
    busy:<level>:sum                    seconds that jobs kept their workers
    waited:<level>:<bound> | :sum       turns first looked at within so many seconds of the move before (each counted
    thought:<level>:<bound> | :sum      once, under its smallest bound or `inf`), and the sum in seconds; thinking alike
"""

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from typing import Final

from redis import Redis

from owntrumps_bots.reports import Report

KEY: Final = "bots:tallies"

BOUNDS: Final = {
    "waited": ("0.005", "0.01", "0.025", "0.05", "0.1", "0.25", "0.5", "1", "2", "5", "10"),
    "thought": ("0.0005", "0.001", "0.0025", "0.005", "0.01", "0.025", "0.05", "0.1", "0.25", "0.5", "1", "2.5"),
}
"""Upper bounds of the histograms, in seconds."""

INFINITE: Final = "inf"


class Tallies:
    """Adds one job's report in one round trip."""

    def __init__(self, connection: Redis) -> None:
        self._connection = connection

    def add(self, report: Report) -> None:
        with self._connection.pipeline(transaction=False) as pipeline:
            pipeline.hincrby(KEY, f"jobs:{report.level}:{report.ending}", 1)
            pipeline.hincrbyfloat(KEY, f"busy:{report.level}:sum", report.busy)
            for figure, seconds in (("waited", _known(report.waited)), ("thought", report.thoughts)):
                for bound, times in _by_bound(BOUNDS[figure], seconds).items():
                    pipeline.hincrby(KEY, f"{figure}:{report.level}:{bound}", times)
                if seconds:
                    pipeline.hincrbyfloat(KEY, f"{figure}:{report.level}:sum", sum(seconds))
            pipeline.execute()


def _known(seconds: float | None) -> list[float]:
    return [] if seconds is None else [seconds]


def _by_bound(bounds: Sequence[str], seconds: Iterable[float]) -> dict[str, int]:
    """How many values fall under each smallest bound."""
    limits = [float(bound) for bound in bounds]
    counted: dict[str, int] = {}
    for value in seconds:
        index = bisect_left(limits, value)
        bound = bounds[index] if index < len(bounds) else INFINITE
        counted[bound] = counted.get(bound, 0) + 1
    return counted
