"""Fixtures of the browser tests."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

from tests.browser.chromium import CHROMIUM, ORIGIN, launch, serve_files


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    if not CHROMIUM.exists():
        pytest.skip(f"no Chromium at {CHROMIUM}: install Debian's package chromium")
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
