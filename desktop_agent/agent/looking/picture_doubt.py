"""Tells why a picture cannot be what the rest of a look says: it is blank, or of other windows than the tree tells of."""

from __future__ import annotations

from collections.abc import Collection

from desktop_agent.agent.looking.privacy_filter import FilteredLook
from desktop_agent.vision.capture.frame import Frame
from desktop_agent.vision.capture.masks import PRIVATE

BYTES = 4
STEP = 7
"""Every so many pixels one is looked at, which no pattern of a screen follows."""
NEARLY = 0.9995
BLANK = (
    "it was blank, in one colour, though windows are open: a lock screen or a screen saver may cover them, or the system "
    "may not let this screen be seen"
)
OTHER_WINDOWS = (
    "the windows changed while it was taken, and it shows others than the elements below belong to"
)


def doubt(seen: FilteredLook) -> str:
    """Why the picture of a look is not to be trusted, in words after "because"; "" when nothing speaks against it."""
    if seen.titles and is_blank(seen.raw_frame):
        return BLANK
    return OTHER_WINDOWS if _of_others(seen) else ""


def is_blank(frame: Frame) -> bool:
    """Is it all one colour, or nearly (a pointer or a clock may be on it)?"""
    import numpy as np  # loaded after the window shows

    pixels = np.frombuffer(frame.pixels, np.uint32)[::STEP]
    return bool(pixels.size and np.count_nonzero(pixels == np.median(pixels)) >= NEARLY * pixels.size)


def _of_others(seen: FilteredLook) -> bool:
    """Do most elements belong to windows that are not there any more, by the list that was read with the picture?"""
    told: Collection[str] = [each.window for each in seen.elements if each.source == "tree" and each.window]
    gone = [each for each in told if each not in seen.titles and each != PRIVATE]
    return len(gone) * 2 > len(told)
