"""What the api is told: one frozen record, read from the environment by the process's bootstrap only."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from owntrumps.process.settings import ConfigError, needed

LEAST_SECRET_BYTES: Final = 16


@dataclass(frozen=True, slots=True)
class ApiConfig:
    """How one api process behaves. ``secret`` is shared by all api processes of a system; lengths are in seconds."""

    secret: bytes
    store_url: str = ""
    database_url: str = ""
    """Where the archive is; without one, matches that have left the store cannot be read."""
    bind: str = "127.0.0.1:8000"
    log_level: str = "info"
    allow_seed: bool = False
    """Whether a match's creator may name its seed: fine on one's own machine, never where strangers play."""
    proxies: int = 0
    """How many reverse proxies stand before this process and add to ``X-Forwarded-For``."""

    default_wait: float = 2.0
    """How long a POST waits for the engine where the client does not say (``Prefer: wait=n``)."""
    longest_wait: float = 30.0
    longest_poll: float = 60.0

    heartbeat: float = 15.0
    """A stream without news says so this often; a gone client is noticed only by writing to it."""
    slow_client: float = 20.0
    """A stream whose client took longer than this to accept a message is cut off."""
    held: int = 4000
    """Requests that may be held open at a time: streams and long polls. Kept below ``connections``."""
    connections: int = 5000

    writes_per_minute: int = 0
    """POSTs that one caller (a player, or an address without a token) may make in a minute; 0: any number."""
    body_bytes: int = 64 * 1024


DEFAULTS: Final = ApiConfig(secret=b"")


def config_from(environment: Mapping[str, str]) -> ApiConfig:
    """The configuration that the environment gives; ConfigError for a setting that cannot be."""
    connections = _number(environment, "OWNTRUMPS_CONNECTIONS", DEFAULTS.connections, least=10)
    return ApiConfig(
        secret=_secret(environment),
        store_url=needed(
            environment, "OWNTRUMPS_STORE_URL", "(such as redis://127.0.0.1:6379/0) says where the store is"
        ),
        database_url=environment.get("OWNTRUMPS_DATABASE_URL", ""),
        bind=environment.get("OWNTRUMPS_BIND", DEFAULTS.bind),
        log_level=environment.get("OWNTRUMPS_LOG_LEVEL", DEFAULTS.log_level),
        allow_seed=_switch(environment, "OWNTRUMPS_ALLOW_SEED"),
        proxies=_number(environment, "OWNTRUMPS_PROXIES", DEFAULTS.proxies),
        connections=connections,
        held=_number(environment, "OWNTRUMPS_HELD", connections * 4 // 5, most=connections - 1),
        heartbeat=_number(environment, "OWNTRUMPS_HEARTBEAT_SECONDS", int(DEFAULTS.heartbeat), least=1),
        slow_client=_number(environment, "OWNTRUMPS_SLOW_CLIENT_SECONDS", int(DEFAULTS.slow_client), least=1),
        writes_per_minute=_number(environment, "OWNTRUMPS_WRITES_PER_MINUTE", DEFAULTS.writes_per_minute),
    )


def _secret(environment: Mapping[str, str]) -> bytes:
    """From ``OWNTRUMPS_SECRET``, or the file that ``OWNTRUMPS_SECRET_FILE`` names."""
    secret = environment.get("OWNTRUMPS_SECRET", "").encode()
    if not secret and "OWNTRUMPS_SECRET_FILE" in environment:
        file = environment["OWNTRUMPS_SECRET_FILE"]
        try:
            secret = Path(file).read_bytes().strip()
        except OSError as error:
            raise ConfigError(f"OWNTRUMPS_SECRET_FILE {file!r} cannot be read: {error.strerror}") from None
    if len(secret) < LEAST_SECRET_BYTES:
        raise ConfigError(f"OWNTRUMPS_SECRET or OWNTRUMPS_SECRET_FILE must give at least {LEAST_SECRET_BYTES} bytes")
    return secret


def _switch(environment: Mapping[str, str], name: str) -> bool:
    text = environment.get(name, "0")
    if text not in ("", "0", "1"):
        raise ConfigError(f"{name} is 0 or 1, not {text!r}")
    return text == "1"


def _number(environment: Mapping[str, str], name: str, default: int, *, least: int = 0, most: int = 1_000_000) -> int:
    text = environment.get(name, str(default))
    if not text.isdecimal() or not least <= int(text) <= most:
        raise ConfigError(f"{name} is a whole number from {least} to {most}, not {text!r}")
    return int(text)
