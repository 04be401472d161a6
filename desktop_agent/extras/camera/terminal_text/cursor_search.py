"""Finds a terminal's cursor among its cells: a block, a bar before a character or a line under one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from desktop_agent.extras.camera.terminal_text.cell_classifier import BLOCK, CellInk, CellReading
from desktop_agent.extras.camera.terminal_text.cell_grid import CellGrid

if TYPE_CHECKING:
    from numpy.typing import NDArray

_OTHER_GROUND, _LEAST_GROUND = 0.45, 45.0
"""By how much a block stands off from what is behind the cells beside it: a share of the writing's contrast, and shades."""
_BAR_WIDTH, _LINE_HEIGHT = 0.3, 0.2


@dataclass(frozen=True)
class CursorMarks:
    """Cells that look like a cursor, True or False for each: as a `block`, or as a `stroke` beside or under a character."""

    block: NDArray[Any]
    stroke: NDArray[Any]


def marks(seen: CellInk, reading: CellReading, letters: NDArray[Any], grid: CellGrid) -> CursorMarks:
    """What may be a cursor in whole rows of cells; each row stands for itself."""
    return CursorMarks(_blocks(seen, reading, letters, grid), _strokes(seen, reading, letters, grid))


def find(block: NDArray[Any], stroke: NDArray[Any]) -> tuple[int, int] | None:
    """(row, column) of the cursor among marks of (rows, columns), None where none is seen; of several the lowest."""
    import numpy as np

    for each in (block, stroke):
        found = np.flatnonzero(each.ravel())
        if len(found):
            row, column = divmod(int(found[-1]), each.shape[1])
            return row, column
    return None


def _blocks(seen: CellInk, reading: CellReading, letters: NDArray[Any], grid: CellGrid) -> NDArray[Any]:
    """Cells that alone have another ground than the cells on both sides of them."""
    import numpy as np

    ground = seen.ground.reshape(-1, grid.columns, 3)
    padded = np.pad(ground, ((0, 0), (1, 1), (0, 0)), mode="reflect")
    left = np.linalg.norm(ground - padded[:, :-2], axis=2)
    right = np.linalg.norm(ground - padded[:, 2:], axis=2)
    beside = np.linalg.norm(padded[:, :-2] - padded[:, 2:], axis=2)
    alone = (np.minimum(left, right) > max(_LEAST_GROUND, _OTHER_GROUND * reading.levels.usual)) & (
        beside < 0.4 * np.minimum(left, right)
    )
    # The picture's border shows what is beside the screen, so a cell there is none when it has one neighbour only.
    alone[:, [0, -1]] &= (reading.best.reshape(alone.shape)[:, [1, -2]] >= 0) if grid.columns > 2 else False
    # A character that fills most of its cell has a mixed colour for ground; a block reaches to the cell's ends.
    chosen = np.flatnonzero(alone)
    raw = seen.ink[chosen].reshape(-1, grid.cell[1], grid.cell[0])
    if len(chosen):
        ends = (raw[:, :2].mean((1, 2)) + raw[:, -2:].mean((1, 2))) / 2
        middle = (np.percentile(raw, 2, axis=(1, 2)) + np.percentile(raw, 98, axis=(1, 2))) / 2
        even = raw.std((1, 2)) < 0.2 * np.minimum(left, right).ravel()[chosen]
        alone.ravel()[chosen] = even | (ends < middle) | (letters[chosen] == BLOCK)
    found: NDArray[Any] = alone.ravel()
    return found


def _strokes(seen: CellInk, reading: CellReading, letters: NDArray[Any], grid: CellGrid) -> NDArray[Any]:
    """Bars at a cell's left edge and lines along its bottom that belong to no character."""
    import numpy as np

    width, height = grid.cell
    usual = 0.9 * reading.levels.usual or 60.0
    # Only after the last character of a row does a bar or a line stand for itself.
    table = letters.reshape(-1, grid.columns)
    written = table != " "
    after = np.cumsum(written[:, ::-1], axis=1)[:, ::-1] - written == 0
    worth = np.isin(table, list(" |│[l1I‘’'!_.")) & after
    chosen = np.flatnonzero(worth & (seen.energy.reshape(worth.shape) > 0.002 * width * height * usual**2))
    found = np.zeros(len(letters), bool)
    if not len(chosen):
        return found
    raw = seen.ink[chosen].reshape(-1, height, width)
    columns, rows = raw.mean(1), raw.mean(2)
    bar = _alone(columns, max(1, round(_BAR_WIDTH * width)), usual)
    line = _alone(rows[:, ::-1], max(1, round(_LINE_HEIGHT * height)), usual)
    # A line at the bottom may be an underscore: the cursor stands after the last character, and after a blank.
    for number, is_bar, is_line in zip(chosen, bar, line, strict=True):
        row, column = divmod(int(number), grid.columns)
        letter = table[row, column]
        found[number] = (is_bar and letter not in "_.") or (
            is_line and letter in " _." and (column == 0 or table[row, column - 1] == " ")
        )
    return found


def _alone(profile: NDArray[Any], size: int, usual: float) -> NDArray[Any]:
    """Cells whose ink lies evenly in the first `size` columns or rows and nowhere else."""
    import numpy as np

    rest = np.median(profile[:, size:], axis=1, keepdims=True)
    level = profile - rest
    inside, outside = level[:, :size].max(1), np.abs(level[:, size:]).max(1)
    found: NDArray[Any] = (inside > 0.25 * usual) & (outside < 0.3 * inside)
    return found
