"""A complete bot from outside: python outside_bot.py URL RULESET, with owntrumps[client] installed.

It plays against the server's own bots: the lowest card that will do, own trumps last, and takes when it must.
"""

import sys

from owntrumps.client import Client, ProblemError, View

RANKS = "23456789TJQKA"


def choose(view: View) -> str:
    """One of the legal plays, which are cards such as ``Th``, or ``take``."""
    trump = view["seats"][view["you"] or 0]["trump"]
    cards = [play for play in view["legal"] if play != "take"]
    return min(cards, key=lambda card: (card[1] == trump, RANKS.index(card[0])), default="take")


def play(client: Client, ruleset: str) -> View:
    """Play one match against greedy bots; the view at its end."""
    seats = next(rules["seats"] for rules in client.rulesets() if rules["name"] == ruleset)
    match = client.create(ruleset, [{"kind": "me"}] + [{"kind": "bot", "level": "greedy"}] * (seats - 1))["id"]
    for view in client.my_turns(match):
        try:
            client.move(match, choose(view), if_version=view["version"])
        except ProblemError as problem:
            if problem.slug != "stale-version":  # the match has moved on without us: look again
                raise
    return client.view(match)


if __name__ == "__main__":
    url, chosen = sys.argv[1:]
    with Client(url) as client:
        client.register("Outside bot")
        print(play(client, chosen)["result"])
