"""Portable records of matches: their JSON, their text, and checking them without trust in any server."""
