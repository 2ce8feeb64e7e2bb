"""The Docker engine, by its own command-line client."""

import json
import subprocess
import threading
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from tests.house.repository import ROOT


def docker(*arguments: str, environment: Mapping[str, str] | None = None) -> str:
    """What `docker ARGUMENTS` prints; AssertionError with both outputs if it fails."""
    return run("docker", *arguments, environment=environment)


def run(*command: str, environment: Mapping[str, str] | None = None) -> str:
    finished = subprocess.run(command, cwd=ROOT, env=environment, check=False, capture_output=True, text=True)
    shown = f"{' '.join(command)} ended with {finished.returncode}\n{finished.stdout}\n{finished.stderr}"
    assert finished.returncode == 0, shown
    return finished.stdout


def inspect(container: str) -> dict[str, Any]:
    """The engine's own description of a container."""
    described: dict[str, Any] = json.loads(docker("inspect", container))[0]
    return described


@contextmanager
def lines_of(*command: str, seconds: float) -> Iterator[Iterator[str]]:
    """What a command that goes on for ever prints, line by line; it is ended with the block, or after so long."""
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as stream:
        assert stream.stdout is not None
        patience = threading.Timer(seconds, stream.kill)
        patience.start()
        try:
            yield iter(stream.stdout)
        finally:
            patience.cancel()
            stream.kill()


def wait_for_event(event: str, containers: Iterable[str], *, since: float, seconds: float, fatal: str = "") -> None:
    """Return when each of the containers (full ids) has had the event, counted from `since` (Unix seconds) on.

    Events that happened before the call count, so nothing is missed between an action and the waiting for it.
    A `fatal` event of one of them ends the waiting with an AssertionError, as does running out of time.
    """
    awaited = set(containers)
    if not awaited:
        return
    missing = set(awaited)
    filters = [word for name in (event, fatal) if name for word in ("--filter", f"event={name}")]
    command = ["docker", "events", "--since", f"{since:.6f}", *filters, "--format", "{{json .}}"]
    with lines_of(*command, seconds=seconds) as lines:
        for line in lines:
            notice = json.loads(line)
            if notice["status"] == fatal and notice["id"] in awaited:
                raise AssertionError(f"{inspect(notice['id'])['Name']}: {fatal}")
            # The engine names a change of health in the status itself: "health_status: healthy".
            if notice["status"] in {event, f"{event}: healthy"}:
                missing.discard(notice["id"])
            if not missing:
                return
    raise AssertionError(f"no {event} within {seconds} s from: {[inspect(one)['Name'] for one in missing]}")
