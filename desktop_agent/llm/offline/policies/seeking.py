"""Scrolling in search of something that is in a list or on a page, but not in sight."""

from __future__ import annotations

from collections.abc import Sequence

from desktop_agent.llm.offline.moves import Act
from desktop_agent.llm.offline.policies.reaching import around
from desktop_agent.llm.offline.scene import Scene
from desktop_agent.protocol import ops
from desktop_agent.vision.observation import Element

_NOTCHES = 2
_MAX_TURNS = 12


def seek(scene: Scene, things: Sequence[Element], note: str = "") -> Act | None:
    """Turn the wheel over the things, down to the end and then once back to the top; None when all was seen."""
    turned = [d for d in scene.deeds if isinstance(d.op, ops.Scroll) and d.outcome == "done"]
    if not things or not scene.can("scroll") or len(turned) >= _MAX_TURNS:
        return None
    if any(isinstance(d.op, ops.Scroll) and d.op.dy > 0 for d in turned):
        return None
    end = bool(turned) and turned[-1].effect == "unchanged"
    at = scene.look.viewport.rect_to_image(around(things)).center
    return Act((ops.Scroll(0, 100 if end else -_NOTCHES, at.x, at.y),), "" if turned else note)
