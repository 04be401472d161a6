"""The order in which a person reads what lies on a screen."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeVar

from desktop_agent.protocol.geometry import Rect

T = TypeVar("T")


def in_rows(placed: Iterable[tuple[Rect, T]]) -> list[T]:
    """From top to bottom in rows, each row from left to right.

    A row is what begins above the middle of the first thing in it.
    """
    left = sorted(placed, key=lambda each: each[0].y)
    ordered: list[T] = []
    while left:
        middle = max(left[0][0].center.y, left[0][0].y + 1)
        row = [each for each in left if each[0].y < middle]
        left = left[len(row) :]
        ordered += [thing for _, thing in sorted(row, key=lambda each: each[0].x)]
    return ordered
