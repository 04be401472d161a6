"""Entering a line: type it, see that it is there, then press Enter."""

from __future__ import annotations

from desktop_agent.extras.offline.llm.offline.moves import Act
from desktop_agent.extras.offline.llm.offline.scene import Scene
from desktop_agent.llm.base import Deed
from desktop_agent.protocol import ops
from desktop_agent.vision.observation import Element

ENTER = ops.KeyCombo(("enter",))


def entered(scene: Scene) -> list[Deed]:
    """The times Enter was pressed for this intent."""
    return scene.done(ops.KeyCombo, lambda op: op == ENTER)


def enter(box: Element | None, text: str, scene: Scene, note: str) -> Act | None:
    """The next act until a line is entered; None once Enter was pressed (or the box went by itself).

    Typing and Enter go in different turns: an application that has just come up may lose keys.
    """
    typed = scene.done(ops.Type, lambda op: op.text == text)
    if entered(scene) or (typed and box is None):
        return None
    if box is None:
        return Act((ops.Type(text), ENTER), note)
    if not typed:
        return scene.approach(box, note) or Act(scene.overtype(box, text), note)
    if _shows(box, text):
        return Act((ENTER,))
    waiting = scene.wait(2)
    if waiting:
        return waiting
    if len(typed) < 2:
        again = (scene.click(box), ops.KeyCombo(("ctrl", "a")), ops.Type(text))
        return Act(again, "Not all of it has arrived, so I type it again.")
    return Act((ENTER,))


def _shows(box: Element, text: str) -> bool:
    """Does the box show the line (completed or not), or can it not be told?"""
    if box.source != "tree" or "password" in box.states:
        return True
    return "".join(text.lower().split()) in "".join(box.value.lower().split())
