"""Recognises text on prepared frames with tesseract, only where the picture is new, for screens whose accessibility tree is empty."""

from __future__ import annotations

import hashlib
import itertools
import os
import shutil
import subprocess
import threading
from collections import OrderedDict, deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Generic, Protocol, TypeVar

import msgspec
import numpy as np
import numpy.typing as npt
from PIL import Image

from desktop_agent.protocol.geometry import Rect, bounding_box
from desktop_agent.protocol.stop_flag import StopFlag
from desktop_agent.support import system_packages
from desktop_agent.support.child_command import WITHOUT_CONSOLE
from desktop_agent.vision.capture.frame import Frame, changed_areas
from desktop_agent.vision.elements.reader import in_rows
from desktop_agent.vision.encoding.encode import crop
from desktop_agent.vision.observation import Element

SECONDS = 20.0
"""Longest time one picture may take; a 1920x1080 one takes about 1.5 s."""

_PROGRAM = "tesseract"
_ARGUMENTS = ("stdin", "stdout", "--psm", "11", "-c", "tessedit_create_tsv=1")
_LEAST_CONFIDENCE = 35.0
_KEPT = 3  # pictures that later ones are compared with
_KEPT_WORDS = 100  # pictures, and as many parts of pictures, whose words are cached by content
_BORDER_LETTERS = " |[]{}_~—"  # what tesseract takes the borders of boxes for


MOST = 4
"""Parts recognised separately, at most: each starts the OCR program once."""
MOSTLY = 0.6
"""When more than this share of the picture has to be read, all of it is read in one piece."""
_CARET_WIDTH = 1  # pixels; no letter is as narrow


SCALE = 2
_BLOCK_HEIGHT, _BLOCK_WIDTH = 4, 16  # pixels
_UP, _ASIDE = (
    1,
    2,
)  # neighbouring blocks that count too: a line of text high, and wide enough that the background prevails
_SHADES = 32
_CONTRAST = 2
_MARGIN = 8
Grey = npt.NDArray[np.uint8]


class OcrWord(msgspec.Struct, frozen=True):
    """A word in a frame's own pixels; `line` is the same for all words of a line, `confidence` 0 to 100."""

    text: str
    bounds: Rect
    line: tuple[int, ...]
    confidence: float


def unavailable() -> str:
    """Why OCR is not available, with advice; "" when it is."""
    if shutil.which(_PROGRAM):
        return ""
    how = system_packages.advice((system_packages.OCR,))
    return f"Text in pictures cannot be read: tesseract is not installed. {how}"


@lru_cache(maxsize=1)
def _languages() -> tuple[str, ...]:
    """Arguments that name every language that is there, English first; () for English alone."""
    told = subprocess.run(
        [_PROGRAM, "--list-langs"], capture_output=True, text=True, check=False, creationflags=WITHOUT_CONSOLE
    )
    more = languages(told.stdout)
    return ("-l", "+".join(("eng", *more[:2]))) if more else ()


def reads_english_only() -> bool:
    """Does the recogniser know no language but English, and so neither ö nor ß?"""
    return not shutil.which(_PROGRAM) or not _languages()


def languages(listed: str) -> list[str]:
    """The languages beside English in what tesseract lists."""
    return [each for each in listed.split("\n")[1:] if each.strip() not in ("", "eng", "osd", "equ", "snum")]


