"""A signal asks a service to stop, whatever the service is doing at that moment."""

import signal
import subprocess
import sys

import pytest

HOLDS_THE_LOCK = """
import os, signal
from owntrumps.process.stopping import asked_to_stop

asked = asked_to_stop()
with asked._cond:  # as the main thread does now and then while it waits
    for _ in range(3):
        os.kill(os.getpid(), signal.{name})
print(asked.wait(20))
"""

WAITS = """
from owntrumps.process.stopping import asked_to_stop

asked = asked_to_stop()
print("waits", flush=True)
print(asked.wait(20), asked.is_set())
"""


@pytest.mark.parametrize("name", ["SIGTERM", "SIGINT"])
def test_it_is_heard_when_it_comes_at_the_worst_moment_and_again_and_again(name):
    said = subprocess.run(
        [sys.executable, "-c", HOLDS_THE_LOCK.format(name=name)], capture_output=True, text=True, timeout=30, check=True
    )
    assert said.stdout == "True\n"


@pytest.mark.parametrize("name", [signal.SIGTERM, signal.SIGINT])
def test_it_ends_a_wait(name):
    with subprocess.Popen([sys.executable, "-c", WAITS], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "waits\n"
        process.send_signal(name)
        assert process.stdout.read() == "True True\n"
        assert process.wait() == 0
