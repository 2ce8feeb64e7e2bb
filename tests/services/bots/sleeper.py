"""A worker of the level `greedy` whose thinking takes a fixed time by the wall clock, whatever the cores are busy with.

`python -m tests.services.bots.sleeper MILLISECONDS`; the environment is that of `python -m owntrumps_bots work`.
"""

import os
import sys
from collections.abc import Iterable, Mapping
from threading import Event
from typing import Any

import structlog

from owntrumps.store.connect import open_store
from owntrumps_bots.__main__ import open_queue
from owntrumps_bots.answers import think
from owntrumps_bots.config import config_from
from owntrumps_bots.logs import configure
from owntrumps_bots.worker import work


def main(milliseconds: int) -> None:
    config = config_from(os.environ)
    configure(config.log_level)
    log = structlog.get_logger()

    def sleepily(
        view: Mapping[str, Any], events: Iterable[Mapping[str, Any]], level: str, budget_ms: int, seed: int
    ) -> list[str]:
        log.info("thinking", match=view["id"], version=view["version"])
        Event().wait(milliseconds / 1000)
        return think(view, events, level, budget_ms, seed)

    work("greedy", open_store(config.store_url), open_queue(config.queue_url), config, thinking=sleepily)


if __name__ == "__main__":
    main(int(sys.argv[1]))
