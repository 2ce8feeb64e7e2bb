"""`owntrumps referee`: records of deals, played through."""

from typing import Annotated

import typer

from owntrumps.cli.json_lines import answer_lines
from owntrumps.rules.referee import referee as judge


def referee(
    file: Annotated[str, typer.Argument(metavar="FILE|-", help="JSON Lines; - is standard input.")] = "-",
) -> None:
    """Play records of deals through: who moved, what was legal, and how each deal stands or ended.

    One line out per record. Exit code 1 if any record had an error.
    """
    answer_lines(file, judge)
