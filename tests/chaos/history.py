"""A real history process, to be killed."""

from tests.chaos.processes import ServiceProcess

EAGER = {
    "OWNTRUMPS_HISTORY_CLAIM_IDLE_MS": "300",
    "OWNTRUMPS_HISTORY_CLAIM_EVERY_MS": "50",
    "OWNTRUMPS_HISTORY_SWEEP_EVERY_MS": "100",
    "OWNTRUMPS_HISTORY_GRACE_MS": "0",
}
"""A dead process's notices are taken over quickly and matches leave at once, so that tests are quick."""


class HistoryProcess(ServiceProcess):
    """A history process over a store and a database, by their URLs."""

    def __init__(self, store: str, database: str, **settings: str) -> None:
        urls = {"OWNTRUMPS_STORE_URL": store, "OWNTRUMPS_DATABASE_URL": database}
        super().__init__("owntrumps_history", {**EAGER, **settings, **urls})
