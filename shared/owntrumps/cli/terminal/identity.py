"""Who one is on each server: tokens in a file that only its owner can read, so that one can come back to a match."""

import json
import os
from pathlib import Path
from typing import Any

from owntrumps.client import Client, ProblemError, Registered


def identities_file() -> Path:
    """``players.json`` in the folder for settings (``$XDG_CONFIG_HOME`` or ``~/.config``)."""
    settings = os.environ.get("XDG_CONFIG_HOME") or str(Path.home() / ".config")
    return Path(settings) / "owntrumps" / "players.json"


def sign_in(client: Client, server: str, name: str | None, file: Path) -> str:
    """Make the client act as the player known for this server (and name), registering one at need; the name.

    A token that the server no longer knows is replaced by a new player's.
    """
    known = _read(file)
    player: dict[str, Any] | None = known.get(server)
    if player is not None and (name is None or name == player["name"]):
        client.token = player["token"]
        try:
            client.me()
        except ProblemError as problem:
            if problem.status != 401:
                raise
        else:
            return str(player["name"])
    client.token = None
    registered = client.register(name or os.environ.get("USER") or "Player")
    _write(file, {**known, server: registered})
    return registered["name"]


def _read(file: Path) -> dict[str, Any]:
    """What is known; nothing where there is no such file, or no such content."""
    try:
        known = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    if not isinstance(known, dict):
        return {}
    return {
        server: player
        for server, player in known.items()
        if isinstance(player, dict) and {"name", "token"} <= player.keys()
    }


def _write(file: Path, known: dict[str, Registered | Any]) -> None:
    file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    fresh = file.with_suffix(f".{os.getpid()}")
    descriptor = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(descriptor, "w", encoding="utf-8") as written:
        json.dump(known, written, indent=1)
    fresh.replace(file)
