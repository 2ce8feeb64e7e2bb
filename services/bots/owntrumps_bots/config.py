"""What the bots service is told: one frozen record, read from the environment by the process's bootstrap only."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from owntrumps.process.settings import consumer_name, needed, numbers_from

PREFIX: Final = "OWNTRUMPS_BOTS_"


@dataclass(frozen=True, slots=True)
class BotsConfig:
    """How one process of the service behaves. Lengths of time carry their unit in their name.

    Every number can be set by ``OWNTRUMPS_BOTS_<NAME>``.
    """

    store_url: str = ""
    queue_url: str = ""
    """RQ's own server: plain Redis or Valkey, no cluster, no fsync (the queue is disposable)."""
    consumer: str = "bots"
    """This process's name in the feed's consumer group: no two living dispatchers may share one."""
    log_level: str = "info"
    metrics_port: int = 0
    """Where Prometheus finds the dispatcher's figures; 0: nowhere."""

    batch: int = 256
    """Notices that the dispatcher takes at once."""
    block_ms: int = 1000
    """The longest wait for news, after which a stop is seen."""
    claim_idle_ms: int = 2000
    """A notice that another dispatcher has held for so long is taken over."""
    claim_every_ms: int = 1000

    turns_per_job: int = 32
    """A job that played so many turns goes to the back of its queue, so that one match never keeps others waiting."""
    seconds_per_job: int = 2
    """Likewise after so long."""
    answer_ms: int = 2000
    """How long a job waits for the engine's answer before it leaves the match to the engine's deadlines."""
    fallback_ms: int = 10_000
    """When the engine plays for a bot: the same length as its own `bot_fallback_ms`. No thought goes on for longer."""
    waiting_ttl_seconds: int = 15
    """A job that waited longer is dropped unseen: its turn has been played by the engine, or will be told of again."""
    failure_ttl_seconds: int = 60
    """How long RQ keeps a job that failed."""

    worker_ttl_seconds: int = 20
    """An idle worker shows itself, and looks after the registries, at least this often (RQ waits 15 s less)."""
    maintenance_seconds: int = 10
    """Between two looks at RQ's registries; one worker of a level does it for all."""


def config_from(environment: Mapping[str, str]) -> BotsConfig:
    """The configuration that the environment gives; ConfigError for a setting that cannot be."""
    return BotsConfig(
        store_url=needed(
            environment, "OWNTRUMPS_STORE_URL", "(such as redis://127.0.0.1:6379/0) says where the store is"
        ),
        queue_url=needed(
            environment, "OWNTRUMPS_QUEUE_URL", "(such as redis://127.0.0.1:6380/0) says where the queue is"
        ),
        consumer=consumer_name(environment, PREFIX),
        log_level=environment.get("OWNTRUMPS_LOG_LEVEL", "info"),
        **numbers_from(environment, PREFIX, BotsConfig, least=1),
    )
