"""The engine's command line: maintenance with a summary, exit codes, and an end whenever somebody wants it."""

from collections.abc import Iterator

import pytest
from typer.testing import CliRunner, Result

from owntrumps.game.terms import MatchId, Version
from owntrumps.process.settings import ConfigError
from owntrumps.store.port import StoreUnavailableError
from owntrumps_engine import cli
from owntrumps_engine.config import EngineConfig, config_from
from owntrumps_engine.maintenance import Report, check
from tests.services.engine.given import ask, bot, create, engine_over, memory, next_move

URL = {"OWNTRUMPS_STORE_URL": "memory://"}
MATCHES = [MatchId(f"0{shard}-aaaaaaaaaaaa") for shard in range(3)]


@pytest.fixture
def store(monkeypatch):
    """Three matches of two entries, in the store that the commands open."""
    store = memory()
    engine = engine_over(store)
    for match in MATCHES:
        ask(store, engine, create(match, seats=(bot(), bot())), match)
        ask(store, engine, next_move(store, match), match)
    monkeypatch.setattr(store, "close", lambda: None)
    monkeypatch.setattr(cli, "open_store", lambda url: store)
    return store


def run(*arguments: str) -> Result:
    return CliRunner().invoke(cli.app, arguments, env=URL)


def test_check_says_what_it_found(store):
    result = run("check")
    assert (result.exit_code, result.stdout) == (0, "3 matches (3 good), 6 entries\n")


def test_check_names_what_is_wrong_and_fails(store):
    wrong = store.state(MATCHES[0])
    assert store.put_state(MATCHES[1], wrong, at_version=Version(2))
    result = run("check")
    assert (result.exit_code, result.stdout) == (1, "3 matches (2 good, 1 different), 6 entries\n")
    assert f"{MATCHES[1]}: different" in result.stderr


def test_rebuild_brings_back_what_was_deleted(store):
    before = [store.state(match) for match in MATCHES]
    for match in MATCHES:
        store.drop_state(match)
    assert run("check").stdout == "3 matches (3 missing), 6 entries\n"
    assert run("rebuild").stdout == "3 matches (3 good), 6 entries\n"
    assert [store.state(match) for match in MATCHES] == before


def test_an_interruption_tells_how_far_it_got(store, monkeypatch):
    def interrupted(*given: object) -> Iterator[Report]:
        reports = check(store, MATCHES)
        yield next(reports)
        raise KeyboardInterrupt

    monkeypatch.setattr(cli, "check_states", interrupted)
    result = run("check")
    assert (result.exit_code, result.stdout) == (130, "1 matches (1 good), 2 entries, interrupted\n")


def test_a_store_that_cannot_be_reached_is_said_to_be_so(store, monkeypatch):
    def unreachable() -> list[MatchId]:
        raise StoreUnavailableError("no route")

    monkeypatch.setattr(store, "match_ids", unreachable)
    result = run("rebuild")
    assert result.exit_code == 2
    assert "the store cannot be reached: no route" in result.stderr


def test_without_a_store_the_engine_says_what_is_missing():
    result = CliRunner().invoke(cli.app, ["check"], env={"OWNTRUMPS_STORE_URL": ""})
    assert result.exit_code == 2
    assert "OWNTRUMPS_STORE_URL" in result.stderr


def test_every_number_can_be_set_from_the_environment():
    config = config_from({**URL, "OWNTRUMPS_ENGINE_BATCH": "7", "OWNTRUMPS_ENGINE_CONSUMER": "e1"})
    assert config == EngineConfig(store_url="memory://", consumer="e1", batch=7)


@pytest.mark.parametrize("text", ["-1", "many", "1.5", ""])
def test_a_number_that_is_none_is_refused_by_name(text):
    with pytest.raises(ConfigError, match="OWNTRUMPS_ENGINE_BATCH is a whole number"):
        config_from({**URL, "OWNTRUMPS_ENGINE_BATCH": text})


def test_two_engines_on_one_machine_have_different_names():
    assert config_from(URL).consumer != EngineConfig().consumer
