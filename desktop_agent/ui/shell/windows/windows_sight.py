"""Tells which points of the screen show this window (Windows)."""

from __future__ import annotations

from collections.abc import Sequence

from desktop_agent.protocol.geometry import Point


def is_at(window: int, points: Sequence[Point]) -> list[bool]:
    """For each point of the screen, whether the window is in front there; none is on another virtual desktop."""
    from desktop_agent.platforms.windows.user32 import User32

    user = User32()
    return [user.window_at(each) == window for each in points]
