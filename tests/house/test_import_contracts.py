"""The boundaries of architecture.md hold."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

from tests.house.repository import ROOT, tracked_files

# Default-deny: what is not named here is not pure until somebody has looked.
PURE = {
    "__future__", "abc", "bisect", "collections", "dataclasses", "enum", "functools", "hashlib", "hmac", "itertools",
    "math", "operator", "re", "types", "typing",
}  # fmt: skip
# Writes a moment it is given as text; the import contract allows it to this one module.
EXCEPTIONS = {("shared/owntrumps/game/moments.py", "datetime")}


def imported_packages(path: Path) -> set[str]:
    """Top-level names that a module imports, wherever in it."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(), filename=str(path))):
        if isinstance(node, ast.Import):
            names |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module is not None:
            names.add(node.module.split(".")[0])
    return names


def test_the_import_contracts_hold() -> None:
    linter = Path(sys.executable).with_name("lint-imports")
    verdict = subprocess.run([linter, "--no-cache"], cwd=ROOT, check=False, capture_output=True, text=True)
    assert verdict.returncode == 0, verdict.stdout + verdict.stderr


@pytest.mark.parametrize("package", ["rules", "game", "views"])
def test_the_core_imports_only_modules_known_to_be_pure(package: str) -> None:
    modules = tracked_files(f"shared/owntrumps/{package}/*.py")
    assert modules
    for path in modules:
        module = path.relative_to(ROOT).as_posix()
        foreign = imported_packages(path) - PURE - {"owntrumps"}
        assert {name for name in foreign if (module, name) not in EXCEPTIONS} == set(), module


def test_the_folder_shared_is_not_a_package() -> None:
    assert not (ROOT / "shared" / "__init__.py").exists()
    for path in tracked_files("*.py"):
        assert "shared" not in imported_packages(path), path


def test_importing_any_of_the_packages_connects_to_nothing_and_prints_nothing() -> None:
    program = (
        "import socket, sys\n"
        "def refuse(*args): raise AssertionError('an import opened a connection')\n"
        "socket.socket.connect = refuse\n"
        "import importlib, pkgutil\n"
        "for name in ['owntrumps', 'owntrumps_api', 'owntrumps_engine', 'owntrumps_bots', 'owntrumps_history']:\n"
        "    package = importlib.import_module(name)\n"
        "    for module in pkgutil.walk_packages(package.__path__, name + '.'):\n"
        "        if not module.name.endswith('.__main__'):\n"
        "            importlib.import_module(module.name)\n"
    )
    run = subprocess.run([sys.executable, "-c", program], cwd="/", check=False, capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    assert (run.stdout, run.stderr) == ("", "")
