"""A real PostgreSQL for tests: Debian's server binaries, on a unix socket in a folder of its own, gone at the end."""

import os
import pwd
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psycopg
import pytest

_BINARIES = ("/usr/lib/postgresql/17/bin", "/usr/lib/postgresql/15/bin")
OWNER = "owntrumps"


def binaries() -> Path:
    """Where the server is. Where it is missing the tests are skipped; in continuous integration they fail."""
    found = next((Path(place) for place in _BINARIES if (Path(place) / "postgres").exists()), None)
    if found is None:
        missing = "PostgreSQL is not installed: the archive is NOT tested against it (apt-get install postgresql)"
        if os.environ.get("CI") == "true":
            pytest.fail(missing)
        pytest.skip(missing)
    return found


def _unprivileged() -> dict[str, Any]:
    """PostgreSQL does not run as root: as whom it is to run then."""
    if os.getuid() != 0:
        return {}
    who = pwd.getpwnam("nobody")
    return {"user": who.pw_uid, "group": who.pw_gid, "extra_groups": []}


class PostgresServer:
    """A server that can be killed and started again over the same data."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._binaries = binaries()
        self._process: subprocess.Popen[str] | None = None
        who = _unprivileged()
        if who:
            os.chown(folder, who["user"], who["group"])
        subprocess.run(
            [self._binaries / "initdb", "-D", folder / "data", "-U", OWNER, "-A", "trust", "--no-sync", "-E", "UTF8"],
            check=True,
            capture_output=True,
            cwd="/",
            **who,
        )

    def url(self) -> str:
        return f"postgresql://{OWNER}@/postgres?host={self._folder}"

    def start(self) -> None:
        # A killed server loses nothing without fsync either: only a power cut would tell the difference.
        # What clients did wrong is not told: nobody reads the log, and a full pipe would hold the server up.
        settings = {
            "listen_addresses": "",
            "unix_socket_directories": str(self._folder),
            "fsync": "off",
            "log_min_messages": "log",
        }
        words = [word for name, value in settings.items() for word in ("-c", f"{name}={value}")]
        self._process = subprocess.Popen(
            # It ends with the tests also when these are killed.
            ["setpriv", "--pdeathsig", "QUIT", self._binaries / "postgres", "-D", self._folder / "data", *words],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
            cwd="/",
            env={"LC_ALL": "C.UTF-8", "PATH": os.environ["PATH"]},
            **_unprivileged(),
        )
        assert self._process.stderr is not None
        seen: list[str] = []
        for line in self._process.stderr:
            seen.append(line)
            if "database system is ready to accept connections" in line:
                return
        pytest.fail("PostgreSQL ended before it was ready:\n" + "".join(seen))

    def kill(self) -> None:
        """kill -9 of the postmaster; its children end with it."""
        self._end(signal.SIGKILL)

    def stop(self) -> None:
        """At once, since its data go too."""
        self._end(signal.SIGQUIT)

    def _end(self, how: signal.Signals) -> None:
        if self._process is not None:
            self._process.send_signal(how)
            self._process.communicate(timeout=30)
            self._process = None

    def empty_database(self) -> str:
        """The URL of the database, with nothing in it. One serves all tests: each more is a thousand files."""
        with psycopg.connect(self.url(), autocommit=True) as connection:
            connection.execute("DROP SCHEMA public CASCADE")
            connection.execute("CREATE SCHEMA public")
        return self.url()


@contextmanager
def postgres() -> Iterator[PostgresServer]:
    folder = Path(tempfile.mkdtemp(prefix="owntrumps-pg-"))
    try:
        server = PostgresServer(folder)
        server.start()
        try:
            yield server
        finally:
            server.stop()
    finally:
        shutil.rmtree(folder)
