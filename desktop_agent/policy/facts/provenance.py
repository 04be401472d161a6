"""Finds the source of a text, also of a decoded one: the user's own words, or the model, and what that had read by then.

From the first content on that a run reads, every text that is not literally the user's own is "seen", with all
subjects it may come from: a model rewords, translates, encodes and splits. What is found word for word only
names the likeliest of them.
"""

from __future__ import annotations

import base64
import binascii
import codecs
import re
import unicodedata
from collections.abc import Iterable, Iterator
from urllib.parse import unquote

import msgspec

from desktop_agent.policy.facts.confusables import fold
from desktop_agent.policy.facts.named_days import names_day
from desktop_agent.policy.facts.place import UNKNOWN, Subject
from desktop_agent.policy.facts.taint import CLIPBOARD, Taint
from desktop_agent.policy.facts.words.orders import Act, is_ordered, sentence_of
from desktop_agent.protocol.permission import Source
from desktop_agent.vision.observation import Observation

SPAN = 14
"""Characters without blanks that, found in what was read and not in the user's words, name the place they were read at."""
PIECE = 4
"""A shorter text is a bit of what is typed before and after it."""
MAX_SEEN = 2_000_000
"""Characters of what was read that are kept, the newest."""
_REMEMBERED = 50_000
_TAIL = 2_000
_SEARCHES = 400
_NAMED = 3
_NOT_KNOWN = "… "
_UNTOLD = "what cannot be told"
_QUOTES = str.maketrans("‘’‛“”„‟", '\'\'\'""""')
_EDGES = " \t\n.,;:!?\"'“”„«»()[]{}<>"
_SEPARATORS = re.compile(r"[\s\"'<>|;,]+")


_BASE64 = re.compile(r"[A-Za-z0-9+/_-]{6,}={0,2}")
_HEX = re.compile(r"(?:[0-9A-Fa-f]{2}[ :]?){4,}")
_LETTERS = re.compile(r"(?s)(?:\S([ .\-_*|·])){4,}\S")
_PERCENT = re.compile(r"%[0-9A-Fa-f]{2}")
_DECODED = 20_000
"""Characters of a text that are decoded; the rest of a longer one is left alone."""


class Origin(msgspec.Struct, frozen=True):
    """Where a text comes from.

    `where` names the place it was read at, as far as that was looked for (`Provenance.located`); `sources` are all whose content the run had
    read by then; `text` is the whole line that would stand there, as far as it is known.
    """

    source: Source
    where: str = ""
    sources: frozenset[Subject] = frozenset()
    text: str = ""
    spoken_of: str = ""
    """The sentence of the user's words that the text stands in without being ordered by it."""

    @property
    def words(self) -> str:
        """For people."""
        if self.spoken_of:
            return f"Your words speak of it and do not order it: “{self.spoken_of}”."
        if self.source == "user":
            return "The text comes from your words."
        if self.source == "model":
            return "The text comes from the model."
        if self.where:
            return f"The text was read on the screen in “{self.where}”."
        return f"The model made the text after reading {told(self.sources)}."


def told(subjects: Iterable[Subject]) -> str:
    """Subjects in words: `xterm, https://a.example and 2 others`."""
    names = sorted(each.what if each.what != UNKNOWN else _UNTOLD for each in subjects)
    if len(names) > _NAMED + 1:
        names = [*names[:_NAMED], f"{len(names) - _NAMED} others"]
    return " and ".join(filter(None, (", ".join(names[:-1]), *names[-1:]))) or "what is on the screen"


GIVEN_PICTURE = "a picture that you gave"


