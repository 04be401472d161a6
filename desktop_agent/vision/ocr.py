"""Text on a picture, read by tesseract: what is left when the accessibility tree says nothing."""

from __future__ import annotations

import os
import shutil
import subprocess
import threading
from collections import OrderedDict
from collections.abc import Iterator, Sequence
from functools import lru_cache

import msgspec

from desktop_agent.protocol.geometry import Rect
from desktop_agent.protocol.stopping import StopFlag
from desktop_agent.vision.frame import Frame
from desktop_agent.vision.observation import Element
from desktop_agent.vision.ocr_picture import SCALE, prepared

SECONDS = 20.0
"""Longest time one picture may take; a 1920x1080 one takes about 1.5 s."""

_PROGRAM = "tesseract"
_ARGUMENTS = ("stdin", "stdout", "--psm", "11", "-c", "tessedit_create_tsv=1")
_LEAST_CONFIDENCE = 35.0
_KEPT = 8  # pictures whose words are remembered


class Word(msgspec.Struct, frozen=True):
    """A word in picture pixels; `line` is the same for words of one line, `confidence` 0 to 100."""

    text: str
    bounds: Rect
    line: tuple[int, int, int]
    confidence: float


def unavailable() -> str:
    """Why text cannot be read here; "" when it can."""
    if shutil.which(_PROGRAM):
        return ""
    return "Text in pictures cannot be read: tesseract is not installed (apt-get install tesseract-ocr)."


class WordReader:
    """Reads words; the same picture is read only once. `reason` says why the last call gave nothing."""

    def __init__(self, seconds: float = SECONDS) -> None:
        self._seconds = seconds
        self._lock = threading.Lock()
        self._kept: OrderedDict[str, tuple[Word, ...]] = OrderedDict()
        self.reason = ""

    def __call__(self, frame: Frame, stop: StopFlag) -> tuple[Element, ...]:
        """Lines of text as elements w1, w2, … with screen bounds, in reading order; () with a `reason`.

        Raises Stopped as soon as `stop` is set.
        """
        stop.check()
        words = self._words(frame, stop)
        return tuple(
            Element(f"w{number}", "static", text, _moved(bounds, frame.region), states=_SHOWING, source="ocr")
            for number, (text, bounds) in enumerate(lines(words), 1)
        )

    def _words(self, frame: Frame, stop: StopFlag) -> tuple[Word, ...]:
        key = f"{frame.digest}{frame.size.width}"
        with self._lock:
            if key in self._kept:
                self._kept.move_to_end(key)
                return self._kept[key]
        self.reason = unavailable()
        if self.reason:
            return ()
        words = tuple(parse(self._recognise(prepared(frame), stop)))
        with self._lock:
            self._kept[key] = words
            if len(self._kept) > _KEPT:
                self._kept.popitem(last=False)
        return words

    def _recognise(self, picture: bytes, stop: StopFlag) -> str:
        child = subprocess.Popen(
            [_PROGRAM, *_ARGUMENTS],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={**os.environ, "OMP_THREAD_LIMIT": "1"},
        )
        forget = stop.on_set(child.kill)
        try:
            output, _ = child.communicate(picture, self._seconds)
        except subprocess.TimeoutExpired:
            self.reason = f"Reading the text of the picture took more than {self._seconds:.0f} s."
            output = b""
        finally:
            forget()
            child.kill()
            child.wait()
        stop.check()
        return output.decode(errors="replace")


_SHOWING = frozenset(("showing", "enabled"))


@lru_cache(maxsize=1)
def _shared() -> WordReader:
    return WordReader()


def read_words(frame: Frame, stop: StopFlag) -> tuple[Element, ...]:
    """Lines of text on the frame, by one reader for the whole process. Raises Stopped."""
    return _shared()(frame, stop)


def parse(tsv: str) -> Iterator[Word]:
    """Words from tesseract's TSV: level, page, block, paragraph, line, word, left, top, width, height, conf, text."""
    for row in tsv.splitlines():
        cells = row.split("\t")
        if (
            len(cells) == 12
            and cells[0] == "5"
            and _is_text(cells[11])
            and float(cells[10]) >= _LEAST_CONFIDENCE
        ):
            block, paragraph, line = int(cells[2]), int(cells[3]), int(cells[4])
            left, top, width, height = (int(cell) // SCALE for cell in cells[6:10])
            bounds = Rect(left, top, max(1, width), max(1, height))
            yield Word(cells[11].strip(), bounds, (block, paragraph, line), float(cells[10]))


def _is_text(text: str) -> bool:
    return any(letter.isalnum() for letter in text)


def lines(words: Sequence[Word]) -> list[tuple[str, Rect]]:
    """Words of a line that stand close together, as one text with its bounds."""
    found: list[tuple[str, Rect]] = []
    last: Word | None = None
    for word in words:
        if last is not None and word.line == last.line and _close(found[-1][1], word.bounds):
            found[-1] = (f"{found[-1][0]} {word.text}", _around(found[-1][1], word.bounds))
        else:
            found.append((word.text, word.bounds))
        last = word
    return found


def _close(line: Rect, word: Rect) -> bool:
    """Entries of a menu bar stand further apart than the words of a sentence."""
    return word.x - line.right < max(line.height, word.height)


def _around(one: Rect, other: Rect) -> Rect:
    left, top = min(one.x, other.x), min(one.y, other.y)
    return Rect(left, top, max(one.right, other.right) - left, max(one.bottom, other.bottom) - top)


def _moved(rect: Rect, region: Rect) -> Rect:
    return Rect(rect.x + region.x, rect.y + region.y, rect.width, rect.height)
