"""Finds a terminal's cursor among its cells: a block, a bar before a character or a line under one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from desktop_agent.vision.terminal_text.cell_classifier import CellInk, CellReading
from desktop_agent.vision.terminal_text.cell_grid import CellGrid

if TYPE_CHECKING:
    from numpy.typing import NDArray

_OTHER_GROUND, _LEAST_GROUND = 0.45, 45.0
"""By how much a block stands off from what is behind the cells beside it: a share of the writing's contrast, and shades."""
_BAR_WIDTH, _LINE_HEIGHT = 0.3, 0.2
_STANDS_OUT = 0.8


def find(seen: CellInk, reading: CellReading, letters: list[str], grid: CellGrid) -> tuple[int, int] | None:
    """(row, column) of the cursor, None where none is seen; of several the lowest.

    Changes `letters` where the cursor itself was read as a character.
    """
    for look in (_block, _strokes):
        found = look(seen, reading, letters, grid)
        if found is not None:
            row, column = divmod(found, grid.columns)
            return row, column
    return None


def _block(seen: CellInk, reading: CellReading, _letters: list[str], grid: CellGrid) -> int | None:
    """The last cell that alone has another ground than the cells on both sides of it."""
    import numpy as np

    ground = seen.ground.reshape(grid.rows, grid.columns, 3)
    padded = np.pad(ground, ((0, 0), (1, 1), (0, 0)), mode="reflect")
    left = np.linalg.norm(ground - padded[:, :-2], axis=2)
    right = np.linalg.norm(ground - padded[:, 2:], axis=2)
    beside = np.linalg.norm(padded[:, :-2] - padded[:, 2:], axis=2)
    alone = (np.minimum(left, right) > max(_LEAST_GROUND, _OTHER_GROUND * reading.usual)) & (
        beside < 0.4 * np.minimum(left, right)
    )
    # A character that fills most of its cell has a mixed colour for ground; a block reaches to the cell's ends.
    raw = seen.ink.reshape(-1, grid.cell[1], grid.cell[0])
    ends = (raw[:, :2].mean((1, 2)) + raw[:, -2:].mean((1, 2))) / 2
    middle = (np.percentile(raw, 2, axis=(1, 2)) + np.percentile(raw, 98, axis=(1, 2))) / 2
    even = raw.std((1, 2)) < 0.2 * np.minimum(left, right).ravel()
    filled = (even | (ends < middle)).reshape(alone.shape)
    # The picture's border shows what is beside the screen, so a cell there is none when it has one neighbour only.
    alone[:, [0, -1]] &= (reading.best.reshape(alone.shape)[:, [1, -2]] >= 0) if grid.columns > 2 else False
    found = np.flatnonzero((alone & filled).ravel())
    return int(found[-1]) if len(found) else None


def _strokes(seen: CellInk, reading: CellReading, letters: list[str], grid: CellGrid) -> int | None:
    """The last bar at a cell's left edge or line along its bottom that belongs to no character."""
    import numpy as np

    width, height = grid.cell
    usual = (
        float(np.percentile(reading.contrast[reading.best >= 0], 50)) if (reading.best >= 0).any() else 60.0
    )
    raw = seen.ink.reshape(-1, height, width)
    columns, rows = raw.mean(1), raw.mean(2)
    bar = _alone(columns, max(1, round(_BAR_WIDTH * width)), usual)
    line = _alone(rows[:, ::-1], max(1, round(_LINE_HEIGHT * height)), usual)
    # A line at the bottom may be an underscore: the cursor stands after the last character, and after a blank.
    found = []
    for number in np.flatnonzero(bar | line):
        row, column = divmod(int(number), grid.columns)
        after = letters[number + 1 : (row + 1) * grid.columns]
        if any(each != " " for each in after):
            continue
        if (bar[number] and letters[number] in " |│[l1I‘’'!") or (
            line[number] and letters[number] in " _." and (column == 0 or letters[number - 1] == " ")
        ):
            found.append(int(number))
    if not found:
        return None
    letters[found[-1]] = " "
    return found[-1]


def _alone(profile: NDArray[Any], size: int, usual: float) -> NDArray[Any]:
    """Cells whose ink lies evenly in the first `size` columns or rows and nowhere else."""
    import numpy as np

    rest = np.median(profile[:, size:], axis=1, keepdims=True)
    level = profile - rest
    inside, outside = level[:, :size].max(1), np.abs(level[:, size:]).max(1)
    found: NDArray[Any] = (inside > 0.25 * usual) & (outside < 0.3 * inside)
    return found
