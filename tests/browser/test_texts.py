"""The page's four languages say the same things."""

import json
import re
from typing import Any

import pytest

from tests.browser.chromium import STATIC

LANGUAGES = ("en", "hu", "is", "ru")
PLURALS = {
    "en": {"one", "other"},
    "hu": {"one", "other"},
    "is": {"one", "other"},
    "ru": {"one", "few", "many", "other"},
}
TEXTS: dict[str, dict[str, Any]] = {
    code: json.loads((STATIC / "i18n" / f"{code}.json").read_text()) for code in LANGUAGES
}
SOURCES = "\n".join(path.read_text() for path in sorted((STATIC / "js").rglob("*.js")))
# Keys put together at run time: t(`rank.${rank}`) uses the family "rank.".
FAMILIES = tuple(prefix for prefix in re.findall(r"`([a-z][\w.]*\.)\$\{", SOURCES))


def forms(message: Any) -> list[str]:
    return list(message.values()) if isinstance(message, dict) else [message]


def test_languages_offered_are_those_with_texts() -> None:
    offered = re.search(r"LANGUAGES = \{(.*?)\}", SOURCES)
    assert offered is not None
    assert tuple(re.findall(r"(\w+):", offered[1])) == LANGUAGES
    assert {path.stem for path in (STATIC / "i18n").iterdir()} == set(LANGUAGES)


@pytest.mark.parametrize("code", LANGUAGES[1:])
def test_every_language_has_exactly_the_english_keys(code: str) -> None:
    assert set(TEXTS[code]) == set(TEXTS["en"])


@pytest.mark.parametrize("code", LANGUAGES)
def test_no_text_is_empty_or_left_in_english(code: str) -> None:
    for key, message in TEXTS[code].items():
        assert all(text.strip() for text in forms(message)), key
    if code == "en":
        return
    sentences = {key: text for key, text in TEXTS["en"].items() if isinstance(text, str) and text.count(" ") >= 2}
    assert [key for key, text in sentences.items() if TEXTS[code][key] == text] == []


@pytest.mark.parametrize("code", LANGUAGES)
def test_counted_texts_have_every_plural_form_of_the_language(code: str) -> None:
    for key, english in TEXTS["en"].items():
        message = TEXTS[code][key]
        assert isinstance(message, dict) == isinstance(english, dict), key
        if isinstance(message, dict):
            assert set(message) == PLURALS[code], key


@pytest.mark.parametrize("code", LANGUAGES)
def test_no_translation_loses_or_invents_a_placeholder(code: str) -> None:
    for key, english in TEXTS["en"].items():
        wanted = set(re.findall(r"\{(\w+)\}", " ".join(forms(english))))
        for text in forms(TEXTS[code][key]):
            assert set(re.findall(r"\{(\w+)\}", text)) - {"n"} == wanted - {"n"}, key


def test_every_key_the_page_asks_for_exists() -> None:
    asked = set(re.findall(r"""\bt\((?:[^()"`]*\? )?"([\w.-]+)\"""", SOURCES))
    assert len(asked) > 100
    assert asked - set(TEXTS["en"]) == set()
    for family in FAMILIES:
        assert any(key.startswith(family) for key in TEXTS["en"]), family


def test_every_text_is_used() -> None:
    quoted = set(re.findall(r'"([\w.-]+)"', SOURCES))
    said = {key for key in TEXTS["en"] if {key, key.removesuffix(".you")} & quoted}
    unused = [key for key in TEXTS["en"] if key not in said and not key.startswith(FAMILIES)]
    assert unused == []
