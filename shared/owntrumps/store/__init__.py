"""Where matches live: the port, the memory store, the Redis store, and how entries and commands are written."""
