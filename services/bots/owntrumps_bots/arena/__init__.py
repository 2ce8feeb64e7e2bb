"""Levels against levels over common deals: who loses how often, with what certainty, and how long they think."""
