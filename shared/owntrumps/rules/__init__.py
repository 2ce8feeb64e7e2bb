"""The rules of the own-trumps family: cards, rulesets, positions and legal plays. Pure: no I/O, clock or chance."""
