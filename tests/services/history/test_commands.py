"""`ratings-rebuild` and `check` from the command line."""

import pytest
from sqlalchemy import text
from typer.testing import CliRunner

from owntrumps_history.cli import app
from tests.archive.given import many

runner = CliRunner()


@pytest.fixture
def filled(archive):
    for match in many(10):
        archive.save(match.id, match.entries)
    return archive


def test_check_finds_nothing_wrong_with_what_was_just_written(filled, database):
    result = runner.invoke(app, ["check", "--database", database])
    assert (result.exit_code, result.stdout) == (0, "10 good\n")


@pytest.mark.parametrize(
    ("change", "finding"),
    [
        ("UPDATE matches SET plies = plies + 1 WHERE seq = 3", "1 different, 9 good\n"),
        ("UPDATE match_seats SET loser = NOT loser WHERE match_seq = 3", "1 different, 9 good\n"),
        ("UPDATE matches SET state = (SELECT state FROM matches WHERE seq = 1) WHERE seq = 3", "1 different, 9 good\n"),
        ("UPDATE matches SET log = (SELECT log FROM matches WHERE seq = 1) WHERE seq = 3", "1 damaged, 9 good\n"),
    ],
)
def test_check_finds_what_does_not_follow_from_a_log(filled, database, change, finding):
    with filled._writer.begin() as connection:
        connection.execute(text(change))
    result = runner.invoke(app, ["check", "--database", database])
    assert (result.exit_code, result.stdout) == (1, finding)


def test_ratings_rebuild_mends_a_changed_rating(filled, database):
    before = filled.leaderboard("duel", limit=10)
    with filled._writer.begin() as connection:
        connection.execute(text("UPDATE ratings SET mu = 99, low = 98"))
    result = runner.invoke(app, ["ratings-rebuild", "--database", database])
    assert (result.exit_code, result.stdout) == (0, "10 matches read; their ratings are written anew\n")
    assert filled.leaderboard("duel", limit=10) == before


def test_a_database_that_cannot_be_reached_is_exit_code_2():
    result = runner.invoke(app, ["check", "--database", "postgresql://owntrumps@127.0.0.1:1/none"])
    assert result.exit_code == 2
    assert "cannot be read" in result.stderr


def test_a_bad_database_url_is_a_usage_error():
    result = runner.invoke(app, ["check", "--database", "mysql://x"])
    assert result.exit_code == 2
    assert "OWNTRUMPS_DATABASE_URL" in result.stderr
