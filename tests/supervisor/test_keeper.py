"""One embedded server for the life of its keeper, and never two on one folder."""

from pathlib import Path

import pytest
from redis import Redis

from owntrumps.supervisor.keeper import CONFIGS, PIDFILE
from tests.chaos.kept_server import kept_server
from tests.house.repository import ROOT

pytestmark = pytest.mark.server


def client(url: str) -> Redis:
    return Redis.from_url(url, protocol=2, decode_responses=True)


def alive(pid: int) -> bool:
    """Whether the process runs; one that has ended may wait for its new parent to take note."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


def pid_of(folder: Path) -> int:
    return int((folder / "store" / PIDFILE).read_text())


def test_what_was_written_is_there_after_a_restart(tmp_path):
    with kept_server(tmp_path) as server:
        with client(server.url) as redis:
            redis.set("k", "v")
        assert server.stop() == 0
        server.start()
        with client(server.url) as redis:
            assert redis.get("k") == "v"


def test_answered_writes_are_on_disk_and_nothing_listens_on_the_network(tmp_path):
    with kept_server(tmp_path) as server, client(server.url) as redis:
        assert redis.config_get("append*")["appendfsync"] == "always"
        assert redis.config_get("appendonly") == {"appendonly": "yes"}
        assert redis.config_get("port") == {"port": "0"}
        assert redis.config_get("maxmemory-policy") == {"maxmemory-policy": "noeviction"}


def test_the_server_ends_with_its_keeper(tmp_path):
    with kept_server(tmp_path) as server:
        pid = pid_of(tmp_path)
        assert server.stop() == 0
        assert not alive(pid)


def test_a_keeper_ends_with_its_server_so_that_both_are_started_again(tmp_path):
    with kept_server(tmp_path) as server:
        with client(server.url) as redis:
            redis.set("k", "v")
        assert server.kill_server() == 1
        server.start()
        with client(server.url) as redis:
            assert redis.get("k") == "v"


def test_an_orphaned_server_is_ended_before_another_opens_its_folder(tmp_path):
    # Given a server whose keeper was killed
    with kept_server(tmp_path) as server:
        orphan = pid_of(tmp_path)
        with client(server.url) as redis:
            redis.set("k", "v")
        server.kill_keeper()
        assert alive(orphan)
        # When
        server.start()
        # Then
        assert not alive(orphan)
        with client(server.url) as redis:
            assert redis.get("k") == "v"


@pytest.mark.parametrize(("name", "file"), [("store", "redis.conf"), ("queue", "redis-queue.conf")])
def test_the_embedded_servers_are_configured_as_those_in_containers(name, file):
    lines = [line.split(maxsplit=1) for line in (ROOT / "deploy" / file).read_text().splitlines() if line]
    deployed = {key: value.strip('"') for key, value in (line for line in lines if line[0] != "#")}
    for key, value in CONFIGS[name].items():
        assert deployed[key] == str(value), key
