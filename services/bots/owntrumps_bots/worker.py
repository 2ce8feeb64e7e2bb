"""A worker: one process, one level, one RQ queue, warm before it takes its first job.

One queue only: from a single one RQ moves a job atomically to a list where it can be found again, from several it pops
it, and a worker that dies at that moment takes the job with it.
"""

import os
import socket
import traceback
from collections.abc import Callable
from secrets import token_hex
from types import FrameType
from typing import Any

import structlog
from redis import Redis
from rq import Queue, SimpleWorker, worker_registration
from rq.exceptions import InvalidJobOperation
from rq.executions import Execution
from rq.job import Job
from rq.registry import StartedJobRegistry
from rq.serializers import JSONSerializer
from rq.worker.base import WorkerStatus
from structlog.typing import FilteringBoundLogger

from owntrumps_bots import jobs
from owntrumps_bots.answers import Think, think, warm_up
from owntrumps_bots.claims import Claims
from owntrumps_bots.config import BotsConfig
from owntrumps_bots.player import BotStore, Player
from owntrumps_bots.tallies import Tallies
from owntrumps_bots.turns import QUEUE_GONE, TurnQueue, TurnQueues

_log: FilteringBoundLogger = structlog.get_logger()


class TurnWorker(SimpleWorker):
    """RQ's worker without a process for each job. Asked to stop, it also tells the running job, which then ends after
    the turn it is at."""

    queue_class = TurnQueue
    log_result_lifespan = False
    max_connection_wait_time = 5.0
    """Seconds between attempts to reach RQ's server again, at most: a match waits."""

    def __init__(self, *arguments: Any, on_stop: Callable[[], None] = lambda: None, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._on_stop = on_stop
        self._ready = False
        self._ending = False

    def check_for_suspension(self, burst: bool) -> None:
        """What RQ does first in its loop: from here on a signal is an orderly stop, so the worker is ready."""
        if not self._ready:
            self._ready = True
            _log.info("worker-ready", worker=self.name)
        super().check_for_suspension(burst)

    def run_maintenance_tasks(self) -> None:
        """With RQ's, register anew: its server may have been started again and know nothing."""
        super().run_maintenance_tasks()  # type: ignore[no-untyped-call]
        worker_registration.register(self)
        self.connection.hset(self.key, mapping=self.serialize())

    def request_stop(self, signum: int, frame: FrameType | None) -> None:  # noqa: ARG002 - a signal's handler
        """End at once if idle, else after the turn at hand.

        Unlike RQ's, a second signal asks for nothing more, so it may be sent until the worker has ended: an exception
        that a signal's handler raises can get lost (RQ's own is an `Exception`, which more code catches than this one).
        """
        if self._ending:
            return
        self._on_stop()
        self._stop_requested = True
        if self.get_state() != WorkerStatus.BUSY:
            raise SystemExit

    def teardown(self) -> None:
        self._ending = True
        super().teardown()  # type: ignore[no-untyped-call]

    def handle_job_success(
        self, job: Job, queue: Queue, started_job_registry: StartedJobRegistry, execution: Execution
    ) -> None:
        """RQ expects a job to be there when it ends. One that came back while its first worker was alive after all is
        ended twice."""
        try:
            super().handle_job_success(job, queue, started_job_registry, execution)
        except InvalidJobOperation:
            with self.connection.pipeline() as pipeline:
                self.cleanup_execution(job, pipeline, execution)
                pipeline.delete(job.key)
                pipeline.execute()

    def handle_exception(self, job: Job, *exc_info: Any) -> None:
        """Log what failed and where, never what: an error's message may quote what a log must not show."""
        frames = traceback.extract_tb(exc_info[2])
        place = f"{frames[-1].filename.rpartition('/')[2]}:{frames[-1].lineno}" if frames else None
        _log.error("job-failed", job=job.id, error=exc_info[0].__name__, place=place)


def turn_worker(level: str, connection: Redis, config: BotsConfig, player: Player) -> TurnWorker:
    """A worker of the level's queue; the jobs it runs are played by ``player``."""
    jobs.serve(player)

    def stop() -> None:
        player.stopping = True

    return TurnWorker(
        [TurnQueues(connection, config).of_level(level)],
        name=f"{level}-{socket.gethostname()}-{os.getpid()}-{token_hex(3)}",
        connection=connection,
        serializer=JSONSerializer,
        queue_class=TurnQueue,
        worker_ttl=config.worker_ttl_seconds,
        maintenance_interval=config.maintenance_seconds,
        log_job_description=False,
        on_stop=stop,
    )


def make_player(store: BotStore, connection: Redis, config: BotsConfig, thinking: Think = think) -> Player:
    """A player whose queues, claims and figures are on this RQ server."""
    return Player(
        store,
        TurnQueues(connection, config),
        Claims(connection),
        config,
        thinking=thinking,
        report=Tallies(connection).add,
    )


def work(level: str, store: BotStore, connection: Redis, config: BotsConfig, *, thinking: Think = think) -> None:
    """Play the level's turns until SIGTERM or SIGINT (the turn at hand is finished), or until RQ's server is lost.

    Call it in a main thread: RQ handles signals.
    """
    warm_up(level)
    worker = turn_worker(level, connection, config, make_player(store, connection, config, thinking))
    try:
        worker.work(logging_level=None)
    except SystemExit:
        _log.debug("worker-stopped", level=level)
    except QUEUE_GONE as error:
        _log.warning("queue-gone", level=level, error=str(error))
    _log.info("worker-ended", level=level, worker=worker.name)
