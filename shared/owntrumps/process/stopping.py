"""How a service learns that it is to stop."""

import signal
from threading import Event, Thread
from typing import Final

STOPS: Final = frozenset({signal.SIGTERM, signal.SIGINT})


def asked_to_stop() -> Event:
    """Set by SIGTERM or Ctrl-C from now on, any number of times. Call it in the main thread, before there are others.

    A thread takes the signals, not a handler: a handler runs between any two steps of the main thread, also while that
    holds the event's lock or while the handler itself does (the kernel repeats the signal of a parent's death), and
    would then wait for ever.
    """
    asked = Event()
    signal.pthread_sigmask(signal.SIG_BLOCK, STOPS)

    def take() -> None:
        while True:
            signal.sigwait(STOPS)
            asked.set()

    Thread(target=take, name="stopping", daemon=True).start()
    return asked
