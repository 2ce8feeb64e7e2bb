"""gunicorn, told what to serve. The application is made in the worker, after gevent has taken over the sockets."""

from typing import Any, Final

from gunicorn.app.base import BaseApplication

from owntrumps_api.config import ApiConfig

GRACEFUL_SECONDS: Final = 30
KEEP_ALIVE_SECONDS: Final = 75
BACKLOG: Final = 2048


class Server(BaseApplication):  # type: ignore[misc]
    """One worker: a process of its own for each share of the load is the deployment's business."""

    def __init__(self, config: ApiConfig) -> None:
        self._config = config
        self.owntrumps: Any = None
        super().__init__()

    def load_config(self) -> None:
        settings = {
            "bind": self._config.bind,
            "workers": 1,
            "worker_class": "owntrumps_api.worker.Worker",
            "worker_connections": self._config.connections,
            "backlog": BACKLOG,
            "keepalive": KEEP_ALIVE_SECONDS,
            "graceful_timeout": GRACEFUL_SECONDS,
            "control_socket_disable": True,
            "loglevel": self._config.log_level,
            "proc_name": "owntrumps-api",
        }
        for name, value in settings.items():
            self.cfg.set(name, value)

    def load(self) -> Any:
        from owntrumps.archive.archive import open_archive
        from owntrumps.process import logs
        from owntrumps.store.connect import open_store
        from owntrumps_api.app import create_app
        from owntrumps_api.service import KEY

        logs.configure(self._config.log_level)
        config = self._config
        archive = open_archive(config.database_url) if config.database_url else None
        app = create_app(config, open_store(config.store_url), archive)
        self.owntrumps = app.extensions[KEY]
        self.owntrumps.matchmaker.start()  # seeks may wait here from before a restart
        return app
