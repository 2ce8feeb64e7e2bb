"""`python -m owntrumps_history`."""

from owntrumps_history.cli import app

if __name__ == "__main__":
    app(prog_name="python -m owntrumps_history")
