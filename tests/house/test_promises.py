"""What the README and `make help` promise is there."""

import re
import subprocess
import tomllib

from tests.house.repository import ROOT, tracked_files

CONTRACT = {"help", "install", "run", "test", "lint", "bench", "up", "down", "clean", "test-containers"}
# A file holds one concern and fits in one head.
LONGEST_FILE = 400


def make_targets() -> set[str]:
    return set(re.findall(r"^([a-z][a-z-]*):", (ROOT / "Makefile").read_text(), re.MULTILINE))


def test_every_make_target_of_the_contract_exists_and_explains_itself() -> None:
    listing = subprocess.run(
        ["make", "--no-print-directory"], cwd=ROOT, check=True, capture_output=True, text=True
    ).stdout
    explained = dict(re.findall(r"^ +make ([a-z-]+) +(\S.*)$", listing, re.MULTILINE))
    assert set(explained) >= CONTRACT
    assert set(explained) == make_targets()


def test_every_make_target_that_a_document_names_exists() -> None:
    for path in tracked_files("*.md"):
        named = set(re.findall(r"`make ([a-z][a-z-]*)", path.read_text()))
        assert named <= make_targets(), path.relative_to(ROOT)


def test_continuous_integration_runs_what_developers_run() -> None:
    script = (ROOT / ".ci" / "run").read_text()
    for target in ("make lint", "make test", "make test-containers"):
        assert target in script


def test_the_five_distributions_share_version_licence_and_oldest_python() -> None:
    projects = [
        tomllib.loads(path.read_text())["project"]
        for path in tracked_files("shared/pyproject.toml", "services/*/pyproject.toml")
    ]
    assert sorted(project["name"] for project in projects) == [
        "owntrumps",
        "owntrumps-api",
        "owntrumps-bots",
        "owntrumps-engine",
        "owntrumps-history",
    ]
    assert len({(project["version"], project["license"], project["requires-python"]) for project in projects}) == 1


def test_no_source_file_is_longer_than_one_head_holds() -> None:
    sources = [path for path in tracked_files("*.py", "*.js", "*.lua") if "vectors" not in path.parts]
    lengths = {path.relative_to(ROOT).as_posix(): len(path.read_text().splitlines()) for path in sources}
    assert {name: lines for name, lines in lengths.items() if lines > LONGEST_FILE} == {}
