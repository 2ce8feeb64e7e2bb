"""Debian's Chromium for the tests, and the page's own files served without a server."""

import mimetypes
from pathlib import Path

from playwright.sync_api import Browser, BrowserType, Page, Route

ROOT = Path(__file__).parents[2]
STATIC = ROOT / "services" / "api" / "owntrumps_api" / "static"
CHROMIUM = Path("/usr/bin/chromium")
FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    # Without these it looks for hosts that no test should reach.
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
ORIGIN = "http://page.test"
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
"""As strict as the server's: a page that works under it needs no exception."""

DESKTOP = (1280, 800)
PHONE = (390, 844)


def launch(kind: BrowserType) -> Browser:
    return kind.launch(executable_path=CHROMIUM, args=list(FLAGS))


def static_files() -> list[Path]:
    return sorted(path for path in STATIC.rglob("*") if path.is_file())


def serve_files(page: Page) -> None:
    """Answers every request of the page from the static folder; anything else is 404."""

    def answer(route: Route) -> None:
        path = route.request.url.removeprefix(ORIGIN).split("?")[0]
        file = STATIC / ("index.html" if path == "/" else path.removeprefix("/static/"))
        if path == "/blank":
            route.fulfill(body="<!doctype html><title>blank</title>", content_type="text/html")
        elif file.is_file():
            kind = mimetypes.guess_type(file.name)[0] or "application/octet-stream"
            route.fulfill(path=file, content_type=kind, headers={"Content-Security-Policy": POLICY})
        else:
            route.fulfill(status=404, body="")

    page.route("**/*", answer)
