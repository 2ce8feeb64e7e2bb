"""The engine service: competing consumers that decide and commit."""
