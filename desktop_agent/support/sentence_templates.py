"""Translates finished sentences: finds the template that each was made from, and puts its values into the translation.

What the agent says travels in English, as a model, a log and `--json` read it; only where a person reads it, it is put
into their language.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cached_property

_PLACE = re.compile(r"(?<!\{)\{(\w*)(?::([^}]*))?\}(?!\})")
_ENDS = re.compile(r"(?<=[.!?]) +")
_LONGEST = 4_000
"""Characters; a longer text is none of ours."""


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
        if not (self._fixed or self._templates) or len(text) > _LONGEST:
            return text
        done = ""
        rest = text
        while rest:
            cuts = [(each.start(), each.end()) for each in _ENDS.finditer(rest)] + [(len(rest), len(rest))]
            found = ((words, end, after) for end, after in cuts if (words := self._known(rest[:end])))
            words, end, after = next(found, ("", *cuts[0]))
            if whole and not words:
                return text
            done += (words or rest[:end]) + rest[end:after]
            rest = rest[after:]
        return done

    def _known(self, text: str) -> str | None:
        """The translation of a text that is one of these sentences as a whole; None when it is none."""
        capital = _capitalized(text)
        found = self._found(text) or (self._found(capital) if capital != text else None)
        return _capitalized(found) if found and capital == text else found

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


def _capitalized(text: str) -> str:
    return text[:1].upper() + text[1:]


class _Template:
    """One English template, as an expression that finds its values."""

    def __init__(self, english: str, words: str) -> None:
        self._english, self.words = english, words
        places = _PLACE.finditer(words)
        self.nested = {place[1]: place[2] == "tr" for place in places if place[2] in ("tr", "try")}
        literals = _PLACE.split(english)[::3]
        self.letters = sum(map(len, literals))
        self._longest = max(literals, key=len)

    @cached_property
    def _expression(self) -> re.Pattern[str]:
        """Made when a text may fit: of hundreds few ever do."""
        pieces = _PLACE.split(self._english)
        pattern, known = "", set[str]()
        for literal, name in zip(pieces[::3], [*pieces[1::3], None], strict=True):
            pattern += re.escape(literal)
            if name is not None:
                pattern += f"(?P=v{name})" if name in known else f"(?P<v{name}>.*?)"
                known.add(name)
        return re.compile(pattern, re.DOTALL)

    def values_in(self, text: str) -> dict[str, str] | None:
        """The values by their names; None where the text was not made from this template."""
        if self._longest not in text or (found := self._expression.fullmatch(text)) is None:
            return None
        return {name[1:]: value for name, value in found.groupdict().items()}
