"""Saving: the keys that save, the file dialog, and the question whether to replace a file."""

from __future__ import annotations

import re

from desktop_agent.extras.offline.llm.offline.intents import Click, Phrase, Save
from desktop_agent.extras.offline.llm.offline.likeness import likeness
from desktop_agent.extras.offline.llm.offline.moves import Act, Instead, Move, Question, Reached
from desktop_agent.extras.offline.llm.offline.policies.filing import names_it
from desktop_agent.extras.offline.llm.offline.roles import ROLES
from desktop_agent.extras.offline.llm.offline.scene import Scene
from desktop_agent.protocol import ops
from desktop_agent.vision.observation import Element

_SAVE_KEYS = (("ctrl", "shift", "s"), ("ctrl", "s"))
_REPLACES = re.compile(r"already exists|overwrite|replace (?:it|the|this)|do you want to replace", re.I)
_FILE_FIELD = re.compile(r"^(?:file ?)?name$|file name|save as|^location$", re.I)
_UNSAVED = re.compile(r"^\W*[*•●]|[*•●]\W*$|[*•●]\s+[-–—]\s|[\[(](?:modified|changed|\+)[\])]", re.I)
"""Marks in the title of a window whose text is not as it was saved."""
_TROUBLE = re.compile(
    r"could not|cannot|can't|failed|error|permission denied|no such|not permitted|denied", re.I
)


def save(intent: Save, scene: Scene) -> Move:
    """Save what is in front; with a name through the "save as" dialog, done when it has gone.

    On a page, what saves is its own button: the keys would keep a copy of the page and send nothing.
    """
    if scene.sight.sort == "browser" and not (intent.name or intent.folder or scene.active_turns):
        return _save_on_page(scene)
    if scene.trouble:
        return Question(f"I could not save: {scene.trouble.detail} How shall I go on?")
    asked = _replacing(scene)
    if asked is not None:
        return _replace(asked, scene)
    trouble = _trouble_shown(scene)
    if trouble:
        # What is read in the picture of a dialog that is just coming up may be half of it.
        read = any(each.source == "ocr" for each in scene.sight.front)
        return (scene.wait(3) if read else None) or Question(
            f"It was not saved. I read: “{trouble}” Where shall I save it, or how shall I go on?"
        )
    message = message_button(scene)
    if message is not None and not _entered(scene):
        return Act((scene.click(message),), "A message is in the way, so I close it.")
    field = name_field(scene)
    if field is not None:
        return _name_it(intent, field, scene)
    if _entered(scene):
        return _saved(intent, scene)
    if not (intent.name or intent.folder):
        return _save_plainly(scene)
    return _ask_for_dialog(scene)


def _save_on_page(scene: Scene) -> Move:
    buttons = [each for each in scene.sight.on_page(scene.sight.front) if each.role in ROLES["button"]]
    names = sorted({each.name for each in buttons if re.match(r"save\b", each.name, re.I)})
    if len(names) == 1:
        return Instead((Click(Phrase(names[0], quoted=True, spoken=names[0])),))
    said = "several buttons that save" if names else "nothing that saves"
    return scene.wait(3) or Question(f"I see {said} on this page. What shall I press?", tuple(names))


def name_field(scene: Scene) -> Element | None:
    """The field for the file's name, when a file dialog is in front."""
    titled = re.match(r"save\b", scene.look.window, re.I) is not None and scene.sight.sort != "browser"
    buttons = (e for e in scene.sight.front if e.role in ROLES["button"])
    if not titled and not any(likeness("save", e.name) >= 80 for e in buttons):
        return None  # with such a title the button may be out of sight, behind another window
    dialog = scene.sight.dialog is not None or titled
    boxes = [each for each in scene.sight.editable if "multiline" not in each.states]
    named = [
        e
        for e in boxes
        if any(_FILE_FIELD.search(label) for label in (e.name, *scene.sight.labels(e)) if label)
    ]
    focused = [e for e in boxes if "focused" in e.states]
    return next(iter(named or focused or boxes), None) if dialog else None


def _name_it(intent: Save, field: Element, scene: Scene) -> Move:
    name = intent.name or _name_in(scene.answer) or (field.value if intent.folder else "")
    if not name:
        return Question("Under which name shall I save it?")
    scene.memo["name"] = name
    path = scene.path(intent.folder, name) if intent.folder else name
    if field.value != path and len(scene.done(ops.Type, lambda op: op.text == path)) < 2:
        note = f"A dialog asks for the name. I save it as {path}."
        return scene.approach(field, note) or Act((ops.KeyCombo(("ctrl", "a")), ops.Type(path)), note)
    if not scene.done(ops.KeyCombo, lambda op: op.keys == ("enter",)):
        return Act((ops.KeyCombo(("enter",)),))
    waiting = scene.wait(2)
    if waiting:
        return waiting
    button = _button_to_save(scene)
    if button is not None and not scene.clicks(button.name):
        return Act((scene.click(button),), "The dialog is still there, so I press its Save button.")
    return Question("I gave the name, but the dialog stays open. How shall I go on?")


