"""Every word for the user is there in every language, and none is left over."""

from __future__ import annotations

import ast
import functools
import itertools
import re
import string
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple, get_args

import pytest

import desktop_agent
from desktop_agent.agent.pauses import TOOK
from desktop_agent.hand.client import FAILURES
from desktop_agent.hand.ipc.shared_block import WORDS as STOP_WORDS
from desktop_agent.llm.transport.failures import Failure, Kind, Service, error_for
from desktop_agent.protocol.errors import OffReason, off_error
from desktop_agent.protocol.ops import OPS
from desktop_agent.startup.session_watch import PAUSES
from desktop_agent.support import language, resources
from desktop_agent.support.language import (
    LANGUAGES,
    SENTENCES,
    Language,
    later,
    sentences_of,
    tr,
    tr_sentence,
    use_language,
    words_of,
)

NAMES = frozenset({tr.__name__, later.__name__})
OTHERS: list[Language] = [code for code in LANGUAGES if code != "en"]


@pytest.fixture(autouse=True)
def in_english() -> Iterator[None]:
    yield
    use_language("en")


class CodeTexts(NamedTuple):
    """The literals given to `tr` and `later`, and all texts, with {0}, {1} and so on for the values of f-strings."""

    translated: frozenset[str]
    all: tuple[str, ...]


@functools.cache
def texts_in_code() -> CodeTexts:
    """Read the package once for all tests, and keep no syntax tree: a million nodes slow every later test of the process down."""
    said, texts = set[str](), list[str]()
    for module in Path(desktop_agent.__file__).parent.rglob("*.py"):
        for node in ast.walk(ast.parse(module.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in NAMES:
                said |= {text_of(node.args[0])} if isinstance(node.args[0], ast.Constant) else set()
            elif text := text_of(node):
                texts.append(text)
    return CodeTexts(frozenset(said), tuple(texts))


@pytest.mark.parametrize("code", OTHERS)
def test_every_word_has_another_language(code: Language) -> None:
    words, said = words_of(code), texts_in_code().translated
    assert sorted(said - set(words)) == []
    assert sorted(set(words) - said) == []


def text_of(node: ast.AST) -> str:
    if isinstance(node, ast.Constant):
        return node.value if isinstance(node.value, str) else ""
    if not isinstance(node, ast.JoinedStr):
        return ""
    numbers = itertools.count()
    return "".join(
        str(part.value) if isinstance(part, ast.Constant) else f"{{{next(numbers)}}}" for part in node.values
    )


@pytest.mark.parametrize("code", OTHERS)
def test_every_sentence_is_one_that_the_code_says(code: Language) -> None:
    """One that was reworded would be shown in English without anybody's notice."""
    said = "\n".join([*texts_in_code().all, *asset_texts()]).casefold()
    kinds = (kind for kind in SENTENCES if kind != "operations")
    keys = (english for kind in kinds for english in sentences_of(code, kind))
    pieces = ((english, each) for english in keys for each in re.split(r"\{\w*(?::\w*)?\}", english))
    assert [(english, each) for english, each in pieces if each.casefold().strip() not in said] == []


def asset_texts() -> Iterator[str]:
    """Why places are protected, which the policy's table says."""
    places = tomllib.loads(resources.text("policy", "protected.toml"))["places"]
    return (str(each["why"]) for each in places.values())


@pytest.mark.parametrize("form", ["present", "past", "request"])
def test_every_operation_is_said_in_german(form: str) -> None:
    known = sentences_of("de", "operations")
    verbs = {getattr(each.traits.verbs, form) for each in OPS.values()}
    assert {verb for verb in verbs if not any(each.startswith(verb) for each in known)} == set()


SERVICE = Service(
    "Someone",
    "model-1",
    "someone.example",
    "llm.someone",
    "SOMEONE_KEY",
    "someone",
    "the store",
    origin="a.example",
)


def test_what_ends_or_halts_a_run_is_said_in_german() -> None:
    kinds: tuple[Kind, ...] = get_args(Kind)
    errors = [error_for(Failure(kind, retry_after=7), SERVICE) for kind in kinds]
    failures = [(each.message, each.advice) for each in errors]
    failures += [(each.message, each.advice) for each in FAILURES.values()]
    said = [
        *filter(None, STOP_WORDS.values()),
        *TOOK.values(),
        *PAUSES.values(),
        *(str(off_error(each)) for each in OffReason),
        *(text for each in failures for text in each),
    ]
    use_language("de")
    assert [text for text in said if tr_sentence(text) == text] == []


@pytest.mark.parametrize("code", OTHERS)
def test_no_word_is_said_in_two_ways(code: Language) -> None:
    """The files count together, so that the last one would win."""
    said: dict[tuple[str, str], set[str]] = {}
    folders = resources.all_paths("languages", code)
    for file in (file for folder in folders for file in folder.rglob("*.toml")):
        for table, entries in tomllib.loads(file.read_text(encoding="utf-8")).items():
            for english, words in entries.items():
                said.setdefault((table, english), set()).add(words)
    assert {english: words for english, words in said.items() if len(words) > 1} == {}


def test_german_says_sie() -> None:
    settings = [
        table
        for file in resources.all_paths("settings", "settings.toml")
        for table in tomllib.loads(file.read_text(encoding="utf-8")).values()
    ]
    texts = [
        *words_of("de").values(),
        *(text for kind in SENTENCES for text in sentences_of("de", kind).values()),
        *(str(each.get("de", "")) for table in settings for each in entries(table)),
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

    tables = [words_of(code), *(sentences_of(code, kind) for kind in SENTENCES)]
    pairs = (pair for table in tables for pair in table.items())
    assert [english for english, words in pairs if places(english) != places(words)] == []


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
