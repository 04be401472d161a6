"""Every word for the user is there in every language, and none is left over."""

from __future__ import annotations

import ast
import re
import string
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

import desktop_agent
from desktop_agent.support import language, resources
from desktop_agent.support.language import LANGUAGES, Language, later, tr, use_language, words_of

OTHERS: list[Language] = [code for code in LANGUAGES if code != "en"]


@pytest.fixture(autouse=True)
def in_english() -> Iterator[None]:
    yield
    use_language("en")


def said_in_code() -> set[str]:
    """The texts that `tr` and `later` are given as literals."""
    package = Path(desktop_agent.__file__).parent
    trees = (ast.parse(each.read_text(encoding="utf-8")) for each in package.rglob("*.py"))
    calls = (node for tree in trees for node in ast.walk(tree) if isinstance(node, ast.Call))
    names = {tr.__name__, later.__name__}
    return {
        call.args[0].value
        for call in calls
        if isinstance(call.func, ast.Name) and call.func.id in names
        and isinstance(call.args[0], ast.Constant) and isinstance(call.args[0].value, str)
    }  # fmt: skip


@pytest.mark.parametrize("code", OTHERS)
def test_every_word_has_another_language(code: Language) -> None:
    words = words_of(code)
    assert sorted(said_in_code() - set(words)) == []
    assert sorted(set(words) - said_in_code()) == []


@pytest.mark.parametrize("code", OTHERS)
def test_no_word_is_said_in_two_ways(code: Language) -> None:
    """The files count together, so that the last one would win."""
    said: dict[str, set[str]] = {}
    for file in resources.path("languages", code).glob("*.toml"):
        for english, words in tomllib.loads(file.read_text(encoding="utf-8"))["words"].items():
            said.setdefault(english, set()).add(words)
    assert {english: words for english, words in said.items() if len(words) > 1} == {}


def test_german_says_sie() -> None:
    settings = tomllib.loads(resources.text("settings", "settings.toml"))
    texts = [
        *words_of("de").values(),
        *(str(each.get("de", "")) for kind in settings.values() for each in entries(kind)),
    ]
    assert len(texts) > 500
    assert [text for text in texts if re.search(r"\b(du|dein\w*|dir|dich)\b", text, re.IGNORECASE)] == []


def entries(table: object) -> Iterator[dict[str, object]]:
    """A table and all tables in it."""
    if isinstance(table, dict):
        yield table
        for each in table.values():
            yield from entries(each)


@pytest.mark.parametrize("code", OTHERS)
def test_values_have_their_places(code: Language) -> None:
    def places(text: str) -> set[str]:
        return {name for _, name, _, _ in string.Formatter().parse(text) if name is not None}

    assert [english for english, words in words_of(code).items() if places(english) != places(words)] == []


def test_what_a_language_lacks_stays_english() -> None:
    use_language("de")
    assert tr("no such words") == "no such words"


@pytest.mark.parametrize(
    ("said", "code"), [("de_AT.UTF-8", "de"), ("fr_FR.UTF-8", "en"), ("C", "en"), ("", "en")]
)
def test_the_language_of_the_system(monkeypatch: pytest.MonkeyPatch, said: str, code: str) -> None:
    monkeypatch.setattr(language, "WINDOWS", False)
    monkeypatch.delenv("LC_ALL", raising=False)
    monkeypatch.delenv("LC_MESSAGES", raising=False)
    monkeypatch.setenv("LANG", said)
    assert language.language_of_system() == code
