"""The application: `create_app` puts configuration, store and operations together and connects to nothing."""

from time import perf_counter

from flask import Flask, Response, g, request
from werkzeug.middleware.proxy_fix import ProxyFix

from owntrumps.archive.archive import Archive
from owntrumps.archive.read_through import reading_through
from owntrumps.store.port import Store
from owntrumps_api.clock import Clock
from owntrumps_api.config import ApiConfig
from owntrumps_api.held import Places, WriteLimit
from owntrumps_api.hub import Hub
from owntrumps_api.known_players import Players
from owntrumps_api.matchmaking import Matchmaker
from owntrumps_api.metrics import Metrics
from owntrumps_api.operations import Documented
from owntrumps_api.page import page, secure
from owntrumps_api.problems import register_problems
from owntrumps_api.routes.events import events
from owntrumps_api.routes.history import history
from owntrumps_api.routes.matches import matches
from owntrumps_api.routes.meta import meta
from owntrumps_api.routes.moves import moves
from owntrumps_api.routes.players import players
from owntrumps_api.routes.rematch import rematches
from owntrumps_api.routes.seats import seats
from owntrumps_api.routes.seeks import seeks
from owntrumps_api.routes.turns import turns
from owntrumps_api.service import KEY, Service, service
from owntrumps_api.tails import Tails

TITLE = "Own trumps"
VERSION = "1"
ABOUT = """Bornyú, the duel and the rest of the own-trumps family. Moves go through one engine and one log per match;
every answer is what the caller's seat may see. All POSTs may be retried with the same `Idempotency-Key`. Errors are
`application/problem+json` with a stable `code`."""


def create_app(config: ApiConfig, store: Store, archive: Archive | None = None) -> Flask:
    """The WSGI application. End it with ``app.extensions["owntrumps"].close()``; store and archive are the caller's to
    close."""
    app = Flask(__name__, static_folder="static", static_url_path="/static")
    app.json.sort_keys = False  # type: ignore[attr-defined]
    app.config.update(
        MAX_CONTENT_LENGTH=config.body_bytes,
        API_TITLE=TITLE,
        API_VERSION=VERSION,
        OPENAPI_VERSION="3.1.0",
        OPENAPI_URL_PREFIX="/v1",
        OPENAPI_JSON_PATH="openapi.json",
        API_SPEC_OPTIONS={
            "info": {"description": ABOUT, "license": {"name": "Apache-2.0", "identifier": "Apache-2.0"}}
        },
    )
    app.extensions[KEY] = service_over(config, store, archive)
    api = Documented(app)
    for group in (matches, seats, moves, events, turns, seeks, rematches, players, history, meta):
        api.register_blueprint(group)
    api.describe()
    app.register_blueprint(page)
    register_problems(app)
    app.before_request(_started)
    app.after_request(_answered)
    if config.proxies:
        app.wsgi_app = ProxyFix(app.wsgi_app, x_for=config.proxies, x_proto=config.proxies)  # type: ignore[method-assign]
    return app


def service_over(config: ApiConfig, store: Store, archive: Archive | None = None) -> Service:
    """What the operations of an app share."""
    if archive is not None:
        store = reading_through(store, archive)
    hub = Hub(store)
    places = Places(config.held)
    metrics = Metrics(held=lambda: places.taken, silence=hub.silence)
    return Service(
        config,
        store,
        hub,
        metrics,
        places,
        WriteLimit(config.writes_per_minute),
        Tails(store),
        Matchmaker(store),
        Clock(store),
        Players(store),
        archive,
    )


def _started() -> None:
    g.started = perf_counter()


def _answered(response: Response) -> Response:
    operation = g.get("operation", "other")
    service().metrics.answered(operation, request.method, response.status_code, perf_counter() - g.started)
    return secure(response)
