"""A terminal in the picture, where none of its text can be read: whether its prompt has come back."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
from numpy.typing import NDArray

from desktop_agent.extras.offline.llm.offline.marks import cut, marked
from desktop_agent.protocol.geometry import Rect
from desktop_agent.vision.observation import Observation

_FRAME = 0.8
"""The share of marked pixels from which on a row or column belongs to the window's frame or its scroll bar."""
_LEAST_WIDTH, _LEAST_HEIGHT = 4, 8
_OFF = 1.5
"""Cells by which a line of text may seem longer or shorter than it is: letters do not fill theirs."""
Ink = NDArray[np.bool_]


def lines_printed(look: Observation, area: Rect, command: str) -> int | None:
    """How many lines stand between a command and the prompt that has come back after it.

    None when that is not to be seen: the command is running, or what it printed has pushed it out of sight.
    The last line must be the beginning of the line with the command, and the block of the cursor.
    """
    ink = _ink(look, area)
    cursor = _cursor(ink)
    if cursor is None:
        return None
    bottom = cursor.y + cursor.height
    prompt = ink[cursor.y : bottom, : cursor.x]
    if not prompt.any():
        return None
    for above in range(1, cursor.y // cursor.height + 1):
        top = cursor.y - above * cursor.height
        line = ink[top : top + cursor.height]
        if not np.array_equal(line[:, : cursor.x], prompt):
            continue
        rows = _rows(line, cursor, len(command.rstrip()))
        return above - rows if 0 < rows <= above else None
    return None


def _ink(look: Observation, area: Rect) -> Ink:
    """Where the window is written on, its frame left out."""
    picture = cut(look, area)
    if not picture.size:
        return np.zeros((0, 0), np.bool_)
    ink = marked(picture)
    return ink[_between(ink.mean(axis=1)), :][:, _between(ink.mean(axis=0))]


def _between(shares: NDArray[np.floating[Any]]) -> slice:
    """The longest stretch of rows or columns between those of the frame."""
    frame = [-1, *np.flatnonzero(shares > _FRAME).tolist(), len(shares)]
    gaps = [(end - start, start + 1, end) for start, end in itertools.pairwise(frame)]
    _, start, end = max(gaps)
    return slice(start, end)


def _cursor(ink: Ink) -> Rect | None:
    """The block at the end of the last line: as high as a line and as wide as a letter."""
    written = np.flatnonzero(ink.any(axis=1))
    if not written.size:
        return None
    last = int(written[-1])
    columns = np.flatnonzero(ink[last])
    left = right = int(columns[-1])
    while left and ink[last, left - 1]:
        left -= 1
    top = last
    while top and ink[top - 1, left : right + 1].all():
        top -= 1
    found = Rect(left, top, right - left + 1, last - top + 1)
    fits = _LEAST_WIDTH <= found.width < found.height >= _LEAST_HEIGHT
    return found if fits else None


def _rows(line: Ink, cursor: Rect, letters: int) -> int:
    """Over how many rows a command of so many letters goes that begins behind a prompt; 0 when the line is not so long."""
    right = int(np.flatnonzero(line.any(axis=0))[-1]) + 1
    wide = line.shape[1] // cursor.width
    before = cursor.x // cursor.width
    if before + letters > wide - _OFF:
        full = right > line.shape[1] - 3 * cursor.width
        return -(-(before + letters) // wide) if full else 0
    return int(abs(right - cursor.x - letters * cursor.width) <= _OFF * cursor.width)
