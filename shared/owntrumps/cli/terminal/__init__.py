"""Playing and watching in a terminal: one line in, lines out; needs no colour, no cursor keys and no mouse."""
