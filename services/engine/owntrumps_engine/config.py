"""What the engine is told: one frozen record, read from the environment by the process's bootstrap only."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from owntrumps.process.settings import consumer_name, needed, numbers_from

PREFIX: Final = "OWNTRUMPS_ENGINE_"


@dataclass(frozen=True, slots=True)
class EngineConfig:
    """How one engine process behaves. Moments and lengths are in milliseconds.

    Every number can be set by ``OWNTRUMPS_ENGINE_<NAME>``.
    """

    store_url: str = ""
    consumer: str = "engine"
    """This process's name in the consumer group: no two living engines may share one."""
    log_level: str = "info"
    metrics_port: int = 0
    """Where Prometheus finds the counters; 0: nowhere."""

    batch: int = 128
    """Submissions taken, decided and committed together: one fsync serves them all."""
    cached_matches: int = 4096
    """Folded matches kept in memory, the least recently used dropped first; about 10 KB each."""
    conflict_retries: int = 5
    """How often a command is decided anew after another engine was quicker, before it is refused as `busy`."""
    max_deliveries: int = 5
    """A command handed out more often than this has killed its engines and is put aside."""

    block_ms: int = 250
    """The longest wait for new submissions, after which a stop or a deadline is seen."""
    claim_idle_ms: int = 1500
    """A submission that another engine has held for so long is taken over."""
    claim_every_ms: int = 500
    due_every_ms: int = 250
    due_limit: int = 500
    """Matches looked at in one round of deadlines."""
    beat_every_ms: int = 1000
    outage_ms: int = 5000
    """No engine was alive for longer than this: players' clocks stood still."""

    bot_redispatch_ms: int = 2000
    """A bot that has not moved for so long is called again."""
    bot_fallback_ms: int = 10_000
    """A bot that has not moved for so long is played for."""


def config_from(environment: Mapping[str, str]) -> EngineConfig:
    """The configuration that the environment gives; ConfigError for a setting that cannot be."""
    return EngineConfig(
        store_url=needed(
            environment, "OWNTRUMPS_STORE_URL", "(such as redis://127.0.0.1:6379/0) says where the store is"
        ),
        consumer=consumer_name(environment, PREFIX),
        log_level=environment.get("OWNTRUMPS_LOG_LEVEL", "info"),
        **numbers_from(environment, PREFIX, EngineConfig),
    )
