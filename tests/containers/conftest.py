"""The composition is built and started once for all tests of this folder, and taken down whatever happens."""

import sys
import time
from collections.abc import Iterator

import pytest

from tests.containers.composition import Composition
from tests.containers.engine import docker
from tests.containers.images import certificates_of_this_machine, image_variables
from tests.containers.outside import Outside

FIGURES = pytest.StashKey[dict[str, str]]()
LOGS = pytest.StashKey[str]()


@pytest.fixture(scope="session")
def figures(request: pytest.FixtureRequest) -> dict[str, str]:
    """What was measured, by name; printed when all tests are through."""
    return request.config.stash.setdefault(FIGURES, {})


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print the figures, and the services' logs if anything failed, under pytest's own lines."""
    if LOGS in terminalreporter.config.stash:
        terminalreporter.section("logs of the containers")
        terminalreporter.write_line(terminalreporter.config.stash[LOGS])
    measured = terminalreporter.config.stash.get(FIGURES, {})
    if measured:
        terminalreporter.section("figures of the containers")
        for name, value in measured.items():
            terminalreporter.write_line(f"{name}: {value}")


@pytest.fixture(scope="session")
def composition(request: pytest.FixtureRequest, figures: dict[str, str]) -> Iterator[Composition]:
    """The running composition; the way up to the first answered move is measured on the way."""
    docker("info")  # fails at once, in Docker's words, where no engine answers
    running = Composition(image_variables())
    started = time.monotonic()
    with certificates_of_this_machine():
        running.build()
    figures["images built in"] = f"{time.monotonic() - started:.1f} s"
    failures = request.session.testsfailed
    try:
        started = time.monotonic()
        running.up()
        running.healthy("api")
        with Outside.of(running.url(), seed=0) as outside:
            view = outside.create("duel", [{"kind": "me"}, {"kind": "bot", "level": "random"}])
            while not outside.answered:
                view = outside.move(view) if view["turn"] == view["you"] else outside.news(view)
        figures["up to the first answered move"] = f"{time.monotonic() - started:.1f} s"
        running.healthy()
        figures["up to all healthy"] = f"{time.monotonic() - started:.1f} s"
        yield running
    finally:
        if request.session.testsfailed > failures or sys.exc_info()[0] is not None:
            request.config.stash[LOGS] = running.logs()
        running.down()
        assert running.leftovers() == []
