"""Finding something out by reading, to use it in a later step, and filling in a form from what is read."""

from __future__ import annotations

from desktop_agent.llm.offline.boxes import is_editable
from desktop_agent.llm.offline.cards import content
from desktop_agent.llm.offline.intents import FillFromTable, FindOut
from desktop_agent.llm.offline.moves import Act, Move, Question, Reached
from desktop_agent.llm.offline.passages import meant, part
from desktop_agent.llm.offline.policies.locate import spoken
from desktop_agent.llm.offline.policies.reaching import into
from desktop_agent.llm.offline.policies.seeking import seek
from desktop_agent.llm.offline.scene import Scene
from desktop_agent.llm.offline.tables import value_of
from desktop_agent.protocol import ops
from desktop_agent.vision.observation import Element


def find_out(intent: FindOut, scene: Scene) -> Move:
    """Read it and remember it; look further and ask when it is not there."""
    found = _value(intent, scene) if intent.unit == "value" else _part(intent, scene)
    name = intent.where.spoken or intent.where.name
    if found is not None:
        return Reached(f"I read “{_short(found)}”.", f"{name}: {_short(found)}", found)
    things = content(scene.sight)
    waiting = scene.wait(2) or seek(scene, things, f"I look for “{name}”.")
    return waiting or Question(f"I cannot read the {intent.unit} of “{spoken(intent.where)}”. What is it?")


def _value(intent: FindOut, scene: Scene) -> str | None:
    things = content(scene.sight)
    name = scene.answer or intent.where.spoken or intent.where.name
    return value_of(name, things)


def _part(intent: FindOut, scene: Scene) -> str | None:
    passage = meant(intent.where, content(scene.sight))
    if passage is None:
        return None
    return passage.text if intent.unit == "text" else part(passage.text, intent.unit, intent.ordinal)


def fill_from_table(intent: FillFromTable, scene: Scene) -> Move:
    """Enter into each empty box what stands beside its label elsewhere."""
    del intent
    things = content(scene.sight)
    boxes = [e for e in things if is_editable(e) and not e.value]
    for box in boxes:
        text = _for(box, things, scene)
        if text is not None:
            going = into(scene, box, f"I enter “{_short(text)}”.")
            typed = [d for d in scene.done(ops.Type) if d.turn >= scene.turn - 1]
            return going or (scene.wait(1) if typed else None) or Act((ops.Type(text),))
    if scene.done(ops.Type):
        return Reached("The form is filled in.")
    return scene.wait(2) or Question(
        "I see no empty box with a label whose value I can read. What goes where?"
    )


def _for(box: Element, things: tuple[Element, ...], scene: Scene) -> str | None:
    for label in (box.name, *scene.sight.labels(box)):
        others = [
            e for e in things if e is not box and e.name.strip(" :") and not e.name.rstrip().endswith(":")
        ]
        found = value_of(label.strip(" :"), others) if label.strip(" :") else None
        if found:
            return found
    return None


def _short(text: str) -> str:
    return text if len(text) <= 60 else text[:59] + "…"
