"""Words for the user in the user's language.

The program's words stand in the code in English. `assets/languages/<code>/*.toml` gives them in another language (an
extra's assets, its own), a table `[words]` a file, which all count together; what is not there stays English. What the agent itself
says to a model, to a log or in `--json` is English always, and so are names, texts and contents of others. Where a
person reads such a sentence of the agent, `tr_sentence` finds it by its template in `<code>/sentences/*.toml`, in
which each SentenceKind has a table.
"""

from __future__ import annotations

import locale
import os
import re
import tomllib
from collections.abc import Mapping
from functools import cache
from itertools import islice
from typing import Any, Literal, TypeAlias, get_args

from desktop_agent.support import resources
from desktop_agent.support.operating_system import WINDOWS

Language: TypeAlias = Literal["en", "de"]
SentenceKind: TypeAlias = Literal["reasons", "notes", "operations", "evidence"]
"""Why a run ends, waits or asks, and errors with their advice; notes and questions of the agent; what is or was done; what
an effect or a "done" rests on."""
SENTENCES: tuple[SentenceKind, ...] = get_args(SentenceKind)
LANGUAGES: dict[Language, str] = {"en": "English", "de": "Deutsch"}
"""Codes and what each language calls itself."""

_PLACE = re.compile(r"(?<!\{)\{(\w*)(?::([^}]*))?\}(?!\})")
_ENDS = re.compile(r"(?<=[.!?]) +")
_LONGEST, _MOST_SENTENCES = 2_000, 30
"""Characters and sentences; a longer text is none of ours."""
_AHEAD = 4
"""So many ends of sentences may stand inside the values of one template."""

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
    return _table(("languages", code), "words")


def sentences_of(code: Language, kind: SentenceKind) -> dict[str, str]:
    """What it has for the English sentences of a kind; a note may be a reason, too. Raises as `words_of` does."""
    folder = ("languages", code, "sentences")
    return _table(folder, kind) | (_table(folder, "notes") if kind == "reasons" else {})


def _table(folder: tuple[str, ...], name: str) -> dict[str, str]:
    """A table of the files in this folder, the program's and its extras'."""
    files = (file for each in resources.all_paths(*folder) for file in sorted(each.glob("*.toml")))
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


class SentenceTemplates:
    """English templates with what they are in another language, both with places such as `{0}` or `{host}`.

    A value stays as it is, whatever it says. In a translation `{0:tr}` is a value that is one of these sentences
    itself, with or without a capital: where it is none, the template does not fit; `{0:try}` may be one. What begins
    with a capital in English does so in the translation.
    """

    def __init__(self, table: Mapping[str, str]) -> None:
        self._fixed = {english: words for english, words in table.items() if not _PLACE.search(english)}
        templates = [_Template(english, words) for english, words in table.items() if _PLACE.search(english)]
        self._templates = sorted(templates, key=lambda each: (not each.nested, -each.letters))

    def translated(self, text: str, *, whole: bool = False) -> str:
        """The text with each of its sentences translated that is known here; with `whole` only where all of them are."""
        if (
            not (self._fixed or self._templates)
            or len(text) > _LONGEST
            or len(_ENDS.findall(text)) > _MOST_SENTENCES
        ):
            return text
        done = ""
        rest = text
        while rest:
            ends = [(each.start(), each.end()) for each in islice(_ENDS.finditer(rest), _AHEAD)]
            cuts = [*ends, (len(rest), len(rest))]
            found = ((words, end, after) for end, after in cuts if (words := self._known(rest[:end])))
            words, end, after = next(found, ("", *cuts[0]))
            if whole and not words:
                return text
            done += (words or rest[:end]) + rest[end:after]
            rest = rest[after:]
        return done

    def _known(self, text: str) -> str | None:
        """The translation of a text that is one of these sentences as a whole; None when it is none."""
        capital = capitalized(text)
        found = self._found(text) or (self._found(capital) if capital != text else None)
        return capitalized(found) if found and capital == text else found

    def _found(self, text: str) -> str | None:
        if text in self._fixed:
            return self._fixed[text]
        filled = (self._filled(each, text) for each in self._templates)
        return next((each for each in filled if each is not None), None)

    def _filled(self, template: _Template, text: str) -> str | None:
        if (values := template.values_in(text)) is None:
            return None
        for name, must_be_known in template.nested.items():
            known = self._known(values[name])
            if known is None and must_be_known:
                return None
            values[name] = known or values[name]
        return _PLACE.sub(lambda place: values[place[1]], template.words)


def capitalized(text: str) -> str:
    """The text with its first letter in upper case and all others as they are."""
    return text[:1].upper() + text[1:]


class _Template:
    """One English template, which finds its values."""

    def __init__(self, english: str, words: str) -> None:
        self.words = words
        places = _PLACE.finditer(words)
        self.nested = {place[1]: place[2] == "tr" for place in places if place[2] in ("tr", "try")}
        pieces = _PLACE.split(english)
        self._names = pieces[1::3]
        self._first, *self._others = pieces[::3]
        self.letters = sum(map(len, pieces[::3]))

    def values_in(self, text: str) -> dict[str, str] | None:
        """The values by their names, each as short as can be; None where the text was not made from this template.

        Time grows with the length of the text alone, for a text may be of anybody who wants the window to stand still.
        """
        if not text.startswith(self._first):
            return None
        values: dict[str, str] = {}
        at = len(self._first)
        for index, (name, literal) in enumerate(zip(self._names, self._others, strict=True)):
            last = index == len(self._others) - 1
            end = len(text) - len(literal) if last else text.find(literal, at)
            if (
                end < at
                or not text.startswith(literal, end)
                or values.get(name, text[at:end]) != text[at:end]
            ):
                return None
            values[name] = text[at:end]
            at = end + len(literal)
        return values
