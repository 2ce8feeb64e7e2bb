"""How long the answer to a submission is kept."""

from typing import Final

from owntrumps.game.refusals import Refusal
from owntrumps.store.port import Outcome

OUTCOME_TTL_SECONDS: Final = 24 * 3600
"""For as long a caller may repeat a request and be given the same answer."""
OWN_OUTCOME_TTL_SECONDS: Final = 600
"""The same for bots and the engine, whose submissions carry no fingerprint: a later repetition is stale anyway, and a
day of every bot's moves would cost more memory than the logs."""
BUSY_SECONDS: Final = 1
"""The same for `busy`, which asks its caller to try again: a second try must not be answered with the first refusal."""


def seconds_kept(outcome: Outcome, ttl_seconds: int) -> int:
    """How long this outcome is kept, where ``ttl_seconds`` is the time for callers from outside."""
    if isinstance(outcome.answer, Refusal) and outcome.answer.slug == "busy":
        return BUSY_SECONDS
    return ttl_seconds if outcome.fingerprint else min(ttl_seconds, OWN_OUTCOME_TTL_SECONDS)
