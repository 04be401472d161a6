"""Finds a terminal's cursor among its cells: a block, a bar before a character or a line under one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from desktop_agent.vision.terminal_text.cell_classifier import CellInk, CellReading
from desktop_agent.vision.terminal_text.cell_grid import CellGrid


def find(seen: CellInk, reading: CellReading, letters: list[str], grid: CellGrid) -> tuple[int, int] | None:
    """(row, column) of the cursor, None where none is seen.

    Changes `letters` where the cursor itself was read as one.
    """
    return None
