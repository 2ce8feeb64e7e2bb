"""The web page, the documentation page and the headers that keep both to this host."""

from html import escape
from pathlib import Path
from typing import Final

from flask import Blueprint, Response, current_app, request, send_from_directory
from flask_swagger_ui import __file__ as swagger_ui

from owntrumps_api.problems import KINDS

SWAGGER_UI: Final = Path(swagger_ui).parent / "dist"
SHOWN_ASSETS: Final = frozenset(
    {"swagger-ui.css", "swagger-ui-bundle.js", "favicon-16x16.png", "favicon-32x32.png", "index.css"}
)

POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; "
    "connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
NO_PAGE: Final = [
    ("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'"),
    ("X-Content-Type-Options", "nosniff"),
    ("Cross-Origin-Resource-Policy", "same-origin"),
]
"""Of what is not for a browser to show."""
A_PAGE: Final = [
    ("Content-Security-Policy", POLICY),
    ("X-Content-Type-Options", "nosniff"),
    ("X-Frame-Options", "DENY"),
    ("Referrer-Policy", "no-referrer"),
    ("Cross-Origin-Opener-Policy", "same-origin"),
    ("Cross-Origin-Resource-Policy", "same-origin"),
    ("Permissions-Policy", "camera=(), geolocation=(), microphone=()"),
]

page = Blueprint("page", __name__)

_DOCS: Final = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8"><title>Own trumps: the HTTP interface</title>
<link rel="icon" href="/static/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/docs/assets/swagger-ui.css">
<script src="/docs/assets/swagger-ui-bundle.js" defer></script>
<script src="/docs/start.js" defer></script>
</head>
<body><div id="swagger-ui"></div></body>
</html>
"""
_START: Final = """window.addEventListener("DOMContentLoaded", () => {
  SwaggerUIBundle({ url: "/v1/openapi.json", dom_id: "#swagger-ui", deepLinking: true, validatorUrl: null });
});
"""


@page.get("/")
def index() -> Response:
    response = send_from_directory(str(current_app.static_folder), "index.html")
    response.headers["Cache-Control"] = "no-cache"
    return response


@page.get("/docs")
def docs() -> Response:
    return Response(_DOCS, mimetype="text/html")


@page.get("/docs/start.js")
def docs_start() -> Response:
    return Response(_START, mimetype="text/javascript")


@page.get("/docs/assets/<name>")
def docs_asset(name: str) -> Response:
    """The bundled files of flask-swagger-ui: nothing comes from another host."""
    if name not in SHOWN_ASSETS:
        current_app.aborter(404)
    return send_from_directory(SWAGGER_UI, name, max_age=3600)


@page.get("/docs/problems")
def docs_problems() -> Response:
    """Where every problem's ``type`` points."""
    rows = "\n".join(
        f'<tr id="{code}"><td><code>{code}</code></td><td>{kind.status}</td><td>{escape(kind.title)}</td></tr>'
        for code, kind in sorted(KINDS.items())
    )
    head = '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Own trumps: problems</title></head>'
    table = f"<table><thead><tr><th>code</th><th>status</th><th>title</th></tr></thead><tbody>{rows}</tbody></table>"
    return Response(f"{head}<body><h1>Problems</h1>{table}</body></html>", mimetype="text/html")


def secure(response: Response) -> Response:
    """No foreign host, no framing, no sniffing; other origins get nothing, since CORS is off."""
    response.headers.extend(A_PAGE if response.mimetype == "text/html" else NO_PAGE)
    if request.path.startswith("/static/"):
        response.headers["Cache-Control"] = "no-cache"
    return response
