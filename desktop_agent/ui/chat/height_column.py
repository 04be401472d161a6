"""Heights of parts one below the other, most of them only estimated, and which of them lie between two lines."""

from __future__ import annotations

from bisect import bisect_right
from itertools import accumulate


class HeightColumn:
    """The heights of the parts in pixels, `gap` pixels apart; a part of height 0 takes no gap either."""

    def __init__(self, gap: int) -> None:
        self._gap = gap
        self._heights: list[int] = []
        self._tops: list[int] | None = None

    def __len__(self) -> int:
        return len(self._heights)

    def __getitem__(self, index: int) -> int:
        return self._heights[index]

    def put(self, index: int, height: int) -> bool:
        """Set the height of a part; True when it was another one."""
        if self._heights[index] == height:
            return False
        self._heights[index] = height
        self._tops = None
        return True

    def replace(self, heights: list[int]) -> None:
        """Set all heights."""
        self._heights = heights
        self._tops = None

    def insert(self, index: int, heights: list[int]) -> None:
        """Insert parts before the part at `index`."""
        self._heights[index:index] = heights
        self._tops = None

    def remove(self, start: int, end: int) -> None:
        """Remove the parts from `start` to before `end`."""
        del self._heights[start:end]
        self._tops = None

    @property
    def tops(self) -> list[int]:
        """Where each part begins, and last where a further one would."""
        if self._tops is None:
            gap = self._gap
            self._tops = list(accumulate((each + gap if each else 0 for each in self._heights), initial=0))
        return self._tops

    @property
    def total(self) -> int:
        """The height of all parts together, without a gap at the end."""
        return max(0, self.tops[-1] - self._gap)

    def between(self, top: int, bottom: int) -> range:
        """The indices of the parts that have something between two lines; where none has, of the part next to them."""
        count, tops = len(self._heights), self.tops
        first = max(0, min(bisect_right(tops, top) - 1, count - 1))
        return range(first, min(count, max(first + 1, bisect_right(tops, bottom))))
