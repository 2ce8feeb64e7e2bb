"""Settings from the environment: every number of a configuration by ``<PREFIX><NAME>``."""

import os
import socket
from collections.abc import Mapping
from dataclasses import fields
from typing import Any


class ConfigError(ValueError):
    """A setting that cannot be; the message names the variable and never quotes a secret or a URL."""


def numbers_from(environment: Mapping[str, str], prefix: str, kind: type[Any], *, least: int = 0) -> dict[str, int]:
    """The whole numbers that the environment sets among the fields of a configuration dataclass.

    ``block_ms`` is set by ``<prefix>BLOCK_MS``. ConfigError for a value that is no whole number from ``least`` on; a
    port may be 0 all the same, which means none.
    """
    numbers: dict[str, int] = {}
    for field in fields(kind):
        name = prefix + field.name.upper()
        if field.type is int and name in environment:
            text = environment[name]
            if not text.isdecimal() or int(text) < (0 if name.endswith("_PORT") else least):
                raise ConfigError(f"{name} is a whole number from {least} on, not {text!r}")
            numbers[field.name] = int(text)
    return numbers


def needed(environment: Mapping[str, str], name: str, why: str) -> str:
    """A setting without which the process cannot work; ConfigError, which gives ``why``, if it is not set."""
    value = environment.get(name)
    if not value:
        raise ConfigError(f"{name} {why}; it is not set")
    return value


def consumer_name(environment: Mapping[str, str], prefix: str) -> str:
    """This process's name in its consumer group: set, or made of host and process id."""
    return environment.get(prefix + "CONSUMER") or f"{socket.gethostname()}-{os.getpid()}"
