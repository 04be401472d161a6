"""Tells where a text comes from: the user's words, the model, or something that was only read on the screen."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

import msgspec

from desktop_agent.agent.policy.confusables import fold
from desktop_agent.agent.policy.decodings import readings
from desktop_agent.protocol.permission import Source
from desktop_agent.vision.observation import Observation

SPAN = 14
"""Characters without blanks that, found in what was read and not in the user's words, make a text "seen"."""
PIECE, _BIT = 4, 3
"""The same for the pieces of a text of which most was read, and for a line that is typed bit by bit."""
_MOST, _LONGEST = 0.6, 300
MAX_SEEN = 2_000_000
"""Characters of what was read that are kept, the newest."""
_REMEMBERED = 50_000
_TAIL = 2_000
_SEARCHES = 400
_EDGES = " \t\n.,;:!?\"'“”„«»()[]{}<>"
_SEPARATORS = re.compile(r"[\s\"'<>|;,]+")


class Origin(msgspec.Struct, frozen=True):
    """Where a text comes from; `where` names the place it was read at, "" otherwise."""

    source: Source
    where: str = ""

    @property
    def words(self) -> str:
        """For people."""
        if self.source == "user":
            return "The text comes from your words."
        if self.source == "model":
            return "The text comes from the model."
        return (
            f"The text was read on the screen in “{self.where}”."
            if self.where
            else "The text was read on the screen."
        )


