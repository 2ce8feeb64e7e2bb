"""`python -m owntrumps_engine`."""

from owntrumps_engine.cli import app

app(prog_name="python -m owntrumps_engine")
