"""What a history process is told: one frozen value, read from the environment at its start."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from owntrumps.process.settings import consumer_name, needed, numbers_from

PREFIX: Final = "OWNTRUMPS_HISTORY_"


@dataclass(frozen=True, slots=True)
class HistoryConfig:
    """How one history process behaves. Moments and lengths are in milliseconds.

    Every number can be set by ``OWNTRUMPS_HISTORY_<NAME>``.
    """

    store_url: str = ""
    database_url: str = ""
    consumer: str = "history"
    """This process's name in the consumer group: no two living processes may share one."""
    log_level: str = "info"
    metrics_port: int = 0
    """Where Prometheus finds the counters; 0: nowhere."""

    batch: int = 2048
    """Notices taken at a time; the matches that ended among them are saved in one transaction."""
    block_ms: int = 500
    """The longest wait for notices, after which a stop or a sweep is seen."""
    claim_idle_ms: int = 5000
    """A notice that another process has held for so long is taken over."""
    claim_every_ms: int = 1000

    grace_ms: int = 600_000
    """How long a match stays in the store after it ended."""
    sweep_every_ms: int = 5000
    sweep_batch: int = 64
    """Matches compared and let go in one round; after a full one the next follows at once."""


def config_from(environment: Mapping[str, str], *, needs_store: bool = True) -> HistoryConfig:
    """The configuration that the environment gives; ConfigError for a setting that cannot be."""
    numbers = numbers_from(environment, PREFIX, HistoryConfig)
    store_url = environment.get("OWNTRUMPS_STORE_URL", "")
    if needs_store:
        store_url = needed(
            environment, "OWNTRUMPS_STORE_URL", "(such as redis://127.0.0.1:6379/0) says where the store is"
        )
    return HistoryConfig(
        store_url=store_url,
        database_url=needed(
            environment,
            "OWNTRUMPS_DATABASE_URL",
            "(such as postgresql://owntrumps@db/owntrumps or sqlite:////var/lib/history.db) says where the archive is",
        ),
        consumer=consumer_name(environment, PREFIX),
        log_level=environment.get("OWNTRUMPS_LOG_LEVEL", "info"),
        **numbers,
    )
