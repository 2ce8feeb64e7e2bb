"""Logs as JSON lines on standard error, RQ's own included."""

import logging
import sys

import structlog
from structlog.typing import EventDict, Processor


def _only_what_failed(_logger: object, _method: str, event: EventDict) -> EventDict:
    """RQ logs errors with all that led to them: dozens of lines for a server that is away, and an error's message may
    quote what a log must not show."""
    failed = event.pop("exc_info", None)
    if isinstance(failed, tuple) and failed[1] is not None:
        event["error"] = type(failed[1]).__name__
    return event


def configure(level: str) -> None:
    """``level`` is debug, info, warning, error or critical; anything else is read as info."""
    threshold = logging.getLevelNamesMapping().get(level.upper(), logging.INFO)
    shared: list[Processor] = [
        structlog.stdlib.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        structlog.processors.format_exc_info,
    ]
    structlog.configure(
        processors=[*shared, structlog.processors.JSONRenderer()],
        wrapper_class=structlog.make_filtering_bound_logger(threshold),
        logger_factory=structlog.WriteLoggerFactory(file=sys.stderr),
        cache_logger_on_first_use=True,
    )
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=[_only_what_failed, *shared],
            processors=[
                structlog.stdlib.ProcessorFormatter.remove_processors_meta,
                structlog.processors.JSONRenderer(),
            ],
        )
    )
    root = logging.getLogger()
    root.handlers[:] = [handler]
    # RQ tells of every job at info, which costs more than a greedy turn.
    for name in ("rq.worker", "rq.job", "rq.queue", "rq.registry"):
        logging.getLogger(name).setLevel(max(threshold, logging.WARNING))
