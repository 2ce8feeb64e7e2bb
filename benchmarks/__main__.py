"""Every measurement, one after the other, in about ten minutes: ``make bench`` (or ``make bench ARGS="kernel api"``).

What needs a running system gets one of its own, on a free port with a temporary folder.
"""

import argparse
import os
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

import httpx

ALONE: Final = {
    "kernel": ["benchmarks.kernel", "--runs", "5"],
    "engine": ["benchmarks.engine", "--matches", "100"],
    "store": ["benchmarks.store", "--runs", "3", "--matches", "100"],
    "bots": ["benchmarks.bots_turns", "--matches", "40"],
    "time-travel": ["benchmarks.time_travel"],
    "openspiel-match": ["benchmarks.peers.openspiel_match", "--minutes", "1"],
    "verify": ["benchmarks.verify"],
    "archive": ["benchmarks.archive", "--matches", "1000"],
}
SERVED: Final = {
    "api": ["benchmarks.api_moves", "--clients", "32", "--seconds", "20"],
    "watchers": ["benchmarks.api_watchers", "--watchers", "1000"],
}
_ARENA: Final = "owntrumps arena --ruleset bornyu --levels club,greedy,greedy,greedy --deals 200 --seed 1"
ARENA: Final = {"strength": _ARENA.split()}


@contextmanager
def served() -> Iterator[str]:
    """The address of a whole system."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "owntrumps", "serve", "--port", str(port), "--data", f"{folder}/data"]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        try:
            assert process.stdout is not None
            # It prints its address once a move would be answered.
            address = next(line for line in process.stdout if "http://" in line)
            url = f"http://127.0.0.1:{port}"
            httpx.get(f"{url}/readyz").raise_for_status()
            print(address.strip(), flush=True)
            yield url
        finally:
            process.send_signal(signal.SIGTERM)
            process.wait()


def run(arguments: list[str]) -> None:
    print(f"\n== python -m {' '.join(arguments)}", flush=True)
    subprocess.run([sys.executable, "-m", *arguments], check=True, env=os.environ)


def main() -> None:
    everything = [*ALONE, *SERVED, *ARENA]
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("which", nargs="*", help=f"of {', '.join(everything)}; all if none is named")
    wanted = parser.parse_args().which or everything
    unknown = sorted(set(wanted) - set(everything))
    if unknown:
        parser.error(f"there is no measurement {', '.join(unknown)}")
    for name in wanted:
        if name in SERVED:
            with served() as url:
                run([*SERVED[name], "--server", url])
        else:
            run((ALONE | ARENA)[name])


if __name__ == "__main__":
    main()
