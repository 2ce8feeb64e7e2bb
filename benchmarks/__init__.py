"""Measurements. `make bench` runs them all; each can be run alone, and says how in its first lines."""
