"""What tests of several folders share."""

import signal
from collections.abc import Iterator

import pytest

from tests.e2e.system import System


def pytest_configure() -> None:
    """Started in the background, a shell's child ignores Ctrl-C and so would the programs that tests interrupt."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


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
