"""The page is plain files: nothing to build, nothing from elsewhere, nothing a strict policy would stop."""

import re

import pytest

from tests.browser.chromium import STATIC, static_files

CODE = [path for path in static_files() if path.suffix in {".html", ".css", ".js", ".json", ".svg"}]
NAMES = [str(path.relative_to(STATIC)) for path in CODE]
LONGEST_FILE = 400
ALLOWED_ADDRESSES = {"http://www.w3.org/2000/svg"}  # the name of SVG, which nobody fetches


def test_every_file_is_text_that_a_person_wrote() -> None:
    assert [path for path in static_files() if path not in CODE] == []


@pytest.mark.parametrize("name", NAMES)
def test_nothing_comes_from_another_host(name: str) -> None:
    text = (STATIC / name).read_text()
    assert set(re.findall(r"(?:https?:)?//[a-z0-9-]+(?:\.[a-z0-9-]+)+[^\s\"'<>)]*", text)) <= ALLOWED_ADDRESSES


@pytest.mark.parametrize("name", [name for name in NAMES if name.endswith((".html", ".svg"))])
def test_no_markup_carries_script_or_style(name: str) -> None:
    text = (STATIC / name).read_text()
    assert re.search(r"<style|<script(?![^>]*\bsrc=)|\sstyle=|\son[a-z]+=|javascript:", text) is None


@pytest.mark.parametrize("name", [name for name in NAMES if name.endswith(".js")])
def test_no_code_is_made_of_text(name: str) -> None:
    text = (STATIC / name).read_text()
    assert re.search(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function", text) is None


@pytest.mark.parametrize("name", [name for name in NAMES if name.endswith((".js", ".css"))])
def test_files_stay_small(name: str) -> None:
    assert len((STATIC / name).read_text().splitlines()) <= LONGEST_FILE


def test_every_module_the_page_imports_is_there() -> None:
    for path in (path for path in CODE if path.suffix == ".js"):
        for target in re.findall(r'from "([^"]+)"', path.read_text()):
            assert target.startswith("."), f"{path}: {target}"
            assert (path.parent / target).resolve().is_file(), f"{path}: {target}"
    for target in re.findall(r'(?:src|href)="([^"]+)"', (STATIC / "index.html").read_text()):
        assert target.startswith("/static/")
        assert (STATIC / target.removeprefix("/static/")).is_file(), target


def test_the_token_is_never_put_into_an_address() -> None:
    for path in (path for path in CODE if path.suffix == ".js"):
        for line in path.read_text().splitlines():
            if "token" in line and "//" not in line.split("token")[0]:
                assert "URLSearchParams" not in line, f"{path}: {line}"
                assert "?token" not in line, f"{path}: {line}"