class Provenance:
    """Keeps what was said and what was read in one run. Only the agent's thread touches it."""

    def __init__(self) -> None:
        self._user: list[str] = []
        self._user_tight = ""
        self._seen: dict[str, tuple[str, str]] = {}
        self._read: set[str] = set()
        self._size = 0
        self._corpus: tuple[str, str] | None = None
        self._own = ""
        self._typed = ""
        self._line = ""

    def hear(self, words: Iterable[str]) -> None:
        """Take in the user's own words: the goal, and what was said later."""
        for text in words:
            self._user.append(fold(text))
            self._user_tight += "\n" + _tight(text)

    def see(self, observation: Observation) -> None:
        """Take in everything a look has read: elements, window titles, text sections."""
        for element in observation.elements:
            where = element.window or element.application
            self.read(element.name, where)
            self.read(element.value, where)
            self.read(element.application, where)
        for title in (observation.window, *observation.windows):
            self.read(title, title)
        for title, text in observation.texts.items():
            self.read(text, title)

    def read(self, text: str, where: str) -> None:
        """Take in a text that was read at `where`, and its decodings (base64, rot13, hex)."""
        if text in self._read:
            return
        if len(self._read) > _REMEMBERED:
            self._read.clear()
        self._read.add(text)
        for reading in readings(text):
            self._keep(reading, where)

    def _keep(self, text: str, where: str) -> None:
        plain = fold(text)
        if not plain or plain in self._seen:
            return
        self._seen[plain] = (where, _squeeze(plain))
        self._size += len(plain)
        while self._size > MAX_SEEN:
            oldest = next(iter(self._seen))
            self._size -= len(oldest)
            del self._seen[oldest]
            self._read.clear()
        self._corpus = None

    def type(self, text: str) -> None:
        """Note what the agent has typed: pieces typed one after the other are judged as one text."""
        source = self.of(text).source
        self._typed = (self._typed + text)[-_TAIL:]
        self._line = (self._line + text)[-_TAIL:].rpartition("\n")[2]
        if source == "model":
            self._own = (self._own + "\n" + _tight(text))[-50_000:]

    def entered(self) -> Origin:
        """The origin of the line typed so far, which Enter would confirm."""
        return self.of(self._line)

    def enter(self) -> None:
        """Note that Enter was pressed: what is typed next is another line."""
        self._line = ""

    def of(self, text: str, before: str = "") -> Origin:
        """The origin of a text that is about to be typed, opened or run; `before` is typed right before it."""
        plain = fold(text).strip(_EDGES)
        if not plain or self._said(plain):
            return Origin("user") if plain and not self._bit(text, before) else Origin("model")
        found = (
            self._found_whole(plain)
            or self._found_part(text)
            or self._found_part(self._typed + before + text, len(_tight(text)))
            or self._found_scattered(text)
            or self._bit(text, before)
        )
        return Origin("seen", found[0]) if found else Origin("model")

    def _said(self, plain: str) -> bool:
        return any(_stands_in(form, words) for words in self._user for form in _forms(plain))

    def _found_whole(self, plain: str) -> tuple[str] | None:
        """The text, or an address or number in it, stands in something that was read."""
        where = self._where(plain, whole=True) if len(plain) > 1 else None
        for part in _addresses(plain):
            where = self._where(part, whole=False) if where is None and not self._said(part) else where
        return None if where is None else (where,)

    def _where(self, piece: str, *, whole: bool) -> str | None:
        loose, _ = self._texts()
        if piece not in loose:
            return None
        found = (
            where
            for text, (where, _) in self._seen.items()
            if piece in text and (not whole or _stands_in(piece, text))
        )
        return next(found, None)

    def _found_part(self, text: str, last: int = 0) -> tuple[str] | None:
        """A long span of the text was only read; with `last`, one that reaches into its last so many characters."""
        tight = _tight(text)
        _, seen = self._texts()
        first = max(0, len(tight) - last - SPAN + 1) if last else 0
        starts = range(first, len(tight) - SPAN + 1)
        step = max(1, len(starts) // _SEARCHES)
        for at in starts[::step]:
            span = tight[at : at + SPAN]
            if span in seen and span not in self._user_tight and span not in self._own:
                where = next((w for w, tight in self._seen.values() if span in tight), "")
                return (where,)
        return None

    def _found_scattered(self, text: str) -> tuple[str] | None:
        """Most of the text was read in pieces: a command is torn up and put together again."""
        tight = _tight(text)
        _, seen = self._texts()
        for part in {tight[:_LONGEST], tight[-_LONGEST:]}:
            ours = sum(map(len, _tiles(part, self._user_tight + "\n" + self._own)))
            read = sum(map(len, _tiles(part, seen)))
            if read >= PIECE and read >= _MOST * len(part) and ours < _MOST * len(part):
                return ("several places",)
        return None

    def _bit(self, text: str, before: str) -> tuple[str] | None:
        """A bit of a text: key by key a text is typed, too. The line so far tells what it is going to be."""
        if len(_tight(text)) >= PIECE:
            return None
        line = (self._line + before + text).rstrip("\n").rpartition("\n")[2]
        tight = _tight(line)
        _, seen = self._texts()
        if len(tight) < _BIT or tight in self._user_tight or tight in self._own:
            return None
        return ("the screen",) if any(part in seen for part in (tight, tight[-_BIT - 1 :])) else None

    def _texts(self) -> tuple[str, str]:
        """All that was read, with blanks and without."""
        if self._corpus is None:
            self._corpus = "\n".join(self._seen), "\n".join(each for _, each in self._seen.values())
        return self._corpus


def _tiles(text: str, source: str) -> Iterator[str]:
    """The longest parts of the text, one after the other, that stand in the source; shorter ones than PIECE left out."""
    at = 0
    while at + PIECE <= len(text):
        end = at + PIECE
        if text[at:end] not in source:
            at += 1
            continue
        while end < len(text) and text[at : end + 1] in source:
            end += 1
        yield text[at:end]
        at = end


def _addresses(plain: str) -> list[str]:
    """Words of a folded text that are addresses, paths or numbers, each address also without what follows the host."""
    words = [word.strip(_EDGES) for word in _SEPARATORS.split(plain)]
    special = [word for word in words if any(char in "./:@\\" or char.isdigit() for char in word)]
    return [part for word in special[:50] for part in (word, _host(word)) if len(part) >= 5]


def _host(address: str) -> str:
    """`evil.example` of `https://evil.example/x?y`."""
    return re.split(r"[/?#]", address.partition("://")[2] or address, maxsplit=1)[0]


def _forms(plain: str) -> tuple[str, ...]:
    """An address may be written with or without its scheme, www and the slash at its end."""
    bare = re.sub(r"^(?:https?://)?(?:www\.)?", "", plain).rstrip("/")
    if " " in bare or not ("." in bare or ":" in bare):
        return (plain,)
    return tuple(f"{scheme}{www}{bare}" for scheme in ("", "http://", "https://") for www in ("", "www."))


def _stands_in(piece: str, text: str) -> bool:
    """As whole words: nothing that would belong to the same word or address is beside it."""
    at = text.find(piece)
    while at >= 0 and piece:
        before, after = text[:at][-1:], text[at + len(piece) :][:2]
        if not _joins(before, after):
            return True
        at = text.find(piece, at + 1)
    return False


def _joins(before: str, after: str) -> bool:
    """Do the characters around go on with the same word or address? A full stop or question mark at its end does not."""
    left = before.isalnum() or before in tuple("_-.@/\\:~")
    right = after[:1].isalnum() or after[:1] in tuple("_-@/\\:~")
    return left or right or (after[:1] in tuple(".?#&=%+") and after[1:].isalnum())


def _squeeze(folded: str) -> str:
    return re.sub(r"\s+", "", folded)


def _tight(text: str) -> str:
    return _squeeze(fold(text))
