"""The record of a captured picture: pixels, place on the screen, time."""

from __future__ import annotations

import hashlib
import threading
from collections import deque
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING

from desktop_agent.protocol.geometry import Rect, Size

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

BAND = 64  # rows hashed together
REMEMBERED = 3  # pictures: a whole screen, the same with masks, a part of it


BYTES = 4


@dataclass(frozen=True)
class Frame:
    """Raw pixels, 4 bytes each (B, G, R, unused), rows without padding.

    `region` is where the pixels are on the screen (same size as the picture), `epoch` the geometry's
    epoch, `time` seconds of the monotonic clock at capture.
    """

    pixels: bytes = field(repr=False)
    region: Rect
    epoch: int
    time: float

    @property
    def size(self) -> Size:
        return self.region.size

    @cached_property
    def digest(self) -> str:
        """Content hash in hex: equal pictures have equal digests."""
        return content_hash(self.pixels, self.size.width)


@dataclass(frozen=True)
class _Known:
    pixels: bytes
    width: int
    bands: tuple[bytes, ...]
    whole: str


class FrameHasher:
    """Hashes pictures and remembers the last few, so that a similar one costs little. Thread-safe."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._known: deque[_Known] = deque(maxlen=REMEMBERED)

    def of(self, pixels: bytes, width: int) -> str:
        """Hex hash of a picture with `width` pixels of 4 bytes a row: equal content and width have equal hashes."""
        with self._lock:
            same_size = [p for p in self._known if p.width == width and len(p.pixels) == len(pixels)]
        for each in same_size:
            if each.pixels is pixels:
                return each.whole
        found = _hashed(pixels, width, same_size[-1] if same_size else None)
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
    """As `FrameHasher.of`, by one hasher for the whole process."""
    return _shared().of(pixels, width)


def changed_rows(before: bytes, after: bytes, width: int) -> NDArray[np.bool_]:
    """One boolean per row, true where it differs; the buffers have equal length and `width` pixels of 4 bytes a row."""
    import numpy as np

    unit = np.uint64 if width % 2 == 0 else np.uint32  # twice as fast where two pixels make one number
    rows = len(before) // (BYTES * width)
    one, two = (np.frombuffer(each, unit).reshape(rows, -1) for each in (before, after))
    different: NDArray[np.bool_] = (one != two).any(axis=1)
    return different
