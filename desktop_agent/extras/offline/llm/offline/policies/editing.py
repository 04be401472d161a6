"""The text that is open: words at its start or end, words replaced, lines deleted."""

from __future__ import annotations

import re

from desktop_agent.extras.offline.llm.offline.intents_desk import DeleteLine, Replace, Undo, WriteAt
from desktop_agent.extras.offline.llm.offline.moves import Act, Move, Question, Reached
from desktop_agent.extras.offline.llm.offline.policies.typing import default_box, shows_text
from desktop_agent.extras.offline.llm.offline.roles import ROLES
from desktop_agent.extras.offline.llm.offline.scene import Scene
from desktop_agent.protocol import ops
from desktop_agent.vision.observation import Element

_TOP, _END = ops.KeyCombo(("ctrl", "home")), ops.KeyCombo(("ctrl", "end"))
_DIALOG_KEYS = (("ctrl", "h"), ("ctrl", "r"))
_MOST_UNDONE = 20
_BREAKS = "line breaks"
_OLD = re.compile(r"(?:search|find)(?: for| what)?|text to find|old", re.I)
_NEW = re.compile(r"replace(?: with| by)?|replacement|with|new", re.I)
_ALL = re.compile(r"replace (?:all|everything)(?: in)?", re.I)
_BOX = re.compile(r"entry|text|combo box|edit|search box|editbar", re.I)


def main_text(scene: Scene) -> Element | Question:
    """The text that is worked on, or a question when none is to be seen."""
    box = default_box(scene)
    if isinstance(box, Question):
        return box
    lines = [each for each in scene.sight.editable if "multiline" in each.states]
    found = (
        box
        if box is not None and "multiline" in box.states
        else max(lines, key=lambda each: each.bounds.width * each.bounds.height, default=box)
    )
    return found or Question("I see no text that I could work on. Which file shall I open?")


def write_at(intent: WriteAt, scene: Scene) -> Move:
    """Go to the start or the end, type there, and see the words."""
    text = scene.result if intent.result else intent.text
    if not text:
        return Question("I have no result yet that I could write. What shall I write?")
    box = main_text(scene)
    if isinstance(box, Question):
        return scene.wait(3) or box
    if scene.done(ops.Type):
        shown = shows_text(box, text) or not box.value
        return Reached(f"“{_short(text)}” is there.") if shown else scene.wait(3) or _not_there(text)
    note = f"I add “{_short(text)}” at the {'top' if intent.at == 'start' else 'end'}."
    going = scene.approach(box, note)
    if going is not None:
        return going
    if intent.at == "start":
        return Act((_TOP, ops.Type(f"{text}\n" if intent.line and box.value else text)), note)
    apart = intent.line and box.value and not box.value.endswith("\n")
    return Act((_END, ops.Type(f"\n{text}" if apart else text)), note)


def _not_there(text: str) -> Question:
    return Question(f"I typed “{_short(text)}”, but I do not see it in the text. How shall I go on?")


def delete_line(intent: DeleteLine, scene: Scene) -> Move:
    """Go to the line, select it with its end, delete it."""
    box = main_text(scene)
    if isinstance(box, Question):
        return scene.wait(3) or box
    deleted = scene.done(ops.KeyCombo, lambda op: op.keys == ("delete",))
    lines = box.value.rstrip("\n").split("\n")
    if deleted:
        if box.value.count("\n") < int(scene.memo[_BREAKS]) or not box.value:
            return Reached("The line is deleted.")
        return scene.wait(3) or Question("I pressed Delete, but no line has gone. How shall I go on?")
    at = _line(intent, lines)
    if at is None:
        which = f"with “{intent.holding}”" if intent.holding else f"number {intent.number}"
        return Question(f"I see no line {which} in the text, or more than one. Which line shall I delete?")
    going = scene.approach(box, "I go to the line.")
    if going is not None:
        return going
    if len(lines) == 1:
        keys: tuple[ops.Op, ...] = (ops.KeyCombo(("ctrl", "a")),)
    elif at + 1 == len(lines):  # the last line goes with the line break before it
        keys = (
            _END,
            *(ops.KeyCombo(("shift", "up")),) * box.value.endswith("\n"),
            ops.KeyCombo(("shift", "home")),
        )
    else:
        down = (ops.KeyCombo(("down",)),) * at
        keys = (_TOP, *down, ops.KeyCombo(("home",)), ops.KeyCombo(("shift", "down")))
    if len(keys) > 15:
        return Question("That line is too far down for me to count to. Put the cursor there, please.")
    scene.memo[_BREAKS] = str(box.value.count("\n"))
    return Act((*keys, ops.KeyCombo(("delete",))), f"I delete the line “{_short(lines[at])}”.")


def _line(intent: DeleteLine, lines: list[str]) -> int | None:
    if intent.holding:
        found = [n for n, line in enumerate(lines) if intent.holding.lower() in line.lower()]
        return found[0] if len(found) == 1 else None
    at = intent.number - 1 if intent.number > 0 else len(lines) + intent.number
    return at if 0 <= at < len(lines) else None


