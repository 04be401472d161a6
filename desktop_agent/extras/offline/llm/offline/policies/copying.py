"""Putting the text of a thing on the clipboard."""

from __future__ import annotations

from desktop_agent.extras.offline.llm.offline.boxes import is_editable
from desktop_agent.extras.offline.llm.offline.intents import CopyText
from desktop_agent.extras.offline.llm.offline.moves import Act, Move, Question, Reached
from desktop_agent.extras.offline.llm.offline.policies.locate import locate, spoken
from desktop_agent.extras.offline.llm.offline.scene import Scene
from desktop_agent.protocol import ops

_COPY = (ops.KeyCombo(("ctrl", "a")), ops.KeyCombo(("ctrl", "c")))


def copy_text(intent: CopyText, scene: Scene) -> Move:
    """Click into a box and copy all of it; of other text, mark its paragraph by a triple click."""
    if scene.done(ops.KeyCombo, lambda op: op.keys == ("ctrl", "c")):
        return Reached(result=scene.memo.get("text", ""))
    if scene.trouble:
        return Question(f"I could not copy it: {scene.trouble.detail} How shall I go on?")
    source = locate(scene, intent.what)
    if isinstance(source, Act | Question):
        return source
    scene.memo["text"] = source.value or source.name
    note = f"I copy the text of “{spoken(intent.what)}”."
    if is_editable(source):
        return scene.approach(source, note) or Act(_COPY, note)
    return Act((scene.click(source, count=3), ops.KeyCombo(("ctrl", "c"))), note)
