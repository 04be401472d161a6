"""Captures a picture and its windows at one moment, in which no window came, went or moved."""

from __future__ import annotations

from desktop_agent.protocol.geometry import Rect
from desktop_agent.protocol.scene import Scene
from desktop_agent.targets.base import Target
from desktop_agent.vision.capture.frame import Frame

LOOKS = 3
"""Pictures after which moving windows are taken as they are."""


def steady(target: Target, region: Rect | None) -> tuple[Frame, Scene | None]:
    """Captures `region` and which windows are on it; again, up to LOOKS times, while windows change. Raises TargetError."""
    before = target.scene()
    for _ in range(LOOKS):
        frame, after = target.observe(region), target.scene()
        if after == before:
            break
        before = after
    # What never holds still is left to the pixels: they were taken before the windows were asked for.
    return frame, after