class WordReader:
    """Recognises words; an equal picture comes from the cache, and of a similar one only the changed parts are read.

    `reason` says why the last call returned nothing. Thread-safe.
    """

    def __init__(self, seconds: float = SECONDS) -> None:
        self._seconds = seconds
        self._lock = threading.Lock()
        self._known: deque[OcrReading[OcrWord]] = deque(maxlen=_KEPT)
        self._done: OrderedDict[str, tuple[OcrWord, ...]] = OrderedDict()
        self._parts: OrderedDict[str, tuple[OcrWord, ...]] = OrderedDict()
        self._readings = itertools.count()
        self.reason = ""

    def __call__(self, frame: Frame, stop: StopFlag) -> tuple[Element, ...]:
        """The lines of text as elements w1, w2, … with screen bounds, in reading order; () and a `reason` on failure.

        Raises Stopped as soon as `stop` is set.
        """
        stop.check()
        return tuple(
            Element(
                f"w{number}",
                "static",
                text,
                bounds.moved(frame.region.x, frame.region.y),
                states=_SHOWING,
                source="ocr",
            )
            for number, (text, bounds) in enumerate(lines(self.words(frame, stop)), 1)
        )

    def words(self, frame: Frame, stop: StopFlag) -> tuple[OcrWord, ...]:
        """The words with their confidence, bounds in the frame's pixels; () and a `reason` on failure. Raises Stopped."""
        with self._lock:
            known, done = tuple(self._known), self._done.get(frame.digest)
        if done is not None:
            return done
        parts, before = least_to_read(frame, known)
        self.reason = ""
        words = [word for word in before.words if not _in(word, parts)] if before else []
        for part in parts:
            words += [word for word in self._part(frame, part.read, stop) if part.has(word.bounds)]
            if self.reason:
                return ()
        read = OcrReading(frame, tuple(words))
        with self._lock:
            self._known.append(read)
            _keep(self._done, frame.digest, read.words)
        return read.words

    def _part(self, frame: Frame, part: Rect, stop: StopFlag) -> tuple[OcrWord, ...]:
        """The words of a part, in the frame's pixels; a part with equal pixels comes from the cache."""
        pixels = crop(frame, part.moved(frame.region.x, frame.region.y)).pixels
        key = f"{part.width} {hashlib.blake2b(pixels, digest_size=16).hexdigest()}"
        with self._lock:
            found = self._parts.get(key)
        if found is None:
            found = self._read_part(frame, part, stop)
            if self.reason:
                return ()
        with self._lock:
            _keep(self._parts, key, found)
        return _placed(found, part, next(self._readings))

    def _read_part(self, frame: Frame, part: Rect, stop: StopFlag) -> tuple[OcrWord, ...]:
        """The words of a part, in the part's own pixels."""
        found = self._recognise(prepared(frame, part), stop)
        return tuple(parse(found, Rect(0, 0, part.width, part.height)))

    def _recognise(self, picture: bytes, stop: StopFlag) -> str:
        self.reason = unavailable()
        if self.reason:
            return ""
        child = subprocess.Popen(
            [_PROGRAM, *_ARGUMENTS, *_languages()],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env={**os.environ, "OMP_THREAD_LIMIT": "1"},
            creationflags=WITHOUT_CONSOLE,
        )
        forget = stop.on_set(child.kill)
        try:
            output, complaint = child.communicate(picture, self._seconds)
        except subprocess.TimeoutExpired:
            self.reason = (
                f"Reading the text of the picture took more than {self._seconds:g} s and was given up."
            )
            output = complaint = b""
        finally:
            forget()
            child.kill()
            child.communicate()
        stop.check()
        if child.returncode and not self.reason:
            self.reason = f"tesseract failed: {complaint.decode(errors='replace').strip()[-300:]}"
        return output.decode(errors="replace")


def _keep(kept: OrderedDict[str, tuple[OcrWord, ...]], key: str, words: tuple[OcrWord, ...]) -> None:
    kept[key] = words
    kept.move_to_end(key)
    if len(kept) > _KEPT_WORDS:
        kept.popitem(last=False)


def _placed(words: Iterable[OcrWord], part: Rect, reading: int) -> tuple[OcrWord, ...]:
    """A part's words in the frame's pixels; `reading` goes into their line ids, so that lines of parts stay apart."""
    return tuple(
        OcrWord(word.text, word.bounds.moved(part.x, part.y), (reading, *word.line), word.confidence)
        for word in words
    )


def _in(word: OcrWord, parts: Iterable[OcrPart]) -> bool:
    return any(part.has(word.bounds) for part in parts)


_SHOWING = frozenset(("showing", "enabled"))


@lru_cache(maxsize=1)
def _shared() -> WordReader:
    return WordReader()


def read_words(frame: Frame, stop: StopFlag) -> tuple[Element, ...]:
    """As `WordReader.__call__`, by one reader for the whole process. Raises Stopped."""
    return _shared()(frame, stop)