def undo(intent: Undo, scene: Scene) -> Move:
    """Press the keys until the words are gone: editors take back a word or a line at a time."""
    box = main_text(scene)
    if isinstance(box, Question):
        return box
    pressed = scene.done(ops.KeyCombo)
    first = intent.text.split()[0] if intent.text.split() else ""
    if pressed and (first not in box.value or pressed[-1].effect == "unchanged"):
        gone = intent.text not in box.value
        return Reached("It is undone.") if gone else scene.wait(2) or _not_undone(intent.text)
    if len(pressed) >= _MOST_UNDONE:
        return _not_undone(intent.text)
    return Act((ops.KeyCombo(("ctrl", "z")),), "I undo it.")


def _not_undone(text: str) -> Question:
    return Question(f"I still see “{_short(text)}” in the text. How shall I go on?")


# ---- replacing -----------------------------------------------------------------------------------


def replace(intent: Replace, scene: Scene) -> Move:
    """By the application's own dialog: both texts, all at once, and see that the old words are gone."""
    if scene.trouble:
        return Question(f"I could not replace “{intent.old}”: {scene.trouble.detail} How shall I go on?")
    old, new = _field(_OLD, scene), _field(_NEW, scene)
    if old is None or new is None:
        return _replaced(intent, scene) if _pressed(scene) else _call(intent, scene)
    if not _typed(intent.old, scene):
        return _fill(old, intent.old, scene, f"I look for “{intent.old}”.")
    if not _typed(intent.new, scene, 2 if intent.new == intent.old else 1):
        return _fill(new, intent.new, scene, f"I replace it with “{intent.new}”.")
    return _press(intent, scene)


def _typed(text: str, scene: Scene, times: int = 1) -> bool:
    return len(scene.done(ops.Type, lambda op: op.text == text)) >= times or (
        not text and bool(scene.done(ops.KeyCombo, lambda op: op.keys == ("delete",)))
    )


def _fill(box: Element, text: str, scene: Scene, note: str) -> Act:
    typing: ops.Op = ops.Type(text) if text else ops.KeyCombo(("delete",))
    return Act((scene.click(box), ops.KeyCombo(("ctrl", "a")), typing), note)


def _field(label: re.Pattern[str], scene: Scene) -> Element | None:
    """The box with such a label, in a dialog or bar for replacing."""
    for each in scene.sight.front:
        said = (each.name, *scene.sight.labels(each))
        box = _BOX.fullmatch(each.role) is not None and "multiline" not in each.states
        if box and any(label.fullmatch(words.strip(" _:&")) for words in said if words):
            return each
    return None


def _call(intent: Replace, scene: Scene) -> Move:
    box = main_text(scene)
    if isinstance(box, Question):
        return scene.wait(3) or box
    if box.value and intent.old.lower() not in box.value.lower() and not scene.active_turns:
        return Question(f"I see no “{intent.old}” in the text. What shall I replace?")
    pressed = [d.op.keys for d in scene.done(ops.KeyCombo) if isinstance(d.op, ops.KeyCombo)]
    waiting = scene.wait(2) if pressed else None
    if waiting:
        return waiting
    for keys in _DIALOG_KEYS:
        if keys not in pressed:
            return Act(
                (ops.KeyCombo(keys),), f"I replace “{intent.old}” with “{intent.new}”." if not pressed else ""
            )
    return Question("I see no dialog to replace words with. How shall I go on?")


def _press(intent: Replace, scene: Scene) -> Move:
    """Match case where a capital was said, tick "replace all" or press its button; then close."""
    box = _named(_ALL, ROLES["checkbox"], scene)
    case = _named(re.compile(r"match case|case sensitive", re.I), ROLES["checkbox"], scene)
    if case is not None and intent.old != intent.old.lower() and "checked" not in case.states:
        return Act((scene.click(case),))
    if box is not None and "checked" not in box.states:
        return Act((scene.click(box),))
    all_of_them = _named(_ALL, ROLES["button"], scene) or (
        box and _named(re.compile("replace", re.I), ROLES["button"], scene)
    )
    if all_of_them is None:
        return scene.wait(2) or Question("I see no button to replace all of them. How shall I go on?")
    if _pressed(scene):
        return Act((ops.KeyCombo(("escape",)),))
    return Act((scene.click(all_of_them),))


def _pressed(scene: Scene) -> bool:
    """Was a button that replaces pressed? (The tick before it says "in".)"""
    return any(re.search(r"“_?Replace(?: _?All)?”", d.words, re.I) for d in scene.clicks())


def _named(name: re.Pattern[str], roles: frozenset[str], scene: Scene) -> Element | None:
    return next(
        (e for e in scene.sight.front if e.role in roles and name.fullmatch(e.name.strip(" _:.…"))), None
    )


def _replaced(intent: Replace, scene: Scene) -> Move:
    box = main_text(scene)
    still = not isinstance(box, Question) and intent.old in box.value and intent.old not in intent.new
    if not still:
        return Reached(f"“{intent.old}” is replaced with “{intent.new}”.")
    return scene.wait(2) or Question(f"I still see “{intent.old}” in the text. How shall I go on?")


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= 60 else line[:59] + "…"
