"""A goal as words with their places, of which each is either claimed for something or left over."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from desktop_agent.extras.offline.llm.offline.asked_forms.form_vocabulary import form_words, plain_word
from desktop_agent.extras.offline.llm.offline.quoting import QUOTED, Masked, mask

_TOKEN = re.compile(rf"{QUOTED}|[\w.+-]*\w@[\w-]+(?:\.[\w-]+)+|\+?\w+(?:['’.\-/_&]\w+|:\d\d)*|\S")
_SHORTENED = frozenset(
    ("geb", "no", "nr", "st", "str", "dr", "prof", "mr", "mrs", "ms", "tel", "bzw", "ca", "inkl", "incl", "approx", "e.g", "z.b", "u.a", "num", "ref", "z", "b", "d", "h")
)  # fmt: skip


@dataclass(frozen=True)
class GoalWord:
    """A word, sign or (masked) quotation, and where it stands."""

    start: int
    end: int
    text: str
    low: str

    @property
    def is_sign(self) -> bool:
        return not re.search(r"\w", self.text) and not self.is_quoted

    @property
    def is_quoted(self) -> bool:
        return self.text.startswith("\x02")


@dataclass
class GoalWords:
    """The words of a goal; `claimed` tells what each was taken for, "" for those that are left over."""

    masked: Masked
    words: tuple[GoalWord, ...]
    ends: frozenset[int]
    """Numbers of the words that end a sentence."""
    claimed: list[str] = field(default_factory=list)

    def __len__(self) -> int:
        return len(self.words)

    def free(self, start: int, end: int) -> bool:
        return not any(self.claimed[start:end])

    def claim(self, start: int, end: int, why: str) -> None:
        for at in range(start, end):
            self.claimed[at] = self.claimed[at] or why

    def text(self, start: int, end: int) -> str:
        """The words as they were written, quotation marks off where it is one quotation."""
        if start >= end:
            return ""
        return self.masked.literal(self.masked.text[self.words[start].start : self.words[end - 1].end])[0]

    def span(self, start: int, end: int) -> tuple[int, int] | None:
        """The numbers of the words that a stretch of the (masked) text consists of; None where it cuts one."""
        inside = [i for i, word in enumerate(self.words) if word.start < end and word.end > start]
        if not inside or self.words[inside[0]].start < start or self.words[inside[-1]].end > end:
            return None
        return inside[0], inside[-1] + 1

    def sentence(self, at: int) -> tuple[int, int]:
        """The sentence that a word is in, as the numbers of its first word and the one after its last."""
        start = max((each + 1 for each in self.ends if each < at), default=0)
        end = min((each + 1 for each in self.ends if each >= at), default=len(self.words))
        return start, end

    def clause(self, at: int) -> tuple[int, int]:
        """The part of a sentence between commas, dashes and “but” that a word is in."""
        start, end = self.sentence(at)
        cuts = form_words().joins["cuts"]
        for here in range(at, start - 1, -1):
            if here < len(self.words) and self.words[here].low in cuts:
                start = here + 1
                break
        for here in range(at, end):
            if self.words[here].low in cuts:
                end = here
                break
        return start, end

    def sentences(self) -> Iterator[tuple[int, int]]:
        at = 0
        while at < len(self.words):
            _, end = self.sentence(at)
            yield at, end
            at = end

    def find(self, names: Sequence[str], start: int = 0, end: int | None = None) -> Iterator[tuple[int, int]]:
        """Where these plain words follow each other, as they were said."""
        lows = [word.low for word in self.words]
        for at in range(start, (len(self.words) if end is None else end) - len(names) + 1):
            if lows[at : at + len(names)] == list(names):
                yield at, at + len(names)


def goal_words(goal: str) -> GoalWords:
    """The words of a goal, none of them claimed."""
    masked = mask(goal.strip())
    words = []
    for found in _TOKEN.finditer(masked.text):
        start, end = found.span()
        words.append(GoalWord(start, end, found[0], plain_word(found[0])))
    ends = frozenset(at for at in range(len(words)) if _ends_sentence(words, at, masked.text))
    return GoalWords(masked, tuple(words), ends, [""] * len(words))


def _ends_sentence(words: Sequence[GoalWord], at: int, text: str) -> bool:
    if at == len(words) - 1:
        return True
    between = text[words[at].end : words[at + 1].start]
    if "\n" in between:
        return True
    if words[at].text not in (".", "!", "?", ";", "…"):
        return False
    before = words[at - 1].text.lower() if at else ""
    if words[at].text == "." and (
        before in _SHORTENED or (re.fullmatch(r"\d{1,2}", before) and _is_month(words[at + 1].low))
    ):
        return False
    return bool(between) or words[at].text == ";"


def _is_month(word: str) -> bool:
    return word in form_words().months
