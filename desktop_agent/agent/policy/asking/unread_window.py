"""Compares pictures of a window whose text cannot be read: the question above its prompt is only to be seen."""

from __future__ import annotations

from dataclasses import dataclass

from desktop_agent.protocol.geometry import Rect, Size
from desktop_agent.targets.base import Target

CELL = Size(24, 40)
"""Pixels within which a text cursor comes and goes, or turns from a block into a frame."""
NOISE = 16
"""Of 255, in one colour channel: smaller differences come from anti-aliasing."""
CHANGED = "Changed since you said yes: the window shows something else now, and its text cannot be read. Look again."


@dataclass(frozen=True)
class WindowPicture:
    """The window with the keyboard as it shows, and the parts of it that lie below other windows."""

    area: Rect
    pixels: bytes
    covered: tuple[Rect, ...]

    def still_shows(self, now: WindowPicture | None) -> bool:
        """True when both show the same but for a text cursor, wherever neither is covered."""
        if now is None or now.area != self.area:
            return False
        import numpy as np  # the window is up before this is loaded

        shape = (self.area.height, self.area.width, 4)
        one, other = (
            np.frombuffer(each.pixels, np.uint8).reshape(shape)[:, :, :3].astype(np.int16)
            for each in (self, now)
        )
        different = (np.abs(one - other) > NOISE).any(axis=2)
        for cover in (*self.covered, *now.covered):
            part = cover.intersection(self.area)
            left, top = part.x - self.area.x, part.y - self.area.y
            different[top : top + part.height, left : left + part.width] = False
        rows, columns = np.flatnonzero(different.any(axis=1)), np.flatnonzero(different.any(axis=0))
        if not len(rows):
            return True
        return bool(rows[-1] - rows[0] < CELL.height and columns[-1] - columns[0] < CELL.width)


def picture_of_focus(target: Target) -> WindowPicture | None:
    """The window that has the keyboard now; None when there is none. Raises TargetError."""
    window = target.focused_window()
    area = window.bounds.intersection(target.geometry().bounds) if window is not None else Rect(0, 0, 0, 0)
    if area.empty:
        return None
    scene = target.scene()
    stack, focus = (scene.stack, scene.focus) if scene is not None else ((), 0)
    ids = [each.id for each in stack]
    in_front = stack[: ids.index(focus)] if focus in ids else ()
    frame = target.observe(area)
    return WindowPicture(frame.region, frame.pixels, tuple(part for each in in_front for part in each.areas))