def parse(tsv: str, part: Rect) -> Iterator[OcrWord]:
    """The words of tesseract's TSV output for a picture of `part` of a frame, in the frame's pixels.

    Unsure words and those without a letter or digit are dropped. Columns: level, page, block, paragraph, line, word, left, top, width, height, confidence, text.
    """
    for row in tsv.splitlines():
        cells = row.split("\t")
        if len(cells) != 12 or cells[0] != "5" or float(cells[10]) < _LEAST_CONFIDENCE:
            continue
        text = cells[11].strip(_BORDER_LETTERS)
        if any(letter.isalnum() for letter in text):
            left, top, width, height = (int(cell) // SCALE for cell in cells[6:10])
            bounds = Rect(part.x + left, part.y + top, max(1, width), max(1, height))
            line = tuple(map(int, cells[2:5]))
            yield OcrWord(text, bounds, line, float(cells[10]))


def lines(words: Sequence[OcrWord]) -> list[tuple[str, Rect]]:
    """Words joined to lines, each a text with its bounds, in reading order; a wide gap starts a new line."""
    found: list[tuple[str, Rect]] = []
    last: OcrWord | None = None
    for word in sorted(words, key=lambda each: (each.line, each.bounds.x)):
        if last is not None and last.line == word.line and _close(found[-1][1], word.bounds):
            found[-1] = (f"{found[-1][0]} {word.text}", bounding_box((found[-1][1], word.bounds)))
        else:
            found.append((word.text, word.bounds))
        last = word
    return in_rows((bounds, (text, bounds)) for text, bounds in found)


def _close(line: Rect, word: Rect) -> bool:
    """True when the gap is no wider than the text is high: entries of a menu bar stand further apart."""
    return word.x - line.right < max(line.height, word.height)


class PlacedWord(Protocol):
    """A recognised word: its bounds in the frame's own pixels, and the id of its line."""

    @property
    def bounds(self) -> Rect: ...
    @property
    def line(self) -> tuple[int, ...]: ...


@dataclass(frozen=True)
class OcrPart:
    """A part of a frame to recognise: `core` has changed, `read` adds the margin the recogniser needs (own pixels)."""

    core: Rect
    read: Rect

    def has(self, word: Rect) -> bool:
        """True when a word found in `read` lies in `core`; one on the margin is known from before."""
        return self.core.contains(word.center)


WordT = TypeVar("WordT", bound=PlacedWord)


@dataclass(frozen=True)
class OcrReading(Generic[WordT]):
    """A frame and the words recognised on it."""

    frame: Frame
    words: tuple[WordT, ...]


def whole_part(frame: Frame) -> OcrPart:
    """The whole frame as one part."""
    return OcrPart(whole(frame), whole(frame))


def changed_parts(frame: Frame, before: OcrReading[WordT]) -> tuple[OcrPart, ...]:
    """The parts of the frame that differ from an earlier reading, widened to whole words and lines they cut."""
    if before.frame.size != frame.size:
        return (whole_part(frame),)
    areas, _ = changed_areas(before.frame, frame, frame.size.width * frame.size.height)
    new = [_own(area, frame) for area in areas if area.width > _CARET_WIDTH]
    cores = _few([_with_words(area, before.words, frame) for area in new], frame)
    if sum(widened(core, frame).area for core in cores) > MOSTLY * whole(frame).area:
        return (whole_part(frame),)
    return tuple(OcrPart(core, widened(core, frame)) for core in cores)


def least_to_read(
    frame: Frame, before: Iterable[OcrReading[WordT]]
) -> tuple[tuple[OcrPart, ...], OcrReading[WordT] | None]:
    """The smallest set of parts to recognise, and the earlier reading it builds on (None: the whole frame is read)."""
    plans: list[tuple[tuple[OcrPart, ...], OcrReading[WordT] | None]] = [((whole_part(frame),), None)]
    plans += [(changed_parts(frame, each), each) for each in before]
    return min(plans, key=lambda plan: sum(part.read.area for part in plan[0]))


def _own(area: Rect, frame: Frame) -> Rect:
    return area.moved(-frame.region.x, -frame.region.y)


def _with_words(area: Rect, words: Sequence[PlacedWord], frame: Frame) -> Rect:
    """The area grown to the whole lines of all words it touches: a partly changed word may be another word now."""
    near = widened(area, frame)
    lines = {word.line for word in words if not word.bounds.intersection(near).empty}
    for word in words:
        if word.line in lines:
            area = bounding_box((area, word.bounds))
    return area


def _few(areas: Iterable[Rect], frame: Frame) -> list[Rect]:
    """The areas joined until at most MOST are left whose margins do not overlap."""
    found: list[Rect] = []
    for area in areas:
        found = list(_joined(area, found, frame))
    while len(found) > MOST:
        one, other = min(_pairs(found), key=lambda pair: _added(*pair))
        rest = [area for area in found if area not in (one, other)]
        found = list(_joined(bounding_box((one, other)), rest, frame))
    return found


def _joined(area: Rect, others: Sequence[Rect], frame: Frame) -> Iterator[Rect]:
    """The others with `area` added, joined with those that it touches."""
    left = list(others)
    while touched := [
        each for each in left if not widened(each, frame).intersection(widened(area, frame)).empty
    ]:
        for each in touched:
            area = bounding_box((area, each))
            left.remove(each)
    yield from (*left, area)


def _pairs(areas: Sequence[Rect]) -> Iterator[tuple[Rect, Rect]]:
    return ((one, other) for i, one in enumerate(areas) for other in areas[i + 1 :])


def _added(one: Rect, other: Rect) -> int:
    return bounding_box((one, other)).area - one.area - other.area


def prepared(frame: Frame, part: Rect) -> bytes:
    """A part of the frame (in its own pixels) as a PGM picture: dark text on white, SCALE times as large.

    The recogniser applies one threshold to the whole picture, so text on dark or coloured areas would be
    lost: each pixel becomes its distance from the most frequent shade around it. (Of 519 words on eight
    backgrounds 99 % are found instead of 64 %.)
    """
    grey = _grey(frame, part)
    ground = _ground(grey).astype(np.int16)
    ink = np.clip(np.abs(grey - ground) - 255 // _SHADES // 2, 0, 255)
    flat = Image.fromarray((255 - np.clip(ink * _CONTRAST, 0, 255)).astype(np.uint8))
    large = flat.resize((flat.width * SCALE, flat.height * SCALE), Image.Resampling.BICUBIC)
    return b"P5 %d %d 255\n" % large.size + large.tobytes()


def _grey(frame: Frame, part: Rect) -> Grey:
    size = (frame.size.width, frame.size.height)
    picture = Image.frombuffer("RGB", size, frame.pixels, "raw", "BGRX", 0, 1)
    return np.asarray(picture.crop((part.x, part.y, part.right, part.bottom)).convert("L"))


def _ground(grey: Grey) -> Grey:
    """The background: for every pixel the most frequent shade around its block."""
    height, width = grey.shape
    rows, columns = -(-height // _BLOCK_HEIGHT), -(-width // _BLOCK_WIDTH)
    padding = ((0, rows * _BLOCK_HEIGHT - height), (0, columns * _BLOCK_WIDTH - width))
    blocks = np.pad(grey, padding, mode="edge").reshape(rows, _BLOCK_HEIGHT, columns, _BLOCK_WIDTH)
    pixels = blocks.swapaxes(1, 2).reshape(rows * columns, -1)
    step = 256 // _SHADES
    bins = pixels // step + np.arange(rows * columns, dtype=np.int64)[:, None] * _SHADES
    counts = np.bincount(bins.ravel(), minlength=rows * columns * _SHADES).reshape(rows, columns, _SHADES)
    counts = _with_neighbours(_with_neighbours(counts, 0, _UP), 1, _ASIDE)
    shades: Grey = (counts.argmax(axis=2) * step + step // 2).astype(np.uint8)
    return shades.repeat(_BLOCK_HEIGHT, axis=0).repeat(_BLOCK_WIDTH, axis=1)[:height, :width]


def _with_neighbours(counts: npt.NDArray[np.int64], axis: int, reach: int) -> npt.NDArray[np.int64]:
    """Each block's counts plus those of the blocks up to `reach` away along an axis."""
    near = np.moveaxis(counts, axis, 0)
    total = near.copy()
    for distance in range(1, min(reach, len(near) - 1) + 1):
        total[distance:] += near[:-distance]
        total[:-distance] += near[distance:]
    return np.moveaxis(total, 0, axis)


def whole(frame: Frame) -> Rect:
    """All of the frame, in its own pixels."""
    return Rect(0, 0, frame.size.width, frame.size.height)


def widened(part: Rect, frame: Frame) -> Rect:
    """The part with a margin, aligned to the frame's block grid, within the frame."""
    left = max(0, part.x - _MARGIN) // _BLOCK_WIDTH * _BLOCK_WIDTH
    top = max(0, part.y - _MARGIN) // _BLOCK_HEIGHT * _BLOCK_HEIGHT
    wide = Rect(left, top, part.right + _MARGIN - left, part.bottom + _MARGIN - top)
    return wide.intersection(whole(frame))
