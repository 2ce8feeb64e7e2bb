"""Event-sourced matches: commands, events, `decide`, `evolve`. Pure: time, seeds and ids arrive inside commands."""
