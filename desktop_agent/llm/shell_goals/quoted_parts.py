"""Takes the quoted parts out of a goal, leaves a mark in the place of each, and puts them back."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

_QUOTED = re.compile(r"“([^”]*)”|„([^“”]*)[“”]|«([^»]*)»|`([^`]+)`|\"([^\"]*)\"|(?<!\w)'([^']*)'(?!\w)")
MARK = re.compile("\ue000(\\d+)\ue001")


def is_quoted(text: str) -> bool:
    """Is the text one quoted part and nothing else?"""
    return _QUOTED.fullmatch(text) is not None


def is_mark(said: str) -> bool:
    """Is this the mark of one quoted part and nothing else?"""
    return MARK.fullmatch(said) is not None


@dataclass
class QuotedParts:
    """The quoted parts of one goal by the number in their mark."""

    texts: list[str] = field(default_factory=list)
    whole: list[str] = field(default_factory=list)
    """The same with their quotation marks."""

    def taken_out(self, text: str) -> str:
        """The text with marks for its quoted parts, and one blank between words."""
        return " ".join(_QUOTED.sub(self._kept, text).split())

    def added(self, text: str) -> str:
        """The mark of a text that counts as quoted from now on."""
        return self._mark(text, text)

    def unquoted(self, said: str) -> str:
        """What was said, without quotation marks."""
        return MARK.sub(lambda found: self.texts[int(found[1])], said)

    def restored(self, said: str) -> str:
        """What was said, with its quotation marks."""
        return MARK.sub(lambda found: self.whole[int(found[1])], said)

    def _kept(self, found: re.Match[str]) -> str:
        return self._mark(next(each for each in found.groups() if each is not None), found[0])

    def _mark(self, text: str, whole: str) -> str:
        self.texts.append(text)
        self.whole.append(whole)
        return f"\ue000{len(self.texts) - 1}\ue001"
