"""Which programs one machine runs, and what it refuses to start with."""

import asyncio
import socket

import pytest

from owntrumps.supervisor.folder import DataFolder, FolderLock
from owntrumps.supervisor.machine import Machine, MachineError, Settings, serve, servers, services


@pytest.fixture
def folder(tmp_path):
    return DataFolder.at(tmp_path)


@pytest.mark.parametrize(
    ("host", "bind", "url"),
    [
        ("127.0.0.1", "127.0.0.1:80", "http://127.0.0.1:80"),
        ("0.0.0.0", "0.0.0.0:80", "http://127.0.0.1:80"),
        ("::", "[::]:80", "http://[::1]:80"),
        ("::1", "[::1]:80", "http://[::1]:80"),
    ],
)
def test_the_address_is_named_as_this_machine_reaches_it(folder, host, bind, url):
    settings = Settings(folder, host, 80)
    assert (settings.bind, settings.url) == (bind, url)


def test_every_level_is_served_unless_no_bots_are_wanted(folder):
    def levels(bots: int) -> list[str]:
        return [
            level
            for program in services(Settings(folder, bots=bots))
            if "--levels" in program.arguments
            for level in program.arguments[list(program.arguments).index("--levels") + 1].split(",")
        ]

    assert levels(1) == ["random", "greedy", "club", "master"]
    assert levels(0) == []


def test_services_learn_where_the_servers_are_and_where_the_secret_lies_but_not_the_secret(folder):
    for program in services(Settings(folder)):
        environment = program.environment
        assert environment["OWNTRUMPS_STORE_URL"] == f"unix://{folder.socket('store')}"
        assert environment["OWNTRUMPS_QUEUE_URL"] == f"unix://{folder.socket('queue')}"
        assert environment["OWNTRUMPS_SECRET_FILE"] == str(folder.path / "secret")
        secret = folder.secret_file().read_text().strip()
        assert not any(secret in value for value in (*environment.values(), *program.arguments))
    assert [program.name for program in servers(Settings(folder))] == ["store", "queue"]


def test_a_port_that_is_taken_is_refused_at_once_and_the_folder_is_free_again(folder):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        settings = Settings(folder, port=taken.getsockname()[1])
        with pytest.raises(MachineError, match="Address already in use"):
            asyncio.run(serve(settings, lambda _: None))
    FolderLock(folder).release()


def test_after_a_supervisor_that_was_killed_the_port_is_waited_for(folder):
    # Given a port that is still taken
    async def run() -> None:
        with socket.create_server(("127.0.0.1", 0)) as taken:
            machine = Machine(Settings(folder, port=taken.getsockname()[1]), lambda _: None)
            waiting = asyncio.create_task(machine._await_port(30))
            done, _ = await asyncio.wait({waiting}, timeout=0.2)
            assert not done
        # When it is freed, then that is noticed
        await asyncio.wait_for(waiting, 10)

    asyncio.run(run())
