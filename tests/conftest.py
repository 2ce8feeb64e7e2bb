"""What tests of several folders share."""

from collections.abc import Iterator

import pytest

from tests.e2e.system import System


@pytest.fixture(scope="session")
def system(tmp_path_factory: pytest.TempPathFactory) -> Iterator[System]:
    """The whole system, ready: ``system.url``, ``system.player()``, ``system.restart()``. A test that breaks something
    in it leaves it running again."""
    started = System(tmp_path_factory.mktemp("system"))
    started.start()
    try:
        yield started
    finally:
        started.stop()
