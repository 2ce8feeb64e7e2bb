"""When-steps: the program in a process of its own, as people and scripts run it."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

VECTORS = Path(__file__).parents[1] / "vectors"
PROGRAM = [sys.executable, "-m", "owntrumps"]


def owntrumps(*arguments: str, given: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    return subprocess.run([*PROGRAM, *arguments], input=given, capture_output=True, check=False, timeout=60)


def lines_of(output: bytes) -> list[Any]:
    return [json.loads(line) for line in output.splitlines()]
