"""Environments for research: PettingZoo and OpenSpiel, on one deal of any ruleset (extra ``rl``)."""
