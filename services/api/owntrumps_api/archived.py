"""Commands to matches of the archive. The engine knows only what is in the store; callers cannot tell the difference.

Nothing is decided here either: a match that is over refuses everything, and `handle` says with which words.
"""

from dataclasses import replace

from owntrumps.archive.archive import Archive
from owntrumps.archive.errors import ArchiveUnavailableError
from owntrumps.game.commands import CreateMatch
from owntrumps.game.log import handle
from owntrumps.game.refusals import Refusal
from owntrumps.game.state import NoMatch
from owntrumps.store.matches import load_match
from owntrumps.store.port import Answered, Inbox, Outcome, Submission


def taken(inbox: Inbox, archive: Archive | None, submission: Submission) -> Answered | None:
    """The refusal to make a match whose id is an archived one's: asked for again, after its outcome has expired.

    While the database is away nobody is kept from making matches.
    """
    if archive is None or not isinstance(submission.command, CreateMatch):
        return None
    try:
        if not archive.has(submission.match) or inbox.outcome(submission.match, submission.id) is not None:
            return None
    except ArchiveUnavailableError:
        return None
    refusal = Refusal("match-exists", f"match {submission.match} exists already")
    return Answered(Outcome(submission.id, submission.match, submission.fingerprint, refusal), None, None)


def as_if_here(archive: Archive | None, submission: Submission, answered: Answered) -> Answered:
    """The engine's answer or, where it knew no such match, what the archived one answers."""
    outcome = answered.outcome
    if archive is None or outcome is None or not _knew_none(outcome):
        return answered
    match = load_match(archive, submission.match, to_decide=True)
    answer = None if isinstance(match.state, NoMatch) else handle(match, submission.command)
    return replace(answered, outcome=replace(outcome, answer=answer)) if isinstance(answer, Refusal) else answered


def late_outcome(archive: Archive | None, outcome: Outcome) -> Outcome:
    """The same where the command is not at hand any more."""
    if archive is None or not _knew_none(outcome) or not archive.has(outcome.match):
        return outcome
    return replace(outcome, answer=Refusal("match-over", f"match {outcome.match} is over"))


def _knew_none(outcome: Outcome) -> bool:
    return isinstance(outcome.answer, Refusal) and outcome.answer.slug == "not-found"