def message_button(scene: Scene) -> Element | None:
    """The button of a message in front that has only one."""
    dialog = scene.sight.dialog
    if dialog is None or dialog.role not in ("alert", "dialog") or scene.sight.editable:
        return None
    buttons = [e for e in scene.sight.front if e.role in ROLES["button"] and scene.sight.is_inside(e, dialog)]
    return (
        buttons[0]
        if len(buttons) == 1 and re.match(r"_?(?:ok|close|dismiss)", buttons[0].name, re.I)
        else None
    )


def _button_to_save(scene: Scene) -> Element | None:
    buttons = [e for e in scene.sight.front if e.role in ROLES["button"]]
    return max(
        (e for e in buttons if likeness("Save", e.name) >= 80),
        key=lambda e: likeness("Save", e.name),
        default=None,
    )


def _trouble_shown(scene: Scene) -> str:
    """What a message in front says when saving went wrong."""
    if not _entered(scene) or name_field(scene) is not None:
        return ""
    texts = [e.name for e in scene.sight.front if e.role in ("label", "alert", "static") and e.name]
    return " ".join(texts[:4])[:400] if any(_TROUBLE.search(each) for each in texts) else ""


def _entered(scene: Scene) -> bool:
    return any(scene.done(ops.Type)) or bool(scene.clicks())


def _saved(intent: Save, scene: Scene) -> Move:
    """The dialog has gone: the window in front tells the name, and nothing that is not saved."""
    name = intent.name or scene.memo.get("name", "") or _name_in(scene.answer)
    title = scene.look.window
    if names_it(name.rsplit("/", 1)[-1], title) and not _UNSAVED.search(title):
        place = f" in {scene.path(intent.folder)}" if intent.folder else ""
        return Reached(f"It is saved as {name}{place}.", f"Saved as {name}{place}.")
    return scene.wait(3) or Question(
        f"I gave the name {name}, but “{title}” does not show that it was saved. Please look at it. How shall I go on?"
    )


def _save_plainly(scene: Scene) -> Move:
    """By the keys: then the title's mark goes, or at least something changes."""
    pressed = scene.done(ops.KeyCombo)
    if not pressed:
        return Act((ops.KeyCombo(("ctrl", "s")),), "I save it.")
    before = next(iter(scene.windows_at.get(pressed[-1].turn, ())), "")
    marked = _UNSAVED.search(before) is not None
    if marked and not _UNSAVED.search(scene.look.window):
        return Reached("It is saved.", f"“{scene.look.window}” is saved")
    if not marked and pressed[-1].effect in ("changed", "confirmed"):
        return scene.wait(2) or Reached("It is saved.")
    return scene.wait(3) or Question(
        f"I pressed the keys to save, but “{scene.look.window}” does not show that it was saved. How shall I go on?"
    )


def _ask_for_dialog(scene: Scene) -> Move:
    """Bring up the file dialog: one way after the other until it is seen."""
    pressed = [d.op.keys for d in scene.done(ops.KeyCombo) if isinstance(d.op, ops.KeyCombo)]
    if pressed:
        waiting = scene.wait(3)
        if waiting:
            return waiting
    for keys in _SAVE_KEYS:
        if keys not in pressed:
            return Act(
                (ops.KeyCombo(keys),),
                "I save it." if not pressed else "No dialog has come up, so I try another way.",
            )
    return Question(
        "I pressed the keys to save, but no dialog to name the file has come up. How shall I go on?"
    )


# ---- replacing a file ----------------------------------------------------------------------------


def _replacing(scene: Scene) -> str | None:
    """The question whether a file may be replaced, when it is in front."""
    asked = [e.name for e in scene.sight.front if _REPLACES.search(e.name)]
    buttons = [
        e
        for e in scene.sight.front
        if e.role in ROLES["button"] and re.match(r"replace|overwrite|yes", e.name.strip("_"), re.I)
    ]
    return asked[0] if asked and buttons else None


def _replace(asked: str, scene: Scene) -> Move:
    answer = scene.answer.lower()
    if re.match(r"(?:yes|y|ok|okay|sure|replace|overwrite|do it|go ahead)\b", answer):
        return _press(("Replace", "Overwrite", "Yes"), scene)
    if answer:
        return _press(("Cancel", "No"), scene)
    return Question(f"{asked.strip()} Shall I replace it?", ("Yes", "No"))


def _press(names: tuple[str, ...], scene: Scene) -> Move:
    for name in names:
        for each in scene.sight.front:
            if each.role in ROLES["button"] and likeness(name, each.name, exact=True) >= 90:
                return Act((scene.click(each),), f"I press “{each.name}”.")
    return Question("I do not see the button for that. Which one shall I press?")


def _name_in(answer: str) -> str:
    """A file's name in an answer: "call it notes.txt" → notes.txt."""
    literal = re.sub(r"^(?:(?:call|name) it|save it as|as|under|use)\s+", "", answer.strip(), flags=re.I)
    return "" if re.fullmatch(r"(?:yes|no|ok|okay)\.?", literal, re.I) else literal.strip("\"'“” ")
