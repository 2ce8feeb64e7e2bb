"""`python -m owntrumps_bots dispatch` and `python -m owntrumps_bots work --levels greedy,master`."""

import argparse
import os
import sys
from collections.abc import Sequence

from redis import Redis

from owntrumps.process.settings import ConfigError
from owntrumps.process.stopping import asked_to_stop
from owntrumps.store.connect import open_store
from owntrumps_bots import metrics
from owntrumps_bots.budgets import LevelError, level_named
from owntrumps_bots.claims import Claims
from owntrumps_bots.config import BotsConfig, config_from
from owntrumps_bots.dispatcher import Dispatcher
from owntrumps_bots.logs import configure
from owntrumps_bots.turns import TurnQueues

USAGE = 2


def main(arguments: Sequence[str]) -> int:
    """The exit code."""
    parsed = _parser().parse_args(arguments)
    try:
        config = config_from(os.environ)
    except ConfigError as error:
        print(error, file=sys.stderr)  # noqa: T201
        return USAGE
    configure(config.log_level)
    if parsed.command == "dispatch":
        dispatch(config)
    else:
        supervise(parsed.levels * parsed.workers, config)
    return 0


def dispatch(config: BotsConfig) -> None:
    """Dispatch until SIGTERM or SIGINT."""
    stop = asked_to_stop()
    store = open_store(config.store_url)
    queue = open_queue(config.queue_url)
    end_metrics = metrics.serve(config.metrics_port, queue, config)
    try:
        Dispatcher(store, TurnQueues(queue, config), Claims(queue), config).run(stop)
    finally:
        end_metrics()
        queue.close()
        store.close()


def supervise(levels: Sequence[str], config: BotsConfig) -> None:
    """Keep one worker for each of the levels until SIGTERM or SIGINT."""
    # Here, since a dispatcher needs neither the levels' thinking nor the seconds and megabytes that its compiler takes.
    from owntrumps_bots.answers import warm_up
    from owntrumps_bots.supervisor import Supervisor
    from owntrumps_bots.worker import work

    for level in dict.fromkeys(levels):
        warm_up(level)

    def play(level: str) -> None:
        store = open_store(config.store_url)
        queue = open_queue(config.queue_url)
        try:
            work(level, store, queue, config)
        finally:
            queue.close()
            store.close()

    Supervisor(levels, play).run()


def open_queue(url: str) -> Redis:
    """A client of RQ's server, which must be a plain Redis or Valkey. Connects on first use."""
    return Redis.from_url(url, protocol=2, health_check_interval=30)


def _levels(text: str) -> list[str]:
    try:
        return [level_named(name.strip()).name for name in text.split(",")]
    except LevelError as error:
        raise argparse.ArgumentTypeError(error.detail) from None


def _workers(text: str) -> int:
    if not text.isdecimal() or int(text) == 0:
        raise argparse.ArgumentTypeError(f"a whole number above 0, not {text!r}")
    return int(text)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m owntrumps_bots",
        description="Plays for the bot seats. Settings come from the environment: OWNTRUMPS_STORE_URL, "
        "OWNTRUMPS_QUEUE_URL, OWNTRUMPS_LOG_LEVEL, OWNTRUMPS_BOTS_*.",
    )
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("dispatch", help="put turns that bots owe into their level's queue")
    working = commands.add_parser("work", help="play the turns in the queues")
    working.add_argument("--levels", type=_levels, required=True, help="such as random,greedy: a process for each")
    working.add_argument("--workers", type=_workers, default=1, help="processes for each level (default: 1)")
    return parser


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
