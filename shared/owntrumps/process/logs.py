"""Logs as JSON lines on standard error. Nothing logged holds a token, a seed or a hand."""

import logging
import sys

import structlog


def configure(level: str) -> None:
    """``level`` is debug, info, warning, error or critical; anything else is read as info."""
    threshold = logging.getLevelNamesMapping().get(level.upper(), logging.INFO)
    structlog.configure(
        processors=[
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.processors.format_exc_info,
            structlog.processors.JSONRenderer(),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(threshold),
        logger_factory=structlog.WriteLoggerFactory(file=sys.stderr),
        cache_logger_on_first_use=True,
    )
