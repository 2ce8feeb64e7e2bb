"""A program is kept running, started again when it ends, and stopped with all it started."""

import asyncio
import os
import select
import signal
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from owntrumps.supervisor.child import Child, HopelessError, Program

PRINTS_ITS_PID = "import os, signal; print(os.getpid(), flush=True); signal.pause()"
DEAF = "import signal; signal.signal(signal.SIGTERM, signal.SIG_IGN); print('deaf', flush=True); signal.pause()"


class Told:
    """What a child tells its supervisor, and a way to wait for it."""

    def __init__(self) -> None:
        self.lines: asyncio.Queue[str] = asyncio.Queue()

    def __call__(self, line: str) -> None:
        self.lines.put_nowait(line)


def program(code: str, **settings: object) -> Program:
    return Program("worker", ["-c", code], announces=True, **settings)  # type: ignore[arg-type]


def with_child(tmp_path: Path, what: Program, test: Callable[[Child, Told], Awaitable[None]]) -> None:
    async def run() -> None:
        told = Told()
        child = Child(what, tmp_path / "worker.log", told)
        child.start()
        try:
            await test(child, told)
        finally:
            await child.stop()

    asyncio.run(run())


def pid_of(child: Child) -> int:
    assert child._process is not None
    return child._process.pid


def test_a_program_that_is_killed_is_started_again(tmp_path):
    async def test(child: Child, told: Told) -> None:
        await child.ready()
        first = pid_of(child)
        os.kill(first, signal.SIGKILL)
        assert await told.lines.get() == "worker ended (SIGKILL) and is started again"
        os.kill(await second_pid(child, first), 0)

    async def second_pid(child: Child, first: int) -> int:
        while pid_of(child) == first:
            await asyncio.wait([asyncio.get_running_loop().create_future()], timeout=0.01)
        return pid_of(child)

    with_child(tmp_path, program(PRINTS_ITS_PID), test)


def test_what_a_killed_program_had_started_does_not_outlive_it(tmp_path):
    # Given a program that has started another one, which holds a pipe open (and the program's standard output)
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    starts = (
        "import os, signal, subprocess, sys; "
        f"pipe = open({str(pipe)!r}, 'w'); "
        "subprocess.Popen([sys.executable, '-c', 'import signal; signal.pause()'], pass_fds=[pipe.fileno()]); "
        "pipe.close(); print(os.getpid(), flush=True); signal.pause()"
    )

    async def test(child: Child, told: Told) -> None:
        await child.ready()
        with pytest.raises(BlockingIOError):
            os.read(reader, 1)
        # When the first one is killed
        os.kill(pid_of(child), signal.SIGKILL)
        await asyncio.wait_for(told.lines.get(), 20)
        # Then nobody holds the pipe any more
        ended, _, _ = await asyncio.to_thread(select.select, [reader], [], [], 20)
        assert ended
        assert os.read(reader, 1) == b""

    try:
        with_child(tmp_path, program(starts), test)
    finally:
        os.close(reader)


def test_a_program_stops_when_it_is_asked_to(tmp_path):
    async def test(child: Child, told: Told) -> None:
        await child.ready()
        pid = pid_of(child)
        await child.stop()
        with pytest.raises(ProcessLookupError):
            os.kill(pid, 0)
        assert told.lines.empty()

    with_child(tmp_path, program(PRINTS_ITS_PID), test)


def test_a_program_that_does_not_stop_is_killed_when_its_grace_is_over(tmp_path):
    async def test(child: Child, told: Told) -> None:
        await child.ready()
        pid = pid_of(child)
        await child.stop()
        assert await told.lines.get() == "worker has not stopped within 0.2 s: it is killed"
        with pytest.raises(ProcessLookupError):
            os.kill(pid, 0)

    with_child(tmp_path, program(DEAF, grace=0.2), test)


def test_a_program_that_never_starts_is_given_up_with_the_end_of_its_log(tmp_path):
    async def test(child: Child, told: Told) -> None:
        with pytest.raises(HopelessError, match="no such thing"):
            await child.ready()

    with_child(tmp_path, program("raise SystemExit('no such thing')"), test)


def test_a_program_counts_as_ready_when_it_says_so_and_not_before(tmp_path):
    # Given a program that waits for a line before it is ready
    gate = tmp_path / "gate"
    os.mkfifo(gate)
    code = f"open({str(gate)!r}).read(); print('ready', flush=True); import signal; signal.pause()"

    async def test(child: Child, told: Told) -> None:
        waiting = asyncio.create_task(child.ready())
        done, _ = await asyncio.wait({waiting}, timeout=0.3)
        assert not done
        await asyncio.to_thread(gate.write_text, "go")
        await waiting

    with_child(tmp_path, program(code), test)


def test_a_large_log_is_put_aside(tmp_path, monkeypatch):
    monkeypatch.setattr("owntrumps.supervisor.child.LOG_BYTES", 10)
    (tmp_path / "worker.log").write_text("x" * 11)

    async def test(child: Child, told: Told) -> None:
        await child.ready()

    with_child(tmp_path, program(PRINTS_ITS_PID), test)
    assert (tmp_path / "worker.log.1").read_text() == "x" * 11
    assert (tmp_path / "worker.log").read_text() == ""
