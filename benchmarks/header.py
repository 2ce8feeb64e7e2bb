"""The first line of every measurement: what was measured, where, and how busy the machine was."""

import os
import platform
import subprocess


def header() -> str:
    """Commit, Python, processor, cores and the load of the last minute."""
    described = subprocess.run(["git", "describe", "--always", "--dirty"], check=False, capture_output=True, text=True)
    load = os.getloadavg()[0]
    python, machine = platform.python_version(), platform.machine()
    return f"commit {described.stdout.strip()}, Python {python}, {machine}, {os.cpu_count()} cores, load {load:.1f}"
