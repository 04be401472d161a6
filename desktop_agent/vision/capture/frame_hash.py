"""Content hashes of pictures: of one that resembles the last few, only the rows that are new are hashed."""

from __future__ import annotations

import hashlib
import threading
from collections import deque
from dataclasses import dataclass
from functools import lru_cache

from desktop_agent.vision.capture.row_diff import BYTES, changed_rows

BAND = 64  # rows hashed together
KEPT = 3  # pictures remembered: a whole screen, the same with masks, a part of it


@dataclass(frozen=True)
class _Known:
    pixels: bytes
    width: int
    bands: tuple[bytes, ...]
    whole: str


class FrameHasher:
    """Remembers the last pictures it was asked about. For several threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._known: deque[_Known] = deque(maxlen=KEPT)

    def of(self, pixels: bytes, width: int) -> str:
        """A hash of the content, for `width` pixels of 4 bytes a row: equal content has equal hashes."""
        with self._lock:
            alike = [each for each in self._known if each.width == width and len(each.pixels) == len(pixels)]
        for each in alike:
            if each.pixels is pixels:
                return each.whole
        found = _hashed(pixels, width, alike[-1] if alike else None)
        with self._lock:
            self._known.append(found)
        return found.whole


def _hashed(pixels: bytes, width: int, before: _Known | None) -> _Known:
    step = max(1, BAND * width * BYTES)
    view = memoryview(pixels)
    starts = range(0, len(pixels), step)
    if before is None:
        bands = tuple(_hash(view[start : start + step]) for start in starts)
    else:
        new = changed_rows(before.pixels, pixels, width)
        bands = tuple(
            _hash(view[start : start + step]) if new[i * BAND : (i + 1) * BAND].any() else before.bands[i]
            for i, start in enumerate(starts)
        )
    whole = hashlib.blake2b(b"".join(bands), digest_size=16, salt=width.to_bytes(4, "little"))
    return _Known(pixels, width, bands, whole.hexdigest())


def _hash(rows: memoryview) -> bytes:
    return hashlib.blake2b(rows, digest_size=16).digest()


@lru_cache(maxsize=1)
def _shared() -> FrameHasher:
    return FrameHasher()


def content_hash(pixels: bytes, width: int) -> str:
    """As `Digests.of`, with one memory for the whole process."""
    return _shared().of(pixels, width)