class Provenance:
    """Keeps what was said and what was read in one run. Only the agent's thread touches it.

    `line` is what the agent has typed since Enter or since the keyboard went elsewhere, `prompt` what it has
    typed since Enter where text is carried out.
    """

    def __init__(self, taint: Taint | None = None) -> None:
        self.taint = taint or Taint()
        self.words: list[str] = []
        self._heard: list[str] = []
        """The user's own."""
        self._worded: set[str] = set()
        """Texts that the user has written in place of the model's: the user's as a whole, and in no part."""
        self.line = ""
        self.prompt = ""
        self._copied: frozenset[Subject] = frozenset()
        self._said_tight = ""
        self._seen: dict[str, tuple[str, str]] = {}
        self._read: set[str] = set()
        self._size = 0
        self._corpus: tuple[str, str] | None = None

    def restore(self, sources: Iterable[Subject]) -> None:
        """Go on with a run that had read these; what it had typed of a line by then is not known."""
        self.see_sources(sources)
        self.line = self.prompt = _NOT_KNOWN

    def see_sources(self, sources: Iterable[Subject]) -> None:
        """Take in that the model was told what was made after reading these."""
        for each in sources:
            self.taint.add(each)

    def hear(self, words: Iterable[str]) -> None:
        """Take in the user's own words: the goal, and what was said later."""
        for text in words:
            self._heard.append(text)
            self.words.append(literal(text))
            self._said_tight += "\n" + _tight(text)

    def word(self, text: str) -> None:
        """The user has written this text in place of the model's: typed as it is it is the user's, a part of it is not.

        Much of it may still be what was read.
        """
        pieces = text.split("\t")
        self._worded |= {literal(each) for each in (text, *pieces) if each.strip()}

    @property
    def worded(self) -> frozenset[str]:
        """What the user has written so, to be put back where nothing comes of it."""
        return frozenset(self._worded)

    @worded.setter
    def worded(self, texts: frozenset[str]) -> None:
        self._worded = set(texts)

    def see(self, observation: Observation) -> None:
        """Take in everything a look has read: elements, window titles, text sections."""
        for text, where in self.taint.see(observation):
            self._take_in(text, where)

    def read(self, text: str, where: str) -> None:
        """Take in a text that was read in a file or an environment called `where`."""
        if text:
            self.taint.add(Subject("app", where.partition(":")[0] or UNKNOWN))
            self._take_in(text, where)

    def see_given_picture(self) -> None:
        """Take in that the model sees a picture of the user's: what is written in it is nobody's word, and not known."""
        self.taint.add(Subject("app", GIVEN_PICTURE))

    def _take_in(self, text: str, where: str) -> None:
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

    # ---- what the agent does -----------------------------------------------------------------

    def type(self, text: str, *, carried_out: bool = False) -> None:
        """Note what the agent has typed: pieces typed one after the other are judged as one text."""
        self.line = last_line(self.line + text)
        if carried_out:
            self.prompt = last_line(self.prompt + text)

    def enter(self, *, carried_out: bool = False) -> None:
        """Note that Enter was pressed: what is typed next is another line."""
        self.line = ""
        self.prompt = "" if carried_out else self.prompt

    def leave(self) -> None:
        """Note that the keyboard may be elsewhere: what is typed next is another text."""
        self.line = ""

    def copy(self, subject: Subject) -> None:
        """Note that the agent copied something to the clipboard."""
        self._copied = frozenset((subject,))

    def press(self, subject: Subject) -> None:
        """Note that something was pressed there: it may have put something else on the clipboard."""
        self._copied = self._copied and self._copied | {subject}

    def pasted(self) -> Origin:
        """The origin of what the clipboard holds."""
        return Origin("seen", "the clipboard", self._copied or self.taint.sources | {CLIPBOARD})

    def dropped(self, subject: Subject, where: str) -> Origin:
        """The origin of what was dragged along from a window called `where`."""
        return Origin("seen", where, frozenset((subject,)))

    # ---- origins -----------------------------------------------------------------------------

    def of(self, text: str, line: str = "") -> Origin:
        """The origin of a text that is about to be typed or opened behind `line`.

        A bit of a text (key by key a text is typed, too) is the user's only when what it makes is.
        """
        plain, whole = literal(text).strip(_EDGES), line + text
        if not text.strip():
            return Origin("model", text=whole)
        short, goes_on = len(_squeeze(plain)) < PIECE, bool(line.strip())
        if literal(text) in self._worded and not goes_on:
            return Origin("user", text=whole)
        said = bool(plain) and self._said(plain) and not (short and goes_on)
        if said or ((short or goes_on) and self._begins(literal(whole))):
            return Origin("user", text=whole)
        return self._tainted(whole)

    def carried_out(self, text: str, line: str = "", *, confirmed: bool = False) -> Origin:
        """The origin of a text that is carried out, typed behind `line`: the user's only when all of it is, word for word,
        in a sentence that wants it done.

        `confirmed` when it is entered as well: until then it may be the beginning of the user's words, not the first
        few letters, which begin many.
        """
        whole = line + text
        plain = literal(whole)
        begun = not confirmed and "\n" not in text and len(plain) >= PIECE and self._begins(plain)
        own = plain and (begun or plain in self._worded or is_ordered("run", whole, self._heard))
        return Origin("user", text=whole) if own else self._spoken_of(whole)

    def gone_to(self, text: str, line: str = "") -> Origin:
        """The origin of an address or a file that is about to be opened: the user's only where they order to go there."""
        found = self.of(text, line)
        plain = literal(found.text).strip(_EDGES)
        if found.source != "user" or plain in self._worded or self._orders("go", plain):
            return found
        begun = line + text != found.text or not any(
            _stands_in(form, w) for w in self.words for form in _forms(plain)
        )
        return found if begun else self._spoken_of(found.text)

    def _orders(self, act: Act, plain: str) -> bool:
        return any(is_ordered(act, form, self._heard) for form in (plain, *_forms(plain)))

    def _spoken_of(self, whole: str) -> Origin:
        """The origin of what is not ordered, with the user's sentence that it stands in, if there is one."""
        said = next(
            (found for form in _forms(literal(whole)) if (found := sentence_of(form, self._heard))), ""
        )
        return msgspec.structs.replace(self._tainted(whole), spoken_of=said)

    def said(self, text: str) -> bool:
        """Does the text stand in the user's words, to the letter?"""
        return bool(text.strip()) and self._said(literal(text))

    def located(self, origin: Origin) -> Origin:
        """The origin with the place where the text, word for word, was read, if there is one; it takes a while."""
        if origin.source != "seen" or origin.where or not origin.text:
            return origin
        found = self._found_whole(fold(origin.text).strip(_EDGES)) or self._found_part(origin.text)
        return msgspec.structs.replace(origin, where=found)

    def names_day(self, text: str) -> bool:
        """Is it a day that the user's words name, written in digits?"""
        return any(names_day(words, text) for words in self.words)

    def _tainted(self, whole: str) -> Origin:
        """The origin of a text that is not the user's own words: whatever was read by now may be in it."""
        return Origin("seen" if self.taint.sources else "model", "", self.taint.sources, whole)

    def _said(self, plain: str) -> bool:
        return any(_stands_in(form, words) for words in self.words for form in _forms(plain))

    def _begins(self, plain: str) -> bool:
        """Is it, from the beginning of a word, what the user said, perhaps not to its end?"""
        return bool(plain) and any(
            re.search(rf"(?<![\w_.@/\\:~-]){re.escape(plain)}", words) for words in self.words
        )

    def _found_whole(self, plain: str) -> str:
        """Where the text, or an address or number in it, was read."""
        where = self._where(plain, whole=True) if len(plain) > 1 else ""
        for part in _addresses(plain):
            where = where or ("" if self._said(part) else self._where(part, whole=False))
        return where

    def _where(self, piece: str, *, whole: bool) -> str:
        loose, _ = self._texts()
        if piece not in loose:
            return ""
        found = (
            where
            for text, (where, _) in self._seen.items()
            if piece in text and (not whole or _stands_in(piece, text))
        )
        return next(found, "")

    def _found_part(self, text: str) -> str:
        """Where a long span of the text was read."""
        tight = _tight(text)
        _, seen = self._texts()
        starts = range(max(0, len(tight) - SPAN + 1))
        step = max(1, len(starts) // _SEARCHES)
        for at in starts[::step]:
            span = tight[at : at + SPAN]
            if span in seen and span not in self._said_tight:
                return next((where for where, plain in self._seen.values() if span in plain), "")
        return ""

    def _texts(self) -> tuple[str, str]:
        """All that was read, with blanks and without."""
        if self._corpus is None:
            self._corpus = "\n".join(self._seen), "\n".join(each for _, each in self._seen.values())
        return self._corpus


def literal(text: str) -> str:
    """A text as it is compared with the user's words: case, kinds of quotes and blanks do not count, all else does.

    A look-alike letter makes another word of it: it leads to another host.
    """
    return " ".join(unicodedata.normalize("NFC", text).translate(_QUOTES).casefold().split())


def last_line(text: str) -> str:
    """What stands behind the last line feed, the last characters of it."""
    return text.rpartition("\n")[2][-_TAIL:]


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
    written = (f"{scheme}{www}{bare}" for scheme in ("", "http://", "https://") for www in ("", "www."))
    return tuple(each + end for each in written for end in ("", "/"))


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


# Provenance compares what a model types with what was read: an instruction that was read in base64 and is
# typed in plain letters still comes from the screen. Only the usual encodings are covered; others can
# always be made up.
def readings(text: str) -> Iterator[str]:
    """The text itself, and its decoding by every encoding that it, or a part of it, looks like."""
    yield text
    text = text[:_DECODED]
    if len(text) < 3:
        return
    yield text[::-1]
    yield codecs.encode(text, "rot13")
    if _PERCENT.search(text):
        yield unquote(text)
    for found in _HEX.finditer(text):
        yield _printed(bytes.fromhex(re.sub("[ :]", "", found[0])))
    for found in _BASE64.finditer(text):
        yield from _base64(found[0])
    if _LETTERS.search(text):
        yield from (text[start::2] for start in (0, 1))


def _base64(token: str) -> Iterator[str]:
    plain = token.rstrip("=").replace("-", "+").replace("_", "/")
    try:
        decoded = base64.b64decode(plain + "=" * (-len(plain) % 4))
    except (binascii.Error, ValueError):
        return
    said = _printed(decoded)
    if len(said) >= 3:
        yield said


def _printed(data: bytes) -> str:
    """The bytes as text, "" when fewer than four in five characters are printable."""
    text = data.decode("utf-8", "replace")
    sound = sum(letter.isprintable() and letter != "\ufffd" for letter in text)
    return text if sound >= 0.8 * len(text) else ""
