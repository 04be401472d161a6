"""Doing something with somebody's message: in its row of the list where that can be, else with it open."""

from __future__ import annotations

from collections.abc import Sequence

from desktop_agent.llm.offline.boxes import is_editable
from desktop_agent.llm.offline.cards import card, content, controls, named
from desktop_agent.llm.offline.intents import Mail
from desktop_agent.llm.offline.likeness import likeness
from desktop_agent.llm.offline.moves import Act, Move, Question, Reached
from desktop_agent.llm.offline.policies.reaching import into, nudge, pointed
from desktop_agent.llm.offline.policies.seeking import seek
from desktop_agent.llm.offline.scene import Scene
from desktop_agent.protocol import ops
from desktop_agent.vision.observation import Element

_NAMES: dict[str, tuple[str, ...]] = {
    "delete": ("trash", "delete", "bin", "remove", "discard", "garbage"),
    "star": ("star", "important", "favorite", "favourite", "flag", "mark as important", "bookmark"),
    "reply": ("reply", "respond", "answer"),
    "forward": ("forward", "fwd"),
}
_SEND = ("send", "submit")
_DO = {"reply": "answer", "star": "mark"}
_SAID = {"delete": "deleted", "star": "marked", "reply": "answered", "forward": "forwarded", "open": "opened"}


def mail(intent: Mail, scene: Scene) -> Move:
    """One step further: find it, open it, press what is to be pressed, write, send."""
    if scene.trouble:
        return Question(f"I could not go on with that message: {scene.trouble.detail} What shall I do?")
    stage = scene.memo.get("stage", "")
    if stage == "sent":
        return Reached(f"The message from {intent.sender} is {_SAID[intent.verb]}.")
    things = content(scene.sight)
    if stage == "writing":
        return _write(intent, things, scene)
    return _press(intent, things, scene)


def _press(intent: Mail, things: Sequence[Element], scene: Scene) -> Move:
    """The verb's control: in the sender's row, or anywhere once the message is open."""
    wanted = controls(things, _NAMES.get(intent.verb, ()))
    opened = bool(scene.memo.get("opened"))
    for sender in named(things, intent.sender):
        mine = card(sender, wanted, things) if wanted and not opened else []
        if mine:
            return _pressed(intent, mine[0], things, scene)
    if opened and intent.verb == "open":
        return Reached(f"The message from {intent.sender} is open.")
    if opened and wanted:
        return _pressed(intent, wanted[0], things, scene)
    if opened:
        further = scene.wait(4) or seek(scene, things, "I look for the end of the message.")
        return further or Question(
            f"The message is open, but I see nothing to {_DO.get(intent.verb, intent.verb)} it with. What shall I press?"
        )
    return _open(intent, things, scene)


def _pressed(intent: Mail, control: Element, things: Sequence[Element], scene: Scene) -> Act:
    moved = nudge(scene, control, things) or pointed(scene, control)
    if moved is not None:
        return moved
    scene.memo["stage"] = "writing" if intent.verb in ("reply", "forward") else "sent"
    return Act((scene.click(control),), f"I press “{control.name}” for the message from {intent.sender}.")


def _open(intent: Mail, things: Sequence[Element], scene: Scene) -> Move:
    senders = named(things, intent.sender)
    if senders:
        moved = nudge(scene, senders[0], things)
        if moved is not None:
            return moved
        scene.memo["opened"] = "yes"
        scene.memo["nudges"] = "0"
        return Act((scene.click(senders[0]),), f"I open the message from {intent.sender}.")
    looking = seek(scene, things, f"I look for the message from {intent.sender}.")
    return looking or Question(f"I see no message from {intent.sender}. Whose message do you mean?")


def _write(intent: Mail, things: Sequence[Element], scene: Scene) -> Move:
    text = intent.to if intent.verb == "forward" else intent.text
    if scene.done(ops.Type, lambda op: op.text == text):
        return _send(things, scene)
    box = _box(intent, things, scene)
    if box is None:
        return scene.wait(4) or Question("I see no box to write into. Where shall I write?")
    return into(scene, box) or Act((ops.Type(text),), f"I write “{text[:60]}”.")


def _box(intent: Mail, things: Sequence[Element], scene: Scene) -> Element | None:
    """For a receiver the box called "to", for a text the largest box."""
    boxes = [e for e in things if is_editable(e)]
    if intent.verb == "reply":
        return max(
            boxes, key=lambda e: ("multiline" in e.states, e.bounds.height * e.bounds.width), default=None
        )
    labelled = [e for e in boxes if any(_receiver(each) for each in (e.name, *scene.sight.labels(e)))]
    lines = [e for e in boxes if "multiline" not in e.states]
    return next(iter((*labelled, *lines)), None)


def _receiver(label: str) -> bool:
    bare = label.strip().rstrip(":")
    return (
        max(
            likeness(each, bare, exact=True)
            for each in ("to", "recipient", "recipients", "send to", "forward to")
        )
        >= 84
    )


def _send(things: Sequence[Element], scene: Scene) -> Move:
    found = controls(things, _SEND)
    if not found:
        return scene.wait(2) or Question(
            "I have written it, but I see nothing to send it with. What shall I press?"
        )
    scene.memo["stage"] = "sent"
    return Act((scene.click(found[0]),), "I send it.")
