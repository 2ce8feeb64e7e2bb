"""Fixtures of the browser tests."""

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from tests.browser.chromium import CHROMIUM, ORIGIN, launch, serve_files
from tests.browser.person import PATIENCE_MS, People, Person
from tests.e2e.system import System


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """A browser for a module's tests. It must not outlive them: Playwright's event loop counts as running for as long
    as it is there, and other tests of this process could not run one of their own."""
    if not CHROMIUM.exists():
        pytest.skip(f"no Chromium at {CHROMIUM}: install Debian's package chromium")
    expect.set_options(timeout=PATIENCE_MS)
    with sync_playwright() as playwright:
        chromium = launch(playwright.chromium)
        yield chromium
        chromium.close()


@pytest.fixture
def modules(browser: Browser) -> Iterator[Page]:
    """A blank page of the page's own origin, in which its modules can be imported and called."""
    context = browser.new_context()
    page = context.new_page()
    serve_files(page)
    page.goto(f"{ORIGIN}/blank")
    yield page
    context.close()


@pytest.fixture
def person(browser: Browser, system: System) -> Iterator[People]:
    """``person()`` is somebody new with a browser of their own; ``person("Anna")`` has a name already. At the end, no
    page of theirs had an exception."""
    people: list[Person] = []

    def somebody(name: str | None = None, **context: Any) -> Person:
        people.append(Person(browser, system, **context))
        return people[-1] if name is None else people[-1].known_as(name)

    yield somebody
    for each in people:
        each.close()
