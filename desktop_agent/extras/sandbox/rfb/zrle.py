"""Unpacks ZRLE rectangles (RFC 6143, 7.7.6): tiles of 64x64 pixels in one zlib stream that lasts a connection."""

from __future__ import annotations

import zlib

import numpy as np
from numpy.typing import NDArray

from desktop_agent.protocol.geometry import Rect

TILE = 64
_PIXEL = 3  # of 24 bits of depth in 32, three bytes are sent: blue, green, red
_Pixels = NDArray[np.uint8]


class Unpacker:
    """Of one connection, as each rectangle goes on where the one before ended. Raises ValueError for nonsense."""

    def __init__(self) -> None:
        self._stream = zlib.decompressobj()

    def unpack(self, packed: bytes, area: Rect, pixels: bytearray, width: int) -> None:
        """Write a rectangle into the picture `pixels` of this width, 4 bytes a pixel."""
        rows = np.frombuffer(pixels, np.uint8).reshape(-1, width, 4)
        data = _Tiles(self._inflated(packed, area))
        for y in range(area.y, area.bottom, TILE):
            high = min(TILE, area.bottom - y)
            for x in range(area.x, area.right, TILE):
                wide = min(TILE, area.right - x)
                rows[y : y + high, x : x + wide, :_PIXEL] = data.tile(wide, high)
        data.end()

    def _inflated(self, packed: bytes, area: Rect) -> bytes:
        tiles = (area.width // TILE + 1) * (area.height // TILE + 1)
        most = tiles * (1 + 127 * _PIXEL) + area.area * (_PIXEL + 1) + 1
        try:
            data = self._stream.decompress(packed, most)
        except zlib.error as error:
            raise ValueError("a broken zlib stream") from error
        if self._stream.unconsumed_tail or self._stream.eof:
            raise ValueError("more than its pixels")
        return data


class _Tiles:
    """The tiles in unpacked data, one after the other."""

    def __init__(self, data: bytes) -> None:
        self._bytes, self._data = data, np.frombuffer(data, np.uint8)
        self._at = 0

    def tile(self, wide: int, high: int) -> _Pixels:
        """The pixels of the next tile, as an array that fits into `high` rows of `wide`."""
        kind = int(self._take(1)[0])
        if kind == 0:
            return self._colours(wide * high).reshape(high, wide, _PIXEL)
        if kind == 1:
            return self._colours(1).reshape(1, 1, _PIXEL)
        if kind <= 16:
            return self._of_palette(self._colours(kind), wide, high)
        if kind == 128:
            return self._runs(None, wide, high)
        if kind >= 130:
            return self._runs(self._colours(kind - 128), wide, high)
        raise ValueError(f"a tile of kind {kind}")

    def end(self) -> None:
        """Raises ValueError when there is more."""
        if self._at != len(self._data):
            raise ValueError("more than its tiles")

    def _take(self, size: int) -> _Pixels:
        if self._at + size > len(self._data):
            raise ValueError("less than its tiles")
        taken = self._data[self._at : self._at + size]
        self._at += size
        return taken

    def _colours(self, count: int) -> _Pixels:
        return self._take(count * _PIXEL).reshape(count, _PIXEL)

    def _of_palette(self, palette: _Pixels, wide: int, high: int) -> _Pixels:
        """Each row begins with a new byte, the highest bits first."""
        bits = 1 if len(palette) == 2 else 2 if len(palette) <= 4 else 4
        packed = self._take((wide * bits + 7) // 8 * high).reshape(high, -1)
        places = np.arange(8 - bits, -1, -bits, dtype=np.uint8)
        indices = (packed[:, :, None] >> places & (1 << bits) - 1).reshape(high, -1)[:, :wide]
        return self._chosen(palette, indices)

    def _runs(self, palette: _Pixels | None, wide: int, high: int) -> _Pixels:
        """Runs of one colour: 255s and a smaller byte are its length minus one; with a palette only where its index says so."""
        colours: list[int] = []
        lengths: list[int] = []
        left, at, data = wide * high, self._at, self._bytes
        while left > 0:
            colour, length = at, 1
            if palette is None:
                at, runs = at + _PIXEL, True
            else:
                self._need(at + 1)
                colour, runs = data[at] & 127, data[at] >= 128
                at += 1
            while runs:
                self._need(at + 1)
                length += data[at]
                runs = data[at] == 255
                at += 1
            colours.append(colour)
            lengths.append(length)
            left -= length
        if left:
            raise ValueError("a run beyond its tile")
        self._at = at
        if palette is None:
            starts = np.repeat(np.array(colours), lengths)
            return self._data[starts[:, None] + np.arange(_PIXEL)].reshape(high, wide, _PIXEL)
        return self._chosen(palette, np.repeat(np.array(colours), lengths).reshape(high, wide))

    def _need(self, end: int) -> None:
        if end > len(self._data):
            raise ValueError("less than its tiles")

    def _chosen(self, palette: _Pixels, indices: NDArray[np.integer]) -> _Pixels:
        if int(indices.max()) >= len(palette):
            raise ValueError("a colour outside its palette")
        chosen: _Pixels = palette[indices]
        return chosen
