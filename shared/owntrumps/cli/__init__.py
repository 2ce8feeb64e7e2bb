"""The command line, `owntrumps`: one module a command; each keeps what it needs beyond typer out of its import."""
