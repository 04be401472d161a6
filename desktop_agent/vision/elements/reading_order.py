"""Sorts things on a screen into reading order."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeVar

from desktop_agent.protocol.geometry import Rect

T = TypeVar("T")


def in_rows(placed: Iterable[tuple[Rect, T]]) -> list[T]:
    """The things by their bounds in rows from top to bottom, each row from left to right.

    A row is everything whose top lies above the middle of the row's topmost thing.
    """
    left = sorted(placed, key=lambda each: each[0].y)
    ordered: list[T] = []
    while left:
        middle = max(left[0][0].center.y, left[0][0].y + 1)
        row = [each for each in left if each[0].y < middle]
        left = left[len(row) :]
        ordered += [thing for _, thing in sorted(row, key=lambda each: each[0].x)]
    return ordered
