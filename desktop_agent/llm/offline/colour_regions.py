"""Connected areas of exactly one colour in a picture."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from desktop_agent.llm.offline.colour_names import Colour
from desktop_agent.protocol.geometry import Rect

_THIN = 0.4
"""A region that fills less of its own outline than this is a line around something."""

Run = tuple[int, int, int]


@dataclass
class Region:
    """`runs` are its pixels: row, first column, column after the last one."""

    colour: Colour
    runs: list[Run] = field(default_factory=list)

    @property
    def area(self) -> int:
        """Pixels."""
        return sum(end - start for _, start, end in self.runs)

    @property
    def bounds(self) -> Rect:
        """In pixels of the picture."""
        left, right = min(run[1] for run in self.runs), max(run[2] for run in self.runs)
        top, bottom = self.runs[0][0], max(run[0] for run in self.runs)
        return Rect(left, top, right - left, bottom - top + 1)

    @property
    def _rows(self) -> dict[int, tuple[int, int]]:
        """The first column and the one after the last, by row."""
        rows: dict[int, tuple[int, int]] = {}
        for row, start, end in self.runs:
            first, last = rows.get(row, (start, end))
            rows[row] = (min(first, start), max(last, end))
        return rows

    @property
    def solid_area(self) -> int:
        """Pixels with those of holes."""
        return sum(end - start for start, end in self._rows.values())

    @property
    def hollow(self) -> bool:
        """Is it a line around something?"""
        return self.area < _THIN * self.solid_area

    @property
    def edge(self) -> NDArray[np.float64]:
        """Corners of its outermost pixels, as rows of x and y."""
        points = [
            (x, y)
            for row, (start, end) in self._rows.items()
            for x, y in ((start, row), (end, row), (start, row + 1), (end, row + 1))
        ]
        return np.array(points, dtype=np.float64)


def regions(picture: NDArray[np.uint8]) -> list[Region]:
    """All regions of a picture (height x width x 3), neighbours above, below, left and right."""
    codes = (
        (picture[..., 0].astype(np.int32) << 16) | (picture[..., 1].astype(np.int32) << 8) | picture[..., 2]
    )
    parents: list[int] = []
    rows = [_runs(row) for row in codes]
    labels: list[list[int]] = []
    for number, runs in enumerate(rows):
        labels.append([])
        for _ in runs:
            labels[-1].append(len(parents))
            parents.append(len(parents))
        if number:
            _join(rows[number - 1], labels[number - 1], runs, labels[number], parents)
    return _collected(rows, labels, parents)


def _runs(row: NDArray[np.int32]) -> list[tuple[int, int, int]]:
    """Stretches of one colour: first column, the one after the last, colour."""
    cuts = np.flatnonzero(np.diff(row)) + 1
    starts = [0, *cuts.tolist()]
    ends = [*cuts.tolist(), len(row)]
    return list(zip(starts, ends, row[starts].tolist(), strict=True))


def _join(
    above: list[Run], above_labels: list[int], runs: list[Run], labels: list[int], parents: list[int]
) -> None:
    """Let runs that touch those of the row above in their colour be one region with them."""
    i = j = 0
    while i < len(above) and j < len(runs):
        if above[i][2] == runs[j][2] and above[i][0] < runs[j][1] and runs[j][0] < above[i][1]:
            one, other = _root(parents, above_labels[i]), _root(parents, labels[j])
            parents[max(one, other)] = min(one, other)
        if above[i][1] < runs[j][1]:
            i += 1
        else:
            j += 1


def _root(parents: list[int], label: int) -> int:
    while parents[label] != label:
        parents[label] = parents[parents[label]]
        label = parents[label]
    return label


def _collected(rows: list[list[Run]], labels: list[list[int]], parents: list[int]) -> list[Region]:
    found: dict[int, Region] = {}
    for number, (runs, names) in enumerate(zip(rows, labels, strict=True)):
        for (start, end, code), label in zip(runs, names, strict=True):
            root = _root(parents, label)
            region = found.setdefault(root, Region((code >> 16, code >> 8 & 255, code & 255)))
            region.runs.append((number, start, end))
    return list(found.values())
