"""The HTTP service: one door for every client."""
