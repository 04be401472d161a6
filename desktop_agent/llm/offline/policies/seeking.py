"""Scrolling in search of something that is in a list or on a page, but not in sight."""

from __future__ import annotations

from collections.abc import Sequence

from desktop_agent.llm.offline.moves import Act
from desktop_agent.llm.offline.policies.reaching import SETTLE, middle, stands_still
from desktop_agent.llm.offline.scene import Scene
from desktop_agent.protocol import ops
from desktop_agent.vision.observation import Element

_A_NOTCH = 120
"""Pixels that a notch scrolls at most; what comes into sight has to overlap with what was seen."""
_MAX_TURNS = 14


def seek(scene: Scene, things: Sequence[Element], note: str = "", *, back: bool = True) -> Act | None:
    """Turn the wheel over the things, down to the end and then once back to the top; None when all was seen."""
    turned = [d for d in scene.deeds if isinstance(d.op, ops.Scroll) and d.outcome == "done"]
    if not things or not scene.can("scroll") or len(turned) >= _MAX_TURNS:
        return None
    end = stands_still(scene)
    if any(isinstance(d.op, ops.Scroll) and d.op.dy > 0 for d in turned) or (end and not back):
        return None
    at = middle(scene, things)
    return Act((ops.Scroll(0, 100 if end else -_step(things), at.x, at.y), SETTLE), "" if turned else note)


def _step(things: Sequence[Element]) -> int:
    height = max(e.bounds.bottom for e in things) - min(e.bounds.y for e in things)
    return max(1, min(5, height // (2 * _A_NOTCH)))
