"""The turns that bots owe, as RQ jobs: one queue for each level, one job id for each turn.

RQ's server may lose everything it holds: the log says who owes a move, and the engine tells the feed of it again until
somebody moves. What this module must get right is that a job which died does not keep its turn from coming back.
"""

from dataclasses import dataclass
from typing import Any, Final, Literal

from redis import Redis
from redis.exceptions import ConnectionError, TimeoutError
from rq import Queue
from rq.exceptions import DuplicateJobError
from rq.job import Job, JobStatus
from rq.serializers import JSONSerializer

from owntrumps.store.door import MatchId, Seat, Version
from owntrumps_bots.config import BotsConfig

JOB: Final = "owntrumps_bots.jobs.play_turns"
"""What a job calls. Stored in jobs; jobs live for seconds."""

JOB_SECONDS: Final = 20
"""RQ ends a job that takes longer: the bound of a job, one turn of the longest thought, and room."""

QUEUE_GONE: Final = (ConnectionError, TimeoutError)
"""What RQ's server being away raises (redis-py's errors)."""

Queued = Literal["queued", "waiting", "returned"]
"""`waiting`: it was in the queue already. `returned`: a worker had taken it and is presumed dead."""


@dataclass(frozen=True, slots=True)
class Turn:
    """A move owed by a bot of this level, in the match as it was at this version."""

    match: MatchId
    version: Version
    seat: Seat
    level: str

    @property
    def job_id(self) -> str:
        return f"{self.match}-v{self.version}"


class TurnQueue(Queue):
    """RQ's queue, but for one leak: the id of a job that expired while it waited is popped into the intermediate list,
    found to be nothing, and left there until maintenance."""

    @classmethod
    def _fetch_dequeued_job(
        cls, connection: Redis, queue_key: str, job_id: str, *arguments: Any, **options: Any
    ) -> tuple[Job, Queue] | None:
        found = super()._fetch_dequeued_job(connection, queue_key, job_id, *arguments, **options)
        if found is None:
            cls.from_queue_key(queue_key, connection=connection).intermediate_queue.remove(job_id)
        return found


class TurnQueues:
    """The queues of all levels on one RQ server."""

    def __init__(self, connection: Redis, config: BotsConfig) -> None:
        self._connection = connection
        self._config = config
        self._queues: dict[str, TurnQueue] = {}

    def of_level(self, level: str) -> TurnQueue:
        if level not in self._queues:
            self._queues[level] = TurnQueue(
                queue_name(level), connection=self._connection, serializer=JSONSerializer, default_timeout=JOB_SECONDS
            )
        return self._queues[level]

    def enqueue(self, turn: Turn) -> Queued:
        """Put the turn at the end of its level's queue, unless it waits there already.

        A turn that a worker has taken comes back at the front: it is older than all that wait. If that worker is alive
        after all, the second one sees its claim (`owntrumps_bots.claims`) and steps back.
        """
        if self._add(turn, at_front=False):
            return "queued"
        queue = self.of_level(turn.level)
        job = queue.fetch_job(turn.job_id)
        if job is None:
            # Done between the two looks; what follows from it has a notice of its own.
            return "waiting"
        status = job.get_status(refresh=False)
        if status == JobStatus.FAILED:
            job.delete()
            return "returned" if self._add(turn, at_front=True) else "waiting"
        if status == JobStatus.QUEUED and queue.get_job_position(turn.job_id) is not None:
            return "waiting"
        # The job stays as it is: a living worker may be at it after all. Whoever ends it first deletes it, and the dead
        # worker's execution with it.
        queue.intermediate_queue.remove(turn.job_id)
        queue.push_job_id(turn.job_id, at_front=True)
        return "returned"

    def any_wait(self, level: str) -> bool:
        """Whether turns wait for a worker of the level."""
        return not self.of_level(level).is_empty()

    def _add(self, turn: Turn, *, at_front: bool) -> bool:
        try:
            self.of_level(turn.level).enqueue_call(
                JOB,
                args=(turn.match, turn.version, turn.seat, turn.level),
                timeout=JOB_SECONDS,
                result_ttl=0,
                ttl=self._config.waiting_ttl_seconds,
                failure_ttl=self._config.failure_ttl_seconds,
                description=turn.job_id,
                job_id=turn.job_id,
                at_front=at_front,
                unique=True,
            )
        except DuplicateJobError:
            return False
        return True


def queue_name(level: str) -> str:
    return f"bots-{level}"
