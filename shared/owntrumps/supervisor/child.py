"""One process that is kept running: started again when it ends, stopped when everything stops."""

import asyncio
import ctypes
import os
import signal
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from time import monotonic
from typing import Final

FIRST_WAIT_SECONDS: Final = 0.1
LAST_WAIT_SECONDS: Final = 10.0
STEADY_SECONDS: Final = 10.0
"""A process that lived for so long is started again at once; one that keeps failing, after ever longer waits."""
HOPELESS: Final = 5
"""So many failures in a row before it was ever ready: something is wrong with the machine, not with the moment."""
LOG_BYTES: Final = 10_000_000
"""A log larger than this is put aside, as NAME.log.1, at the next start."""
_PR_SET_PDEATHSIG: Final = 1
_libc = ctypes.CDLL(None) if sys.platform == "linux" else None


@dataclass(frozen=True, slots=True)
class Program:
    """What to run. ``arguments`` follow the interpreter's own name. ``announces``: it writes a line to its standard
    output when it is ready (else it counts as ready once started). ``grace``: seconds it may take to stop."""

    name: str
    arguments: Sequence[str]
    environment: Mapping[str, str] = field(default_factory=dict)
    announces: bool = False
    grace: float = 30.0


class HopelessError(Exception):
    """A program that cannot be got to run; the message names it and ends with the last lines of its log."""


class Child:
    """A program's process and its successors. All methods belong to one event loop."""

    def __init__(self, program: Program, log: Path, tell: Callable[[str], None]) -> None:
        self.program = program
        self._log = log
        self._tell = tell
        self._process: asyncio.subprocess.Process | None = None
        self._keeping: asyncio.Task[None] | None = None
        self._stopping = asyncio.Event()
        self._ready = asyncio.Event()

    def start(self) -> None:
        """Begin to keep the program running."""
        self._keeping = asyncio.create_task(self._keep(), name=self.program.name)

    async def ready(self) -> None:
        """Wait until it is ready for the first time; HopelessError if that cannot be hoped for."""
        keeping = self._started()
        waiting = asyncio.create_task(self._ready.wait())
        await asyncio.wait({waiting, keeping}, return_when=asyncio.FIRST_COMPLETED)
        waiting.cancel()
        if keeping.done():
            keeping.result()

    async def ended(self) -> None:
        """Wait until it is given up (HopelessError) or has been stopped."""
        await asyncio.shield(self._started())

    async def stop(self) -> None:
        """Ask it to stop, insist when its grace is over, and wait until it is gone."""
        self._stopping.set()
        process = self._process
        if process is not None and process.returncode is None:
            self._signal(process, signal.SIGTERM)
            try:
                await asyncio.wait_for(process.wait(), self.program.grace)
            except TimeoutError:
                self._tell(f"{self.program.name} has not stopped within {self.program.grace:g} s: it is killed")
        self.kill()
        if self._keeping is not None:
            await asyncio.wait({self._keeping})

    def kill(self) -> None:
        """End it and whatever it started, at once."""
        self._stopping.set()
        if self._process is not None:
            self._signal(self._process, signal.SIGKILL, whole_group=True)

    def _started(self) -> asyncio.Task[None]:
        if self._keeping is None:
            raise RuntimeError(f"{self.program.name} was never started")
        return self._keeping

    @staticmethod
    def _signal(process: asyncio.subprocess.Process, what: signal.Signals, *, whole_group: bool = False) -> None:
        """Signal the process, or all that is left of the group it leads."""
        try:
            if whole_group:
                os.killpg(process.pid, what)
            elif process.returncode is None:
                os.kill(process.pid, what)
        except ProcessLookupError:
            pass  # gone already

    async def _keep(self) -> None:
        wait, failures = FIRST_WAIT_SECONDS, 0
        while not self._stopping.is_set():
            started = monotonic()
            code = await self._run()
            if self._stopping.is_set():
                return
            failures = 0 if self._ready.is_set() else failures + 1
            if failures >= HOPELESS:
                raise HopelessError(f"{self.program.name} does not start:\n{self._last_lines()}")
            if monotonic() - started >= STEADY_SECONDS:
                wait = FIRST_WAIT_SECONDS
            self._tell(f"{self.program.name} ended ({_cause(code)}) and is started again")
            try:
                await asyncio.wait_for(self._stopping.wait(), wait)
            except TimeoutError:
                wait = min(wait * 2, LAST_WAIT_SECONDS)

    async def _run(self) -> int:
        """One process from its start to its end; its exit code."""
        if self._log.exists() and self._log.stat().st_size > LOG_BYTES:
            self._log.replace(self._log.with_suffix(".log.1"))
        with self._log.open("ab") as log, self._listening() as announcement:
            process = await asyncio.create_subprocess_exec(
                sys.executable,
                *self.program.arguments,
                stdin=asyncio.subprocess.DEVNULL,
                stdout=announcement if self.program.announces else log,
                stderr=log,
                env={**os.environ, **self.program.environment},
                start_new_session=True,  # Ctrl-C is the supervisor's alone: it stops things in order
                preexec_fn=_ends_with(os.getpid()),
            )
            self._process = process
            if self._stopping.is_set():
                self._signal(process, signal.SIGTERM)
            if not self.program.announces:
                self._ready.set()
            code = await process.wait()
        self._signal(process, signal.SIGKILL, whole_group=True)  # what it left behind must not hold its port or work on
        return code

    @contextmanager
    def _listening(self) -> Iterator[int]:
        """The end of a pipe for the program to announce itself through; it is ready with the first it writes.

        Not a pipe of asyncio's: while another program that this one has started holds it too, `wait` would not return.
        """
        loop = asyncio.get_running_loop()
        hears, says = os.pipe()

        def hear() -> None:
            if os.read(hears, 4096):
                self._ready.set()

        loop.add_reader(hears, hear)
        try:
            yield says
        finally:
            loop.remove_reader(hears)
            os.close(hears)
            os.close(says)

    def _last_lines(self) -> str:
        return "\n".join(self._log.read_text(errors="replace").splitlines()[-20:])


def _ends_with(parent: int) -> Callable[[], None]:
    """What a child does first: has the kernel send it SIGTERM when its parent dies, however that dies (Linux only)."""

    def end_with_parent() -> None:
        if _libc is not None:
            _libc.prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)
            if os.getppid() != parent:
                os.kill(os.getpid(), signal.SIGTERM)  # it was too late to ask

    return end_with_parent


def _cause(code: int) -> str:
    return f"exit code {code}" if code >= 0 else f"{signal.Signals(-code).name}"
