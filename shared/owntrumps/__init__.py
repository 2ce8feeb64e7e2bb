"""Own Trumps: rules, event-sourced matches, redacted views, stores, client and command line."""
