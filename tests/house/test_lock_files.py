"""Every package that is installed is pinned and hash-checked, and nothing says where it comes from."""

import re
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

from tests.house.repository import ROOT, tracked_files

LOCKS = sorted((ROOT / "requirements").glob("*.lock"))
SERVICES = ["api", "engine", "bots", "history"]
PINNED = re.compile(r"^(?P<name>[A-Za-z0-9._-]+)==(?P<version>[^\s;]+)(?P<marker> ;[^\\]*)?(?P<continued> \\)?$")
REGISTRY_HOST = re.compile(
    r"//[\w.-]*(?:pypi|pythonhosted|npmjs|yarnpkg|debian|ubuntu|docker|ghcr|quay|registry|mirror)[\w-]*\.[a-z]",
    re.IGNORECASE,
)
INDEX_OPTION = re.compile(r"--(?:extra-)?index-url|--find-links|PIP_INDEX_URL|UV_INDEX|^registry=", re.MULTILINE)


def pins(lock: Path) -> dict[str, set[Version]]:
    """Versions by package; a package may have one version for each range of Pythons."""
    found: dict[str, set[Version]] = {}
    for line in lock.read_text().splitlines():
        if match := PINNED.match(line):
            found.setdefault(canonicalize_name(match["name"]), set()).add(Version(match["version"]))
    return found


def requirements_of(project: Path) -> list[Requirement]:
    table = tomllib.loads(project.read_text())["project"]
    return [Requirement(text) for text in table["dependencies"]]


@pytest.mark.parametrize("lock", LOCKS, ids=lambda path: path.name)
def test_every_requirement_of_a_lock_file_is_pinned_and_has_a_hash(lock: Path) -> None:
    lines = [line for line in lock.read_text().splitlines() if line and not line.lstrip().startswith("#")]
    requirements = [index for index, line in enumerate(lines) if not line.startswith(" ")]
    assert requirements, "an empty lock file checks nothing"
    for index in requirements:
        assert PINNED.match(lines[index]), f"not pinned: {lines[index]}"
        assert re.match(r"^ {4}--hash=sha256:[0-9a-f]{64}", lines[index + 1]), f"no hash: {lines[index]}"


@pytest.mark.parametrize("lock", LOCKS, ids=lambda path: path.name)
def test_images_and_make_run_have_only_versions_that_the_tests_run(lock: Path) -> None:
    tested = pins(ROOT / "requirements" / "dev.lock")
    for name, versions in pins(lock).items():
        assert versions <= tested[name], f"{name} {versions} in {lock.name}, {tested[name]} in dev.lock"


@pytest.mark.parametrize("service", SERVICES)
def test_the_lock_file_of_a_service_holds_what_its_distribution_asks_for(service: str) -> None:
    locked = pins(ROOT / "requirements" / f"{service}.lock")
    for requirement in requirements_of(ROOT / "services" / service / "pyproject.toml"):
        if requirement.name == "owntrumps":
            continue
        versions = locked.get(canonicalize_name(requirement.name), set())
        assert versions, f"{requirement} is not in {service}.lock: run make lock"
        assert all(version in requirement.specifier for version in versions), f"{requirement}: run make lock"


def test_the_pure_core_depends_on_nothing() -> None:
    assert requirements_of(ROOT / "shared" / "pyproject.toml") == []


def test_no_file_names_a_package_index_or_its_host() -> None:
    offenders = []
    for path in tracked_files():
        if path.name == Path(__file__).name:
            continue
        try:
            text = path.read_text()
        except UnicodeDecodeError:
            continue  # an image
        # `make lock` tells the resolver to leave the address out.
        text = text.replace("--no-emit-index-url", "").replace("--no-emit-find-links", "")
        offenders += [
            f"{path.relative_to(ROOT)}: {match.group()}"
            for pattern in (REGISTRY_HOST, INDEX_OPTION)
            for match in pattern.finditer(text)
        ]
    assert offenders == []
