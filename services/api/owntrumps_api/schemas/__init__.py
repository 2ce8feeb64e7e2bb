"""The shapes of what comes in (strict) and of what goes out (for the documentation and the tests)."""
