"""What a job did, for whoever counts."""

from dataclasses import dataclass, field
from typing import Literal

Ending = Literal[
    "moved-on",
    "claimed",
    "handed-over",
    "over",
    "bound",
    "stopping",
    "others-wait",
    "refused",
    "unanswered",
    "store-unavailable",
    "failed",
]
"""Why a job ended. `moved-on`: the match had left the turn before any thought; `claimed`: another job plays on there;
`handed-over`: a person or another level is to move; `over`: so is the match; `bound`, `stopping`: the rest went back to
the queue; `others-wait`: a move was sent, the engine took long to answer, and other turns waited for the worker;
`refused`: nothing could be chosen, or the engine took no move of this bot; `unanswered`: no engine answered; `failed`:
by a fault of ours."""


@dataclass(slots=True)
class Report:
    """What a job did, for the figures. ``waited``: from the move before to the first look; ``thoughts``: how long each
    turn was thought about; ``busy``: how long the job kept its worker. In seconds."""

    level: str
    ending: Ending = "failed"
    waited: float | None = None
    thoughts: list[float] = field(default_factory=list)
    busy: float = 0.0
