"""The service's figures for Prometheus: read from RQ's server at each scrape, so any one dispatcher tells all."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Final

from prometheus_client import CollectorRegistry, start_http_server
from prometheus_client.metrics_core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily, Metric
from prometheus_client.registry import Collector
from redis import Redis
from rq import Worker
from rq.utils import as_text

from owntrumps_bots.budgets import LEVELS
from owntrumps_bots.config import BotsConfig
from owntrumps_bots.tallies import BOUNDS, INFINITE, KEY
from owntrumps_bots.turns import TurnQueues

_HELP: Final = {
    "waited": ("owntrumps_bots_wait_seconds", "From the move before to a worker's first look at the turn"),
    "thought": ("owntrumps_bots_thinking_seconds", "Thinking about one turn"),
}


class BotsCollector(Collector):
    """Queues, workers and tallies as they are at the moment of the scrape."""

    def __init__(self, connection: Redis, config: BotsConfig) -> None:
        self._connection = connection
        self._turns = TurnQueues(connection, config)

    def describe(self) -> Iterable[Metric]:
        """Nothing: a registry that checks names would otherwise read the server when this is registered."""
        return ()

    def collect(self) -> Iterator[Metric]:
        yield from self._queues()
        fields = {as_text(name): as_text(value) for name, value in self._connection.hgetall(KEY).items()}
        yield self._jobs(fields)
        yield self._busy(fields)
        for figure in BOUNDS:
            yield self._histogram(figure, fields)

    def _queues(self) -> Iterator[Metric]:
        depth = GaugeMetricFamily("owntrumps_bots_queue_depth", "Turns that wait for a worker", labels=["level"])
        workers = GaugeMetricFamily("owntrumps_bots_workers", "Workers that play this level", labels=["level"])
        failed = GaugeMetricFamily("owntrumps_bots_failed_jobs", "Failed jobs still kept", labels=["level"])
        for level in LEVELS:
            queue = self._turns.of_level(level)
            depth.add_metric([level], queue.count)
            workers.add_metric([level], Worker.count(queue=queue))
            failed.add_metric([level], queue.failed_job_registry.get_job_count(cleanup=False))
        yield from (depth, workers, failed)

    @staticmethod
    def _jobs(fields: Mapping[str, str]) -> Metric:
        jobs = CounterMetricFamily("owntrumps_bots_jobs", "Jobs by how they ended", labels=["level", "ending"])
        for name, value in fields.items():
            figure, level, part = name.split(":")
            if figure == "jobs":
                jobs.add_metric([level, part], int(value))
        return jobs

    @staticmethod
    def _busy(fields: Mapping[str, str]) -> Metric:
        busy = CounterMetricFamily("owntrumps_bots_busy_seconds", "Time that jobs kept workers", labels=["level"])
        for level in LEVELS:
            busy.add_metric([level], float(fields.get(f"busy:{level}:sum", 0)))
        return busy

    @staticmethod
    def _histogram(figure: str, fields: Mapping[str, str]) -> Metric:
        name, text = _HELP[figure]
        family = HistogramMetricFamily(name, text, labels=["level"])
        for level in LEVELS:
            total = 0
            buckets: list[tuple[str, float]] = []
            for bound in (*BOUNDS[figure], INFINITE):
                total += int(fields.get(f"{figure}:{level}:{bound}", 0))
                buckets.append(("+Inf" if bound == INFINITE else bound, total))
            family.add_metric([level], buckets, float(fields.get(f"{figure}:{level}:sum", 0)))
        return family


def serve(port: int, connection: Redis, config: BotsConfig) -> Callable[[], None]:
    """Answer GET /metrics on every address at this port, from a thread of its own; 0: do not. Returns how to end it."""
    if not port:
        return lambda: None
    registry = CollectorRegistry()
    registry.register(BotsCollector(connection, config))
    server, thread = start_http_server(port, registry=registry)

    def end() -> None:
        server.shutdown()
        server.server_close()
        thread.join()

    return end
