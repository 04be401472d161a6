"""Words for the user in the user's language.

The program's words stand in the code in English. `assets/languages/<code>/*.toml` gives them in another language, a
table `[words]` a file, which all count together; what is not there stays English. What the agent itself
says to a model, to a log or in `--json` is English always, and so are names, texts and contents of others. Where a
person reads such a sentence of the agent, `tr_sentence` finds it by its template in `<code>/sentences/*.toml`, in
which each SentenceKind has a table.
"""

from __future__ import annotations

import locale
import os
import tomllib
from functools import cache
from pathlib import Path
from typing import Any, Literal, TypeAlias, get_args

from desktop_agent.support import resources
from desktop_agent.support.operating_system import WINDOWS
from desktop_agent.support.sentence_templates import SentenceTemplates

Language: TypeAlias = Literal["en", "de"]
SentenceKind: TypeAlias = Literal["reasons", "notes", "operations", "evidence"]
"""Why a run ends, waits or asks, and errors with their advice; notes and questions of the agent; what is or was done; what
an effect or a "done" rests on."""
SENTENCES: tuple[SentenceKind, ...] = get_args(SentenceKind)
LANGUAGES: dict[Language, str] = {"en": "English", "de": "Deutsch"}
"""Codes and what each language calls itself."""

_words: dict[str, str] = {}
_code: Language = "en"


def tr(english: str) -> str:
    """The words in the chosen language, in English where that has none. Values are put in afterwards: `tr("{n} runs").format(n=3)`."""
    return _words.get(english, english)


def later(english: str) -> str:
    """The words as they are: marks a constant that `tr` is given when it is shown."""
    return english


def tr_sentence(english: str, kind: SentenceKind = "reasons") -> str:
    """What the agent says, with its values in it, in the chosen language.

    A note or a question may be a model's own words: it stays as it is unless all of it is the agent's.
    """
    return english if _code == "en" else _templates(_code, kind).translated(english, whole=kind == "notes")


@cache
def _templates(code: Language, kind: SentenceKind) -> SentenceTemplates:
    """Made when the first sentence is to be read: a window is up sooner without."""
    return SentenceTemplates(sentences_of(code, kind))


def use_language(code: Language) -> None:
    """Choose the language of all words that are shown from now on."""
    global _words, _code
    _words, _code = words_of(code), code


def language_in_use() -> Language:
    """The language that `use_language` chose."""
    return _code


def words_of(code: Language) -> dict[str, str]:
    """What a language has for English words. Raises OSError or ValueError where an asset cannot be read."""
    return _table(resources.path("languages", code), "words")


def sentences_of(code: Language, kind: SentenceKind) -> dict[str, str]:
    """What it has for the English sentences of a kind; a note may be a reason, too. Raises as `words_of` does."""
    folder = resources.path("languages", code) / "sentences"
    return _table(folder, kind) | (_table(folder, "notes") if kind == "reasons" else {})


def _table(folder: Path, name: str) -> dict[str, str]:
    files = sorted(folder.glob("*.toml")) if folder.is_dir() else []
    tables = (tomllib.loads(each.read_text(encoding="utf-8")).get(name, {}) for each in files)
    return {english: words for table in tables for english, words in table.items()}


def language_of_system() -> Language:
    """The user's language, English where it is none of ours."""
    said = _ui_language() if WINDOWS else _of_environment()
    return next((code for code in LANGUAGES if said.lower().startswith(code)), "en")


def _of_environment() -> str:
    """As POSIX says: LC_ALL before LC_MESSAGES before LANG."""
    return next((os.environ[name] for name in ("LC_ALL", "LC_MESSAGES", "LANG") if os.environ.get(name)), "")


def _ui_language() -> str:
    import ctypes

    windows: Any = ctypes  # windll is there on Windows only
    number = windows.windll.kernel32.GetUserDefaultUILanguage()
    return locale.windows_locale.get(number, "")
