"""Making and renaming folders and files in a file manager."""

from __future__ import annotations

import re
from pathlib import PurePath

from desktop_agent.extras.offline.llm.offline.intents import CreateFolder, Delete, Phrase, Rename
from desktop_agent.extras.offline.llm.offline.likeness import likeness
from desktop_agent.extras.offline.llm.offline.moves import Act, Move, Question, Reached
from desktop_agent.extras.offline.llm.offline.policies.filing import (
    is_item,
    location,
    shows_folder,
    shows_item,
)
from desktop_agent.extras.offline.llm.offline.policies.locate import locate, spoken
from desktop_agent.extras.offline.llm.offline.policies.opening import need
from desktop_agent.extras.offline.llm.offline.roles import ROLES
from desktop_agent.extras.offline.llm.offline.scene import Scene
from desktop_agent.protocol import ops
from desktop_agent.vision.observation import Element

_EXISTS = re.compile(r"already exists|exists already|file exists|same name", re.I)
_DELETES = re.compile(r"\b(?:delete|trash|erase|remove)\b.*\?", re.I | re.S)
_NEW_KEYS = (("ctrl", "shift", "n"), ("f10",))
_ITEMS = ROLES["item"] | ROLES["icon"]


def create_folder(intent: CreateFolder, scene: Scene) -> Move:
    """Have the file manager show the place, call up its new-folder dialog, give the name, see the folder."""
    if not intent.name:
        return Question("What shall the folder be called?")
    typed = scene.done(ops.Type, lambda op: op.text == intent.name)
    field = _dialog_field(scene)
    if not typed and field is None:
        ready = shows_folder(intent.folder, scene) if intent.folder else need("files", scene)
        if ready is not None:
            return ready
    if scene.trouble:
        return Question(f"I could not make the folder: {scene.trouble.detail} How shall I go on?")
    exists = next((e.name for e in scene.sight.front if _EXISTS.search(e.name)), "")
    if exists:
        return Question(f"The folder was not made: “{exists}” What shall I do?")
    if typed:
        return _made(intent, field, scene)
    if field is not None:
        keys = (ops.KeyCombo(("ctrl", "a")), ops.Type(intent.name), ops.KeyCombo(("enter",)))
        note = f"I call the folder “{intent.name}”."
        return scene.approach(field, note) or Act(keys, note)
    return _call_dialog(scene)


def _dialog_field(scene: Scene) -> Element | None:
    """The box for the new name, in a dialog of the file manager or in place."""
    if not any(isinstance(d.op, ops.KeyCombo | ops.ClickElement) for d in scene.deeds):
        return None
    boxes = [e for e in scene.sight.editable if not e.value.startswith("/") and "multiline" not in e.states]
    inside = scene.sight.dialog is not None or re.search(
        r"new|create|folder|directory", scene.look.window, re.I
    )
    focused = [e for e in boxes if "focused" in e.states]
    return next(iter(focused or boxes), None) if inside else None


def _call_dialog(scene: Scene) -> Move:
    pressed = [d.op.keys for d in scene.done(ops.KeyCombo) if isinstance(d.op, ops.KeyCombo)]
    if scene.active_turns and pressed:
        waiting = scene.wait(3)
        if waiting:
            return waiting
    for keys in _NEW_KEYS:
        if keys not in pressed:
            return Act(
                (ops.KeyCombo(keys),),
                "I make a new folder." if not pressed else "No dialog has come up, so I try another way.",
            )
    return Question("I pressed the keys for a new folder, but no dialog has come up. How shall I go on?")


def _made(intent: CreateFolder, field: Element | None, scene: Scene) -> Move:
    """See the folder there."""
    gone = field is None
    if gone and shows_item(intent.name, scene):
        place = f" in {location(scene) or intent.folder}" if intent.folder else ""
        return Reached(f"I see the folder “{intent.name}”.", f"The folder “{intent.name}” is there{place}.")
    waiting = scene.look_closer(3)
    if waiting:
        return waiting
    if gone:
        return Question(
            f"I gave the folder the name “{intent.name}”, but I do not see it there. How shall I go on?"
        )
    button = next(
        (
            e
            for e in scene.sight.front
            if (e.role in ROLES["button"] and likeness("OK", e.name) >= 80)
            or likeness("Create", e.name) >= 90
        ),
        None,
    )
    if button is not None and not scene.clicks(button.name):
        return Act((scene.click(button),), f"The dialog is still there, so I press “{button.name}”.")
    return Question("I gave the name, but the dialog stays open. How shall I go on?")


def delete(intent: Delete, scene: Scene) -> Move:
    """Select it, press Delete, and say yes to the file manager's own question about just that."""
    name = spoken(intent.what)
    if not scene.done(ops.KeyCombo):
        going = shows_folder(intent.folder, scene)
        if going is not None:
            return going
    if scene.trouble:
        return Question(f"I could not delete “{name}”: {scene.trouble.detail} How shall I go on?")
    if scene.done(ops.KeyCombo):
        asked = next((e.name for e in scene.sight.front if _DELETES.search(e.name)), "")
        yes = next(
            (
                e
                for e in scene.sight.front
                if e.role in ROLES["button"] and re.match(r"_?(yes|ok|delete|trash|move)", e.name, re.I)
            ),
            None,
        )
        if asked and yes is not None and not scene.clicks(yes.name):
            return Act(
                (scene.click(yes),), f"It asks “{asked.strip()}”, and I press “{yes.name}”, as you said so."
            )
        seen = scene.sight.sort == "files" and scene.sight.dialog is None
        if seen and not shows_item(scene.memo.get("deleted", name), scene):
            return Reached(f"“{name}” is deleted.", f"Deleted “{name}”.")
        return scene.wait(3) or Question(f"I pressed Delete, but “{name}” is still there. How shall I go on?")
    found = locate(scene, intent.what, allow=is_item)
    if isinstance(found, Act | Question):
        return found
    scene.memo["deleted"] = found.name
    return Act((scene.click(found), ops.KeyCombo(("delete",))), f"I delete “{found.name}”.")


def rename(intent: Rename, scene: Scene) -> Move:
    """Select the file, press F2, type the name."""
    if scene.done(ops.Type):
        if shows_item(intent.name, scene) and not shows_item(intent.what, scene):
            return Reached(f"I see “{intent.name}”.", f"“{intent.what}” is called “{intent.name}” now.")
        return scene.look_closer(3) or Question(
            f"I gave “{intent.what}” the name “{intent.name}”, but I do not see that it is called so. How shall I go on?"
        )
    if not scene.done(ops.KeyCombo):
        going = shows_folder(intent.folder, scene)
        if going is not None:
            return going
    if scene.trouble:
        return Question(f"I could not rename “{intent.what}”: {scene.trouble.detail} How shall I go on?")
    if scene.done(ops.KeyCombo):
        keys = (ops.KeyCombo(("ctrl", "a")), ops.Type(intent.name), ops.KeyCombo(("enter",)))
        return scene.wait(1) or Act(keys, f"I call it “{intent.name}”.")
    exact = bool(intent.folder or PurePath(intent.what).suffix)
    found = locate(scene, Phrase(intent.what, quoted=exact, spoken=intent.what), allow=is_item)
    if isinstance(found, Act | Question):
        return found
    return Act((scene.click(found), ops.KeyCombo(("f2",))), f"I rename “{found.name}”.")
