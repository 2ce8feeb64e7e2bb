"""While PostgreSQL is away play goes on; what is in the store can be read, the rest says when to try again."""

from contextlib import ExitStack
from pathlib import Path
from typing import Any

import httpx
import pytest

from owntrumps.archive.archive import open_archive
from owntrumps.store.connect import open_store
from tests.archive.conftest import postgres_server
from tests.archive.given import commit, played
from tests.archive.postgres import PostgresServer
from tests.chaos.test_history_killed import await_news
from tests.processes import ApiProcess, EngineProcess, HistoryProcess
from tests.store.servers import free_port, valkey

__all__ = ["postgres_server"]

pytestmark = [pytest.mark.server, pytest.mark.postgres, pytest.mark.slow]


def status_of(client: httpx.Client, path: str) -> tuple[int, str | None]:
    answer = client.get(path)
    return answer.status_code, answer.headers.get("Retry-After")


def test_play_goes_on_while_the_database_is_away(tmp_path: Path, postgres_server: PostgresServer) -> None:
    with ExitStack() as running:
        # Given everything, and matches that have left for the archive, one of which was looked at
        url = running.enter_context(valkey(tmp_path, appendfsync="always"))
        database = postgres_server.empty_database()
        running.enter_context(EngineProcess(url))
        history = running.enter_context(HistoryProcess(url, database))
        api = running.enter_context(ApiProcess(url, free_port(), OWNTRUMPS_DATABASE_URL=database))
        client = running.enter_context(httpx.Client(base_url=api.url, timeout=60))
        store = open_store(url)
        running.callback(store.close)
        seen, gone = played(1), played(2)
        for each in (seen, gone):
            commit(store, each)
        await_news(url, store, database, 2)
        assert status_of(client, f"/v1/matches/{seen.id}") == (200, None)
        # When the database is killed
        postgres_server.kill()
        # Then matches are made, with a key too, and played to their end
        token = client.post("/v1/players", json={"name": "Ann"}).json()["token"]
        mine = {"Authorization": f"Bearer {token}"}
        duel = {
            "ruleset": "duel",
            "seats": [{"kind": "me"}, {"kind": "bot", "level": "greedy"}],
            "on_timeout": "forfeit",
        }
        made = client.post("/v1/matches", json=duel, headers={**mine, "Idempotency-Key": "a"})
        assert made.status_code == 201, made.text
        match: dict[str, Any] = made.json()
        resigned = client.post(f"/v1/matches/{match['id']}/resignation", json={}, headers=mine)
        assert resigned.status_code == 201, resigned.text
        # And what is in the store is read, the rest is not there for now
        assert status_of(client, f"/v1/matches/{match['id']}/record") == (200, None)
        assert status_of(client, "/v1/matches?status=playing") == (200, None)
        assert status_of(client, f"/v1/matches/{seen.id}") == (200, None)
        for path in (f"/v1/matches/{gone.id}", "/v1/matches", "/v1/leaderboard"):
            assert status_of(client, path) == (503, "1")
        assert status_of(client, "/readyz") == (200, None)
        assert store.match_ids() == [match["id"]]
        # When it is back
        postgres_server.start()
        await_news(url, store, database, 3)
        # Then nothing is missing
        assert status_of(client, f"/v1/matches/{gone.id}") == (200, None)
        assert len(client.get("/v1/matches").json()["matches"]) == 3
        assert history.stop() == 0
        archive = open_archive(database)
        assert archive.count() == 3
        archive.close()
