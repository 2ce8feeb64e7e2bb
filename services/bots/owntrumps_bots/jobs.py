"""What an RQ job calls. A worker holds its player ready before it takes jobs; nothing is opened for a single job."""

from rq import get_current_job

from owntrumps.store.door import MatchId, Seat, Version
from owntrumps_bots.player import Player
from owntrumps_bots.turns import Turn

_players: list[Player] = []
"""This process's player, once its worker has one."""


def serve(player: Player | None) -> None:
    """Let this player play the jobs of this process from now on; None: nobody."""
    _players[:] = [] if player is None else [player]


def play_turns(match: str, version: int, seat: int, level: str) -> str:
    """Play what the level owes in the match; returns why it ended (`owntrumps_bots.reports.Ending`).

    Raises:
        RuntimeError: no worker of this service runs the job.
    """
    if not _players:
        raise RuntimeError("no player is ready: turns are played by `python -m owntrumps_bots work`")
    job = get_current_job()
    holder = f"{job.worker_name}/{job.id}" if job is not None else f"{match}-v{version}"
    return _players[0].play(Turn(MatchId(match), Version(version), Seat(seat), level), holder)
