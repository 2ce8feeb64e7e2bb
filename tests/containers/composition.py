"""One run of docker-compose.yml under a project name of its own."""

import os
import secrets
import time
from dataclasses import dataclass, field

from tests.containers.engine import docker, inspect, run, wait_for_event

SERVICES = ["store", "queue", "db", "api", "engine", "dispatcher", "bots", "bots-club", "bots-master", "history"]
HEALTH_SECONDS = 120.0
RESTART_SECONDS = 60.0


@dataclass
class Composition:
    """Call `up` once, then use it; `down` leaves nothing behind."""

    images: dict[str, str]
    project: str = field(default_factory=lambda: f"owntrumps-test-{secrets.token_hex(4)}")
    environment: dict[str, str] = field(init=False)
    started: float = field(init=False, default=0.0)
    """The last call of `up`, in Unix seconds."""

    def __post_init__(self) -> None:
        """Secrets for this run only, images under a tag of their own, a port that the engine picks."""
        self.environment = {
            **os.environ,
            **self.images,
            "OWNTRUMPS_SECRET": secrets.token_hex(32),
            "OWNTRUMPS_DB_PASSWORD": secrets.token_hex(16),
            "OWNTRUMPS_IMAGES": "owntrumps-test",
            "OWNTRUMPS_PORT": "0",
            "COMPOSE_PROJECT_NAME": self.project,
        }

    def compose(self, *arguments: str) -> str:
        return run("deploy/compose", *arguments, environment=self.environment)

    def build(self) -> None:
        self.compose("build")

    def up(self, *options: str) -> None:
        """Start what is missing; containers wait for the health of those they depend on, nobody for the others'."""
        self.started = time.time()
        self.compose("up", "--detach", *options)

    def healthy(self, service: str | None = None) -> None:
        """Return when the service's containers, or all, are healthy; AssertionError if one ends instead."""
        waiting = {one for one in self.containers(service) if inspect(one)["State"]["Health"]["Status"] != "healthy"}
        wait_for_event("health_status", waiting, since=self.started, seconds=HEALTH_SECONDS, fatal="die")

    def containers(self, service: str | None = None) -> set[str]:
        """Full ids of the running containers, of one service or of all."""
        labels = [f"label=com.docker.compose.project={self.project}"]
        if service is not None:
            labels.append(f"label=com.docker.compose.service={service}")
        filters = [word for label in labels for word in ("--filter", label)]
        return set(docker("ps", "--quiet", "--no-trunc", *filters).split())

    def container(self, service: str) -> str:
        (only,) = self.containers(service)
        return only

    def url(self) -> str:
        """Where the api answers from outside."""
        return f"http://{docker('port', self.container('api'), '8000/tcp').splitlines()[0]}"

    def redis(self, service: str, *command: str) -> list[str]:
        """The lines that redis-cli prints inside `store` or `queue`."""
        return docker("exec", self.container(service), "redis-cli", *command).splitlines()

    def query(self, sql: str) -> list[str]:
        """The lines that PostgreSQL answers, columns separated by |."""
        ask = 'PGPASSWORD=$POSTGRES_PASSWORD psql -h 127.0.0.1 -U owntrumps --no-align --tuples-only --command="$1"'
        return docker("exec", self.container("db"), "sh", "-c", ask, "psql", sql).splitlines()

    def kill_processes(self, service: str, module: str) -> None:
        """kill -9 every process of the service's only container that runs the module, as a crash would."""
        program = (
            "import os, pathlib\n"
            "for process in pathlib.Path('/proc').glob('[0-9]*'):\n"
            f"    if int(process.name) not in (1, os.getpid()) and {module!r} in (process / 'cmdline').read_text():\n"
            "        os.kill(int(process.name), 9)\n"
        )
        # The container may be gone before this process has ended, so its exit code says nothing; `restarted` does.
        run("sh", "-c", 'docker exec "$0" python -c "$1" || true', self.container(service), program)

    def restarted(self, service: str, *, since: float) -> None:
        """Return when the service's only container has come back by itself and is healthy."""
        container = self.container(service)
        wait_for_event("die", [container], since=since, seconds=RESTART_SECONDS)
        wait_for_event("start", [container], since=since, seconds=RESTART_SECONDS)
        wait_for_event("health_status", [container], since=since, seconds=HEALTH_SECONDS)
        assert inspect(container)["RestartCount"] >= 1

    def logs(self) -> str:
        """The last lines of every service, for a failure's report."""
        return self.compose("logs", "--no-color", "--tail=40")

    def down(self) -> None:
        self.compose("down", "--volumes", "--remove-orphans", "--timeout", "40")

    def leftovers(self) -> list[str]:
        """Containers, volumes and networks that still carry the project's label."""
        label = f"label=com.docker.compose.project={self.project}"
        return [
            line
            for listing in (
                docker("ps", "--all", "--quiet", "--filter", label),
                docker("volume", "ls", "--quiet", "--filter", label),
                docker("network", "ls", "--quiet", "--filter", label),
            )
            for line in listing.split()
        ]
