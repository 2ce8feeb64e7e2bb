"""`owntrumps perft`: lines of play counted, to check another implementation against the rules."""

from collections.abc import Mapping
from typing import Annotated, Any

import typer

from owntrumps.cli.json_lines import answer_lines
from owntrumps.rules.perft import perft as count
from owntrumps.rules.study import position_from


def perft(
    file: Annotated[str, typer.Argument(metavar="FILE|-", help="JSON Lines; - is standard input.")] = "-",
    depth: Annotated[int, typer.Option(min=1, help="Plies; the time grows with the number of lines.")] = 1,
) -> None:
    """Count the lines of 1 to DEPTH plies from positions; a deal that ends sooner is one line.

    One line out per position. Exit code 1 if any position had an error.
    """

    def answer(position: Mapping[str, Any]) -> Mapping[str, Any]:
        table, deal = position_from(position)
        return {"perft": [count(table, deal, plies) for plies in range(1, depth + 1)]}

    answer_lines(file, answer)
