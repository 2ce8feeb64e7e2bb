"""The history service: the archive of finished matches and what is read from it."""
