"""A form that is asked for in free words: look at all of it, read the goal by it, fill it in, send it if that was said."""

from __future__ import annotations

import re

import msgspec

from desktop_agent.extras.offline.llm.offline.asked_forms.form_in_sight import (
    FormField,
    FormInSight,
    bare_label,
    form_in_sight,
    together,
)
from desktop_agent.extras.offline.llm.offline.asked_forms.form_reading import FormReading
from desktop_agent.extras.offline.llm.offline.asked_forms.goal_reader import read_goal
from desktop_agent.extras.offline.llm.offline.intents import Check, Fill, FillForm, Intent, Phrase, SendForm
from desktop_agent.extras.offline.llm.offline.moves import Act, Instead, Move, Question, Reached
from desktop_agent.extras.offline.llm.offline.policies.forms import asks_picture
from desktop_agent.extras.offline.llm.offline.policies.locate import empty_spot, locate
from desktop_agent.extras.offline.llm.offline.scene import Scene
from desktop_agent.protocol import ops
from desktop_agent.protocol.geometry import Rect
from desktop_agent.vision.observation import Element

_MOST_LOOKS = 10
_NOTCHES, _ALL = 5, 100
_SHOWN = 6
_LISTED = frozenset(("list item", "option", "menu item"))
_COMPLAINS = re.compile(
    r"\b(?:not sent|not saved|please (?:fill|enter|choose|select|check|correct|complete|tick)|required|missing|invalid|not valid|error|must be|is empty|can't be|cannot be"
    r"|nicht (?:gesendet|gespeichert|abgeschickt|gültig)|bitte (?:füllen|geben|wählen|prüfen|ausfüllen|korrigieren|ergänzen)|fehlt|fehlen|fehler|ungültig|erforderlich|pflichtfeld\w*|leer)\b",
    re.I,
)
_THANKS = re.compile(
    r"\b(?:thank|thanks|danke|dank|received|confirmed|submitted|has been (?:sent|saved)|was sent|saved|success\w*|erfolgreich|eingegangen|gesendet|gespeichert|bestätigt|abgeschickt)\b",
    re.I,
)


def fill_form(intent: FillForm, scene: Scene) -> Move:
    """Look at the whole form as far as the goal needs it; then one step a field. Asks where words cannot be placed."""
    if opened := scene.memo.get("opened", ""):
        return _read_list(opened, scene)
    form = together(_remembered(scene), form_in_sight(scene.sight))
    scene.memo["form"] = msgspec.json.encode(form).decode()
    reading = read_goal("\n".join((intent.goal, *scene.answers)), form)
    if reading.whole and (reading.placed or reading.sends):
        if _is_away(scene):
            return _to_top(scene)
        return Instead(
            (
                *_steps(reading, form, exact=not asks_picture(scene)),
                *((SendForm(reading.send),) if reading.sends else ()),
            )
        )
    looking = _open_next(reading, form, scene) or _further(scene)
    if looking is not None:
        return looking
    return scene.wait(1) or Question(_why(reading, form))


def asks_for_form(goal: str, scene: Scene, *, understood: bool) -> bool:
    """Is a goal about the form in sight: are values for it found in the goal, and more than one?

    What is understood without the form is that only where the screen is only seen: the names in it are not to be had
    from a tree there, and steps that are taken for others would go unnoticed.
    """
    if understood and not asks_picture(scene):
        return False
    form = form_in_sight(scene.sight)
    if len(form.fields) < 2:
        return False
    reading = read_goal(goal, form)
    found = len(reading.placed) + reading.sends
    return len(reading.placed) > 1 if understood else found > 1


def _remembered(scene: Scene) -> FormInSight:
    known = scene.memo.get("form", "")
    return msgspec.json.decode(known, type=FormInSight) if known else FormInSight()


# ---- looking at all of it ------------------------------------------------------------------------


def _open_next(reading: FormReading, form: FormInSight, scene: Scene) -> Act | None:
    """Open the next list whose choices are not known, to read them; None when there is none in sight."""
    if not reading.left:
        return None
    placed = {each.field for each in reading.placed}
    here = {each.box: each for each in form_in_sight(scene.sight).fields if each.kind == "list"}
    for number, field in enumerate(form.fields):
        if field.kind != "list" or field.choices or number in placed or _tried(field, scene):
            continue
        element = next((e for e in scene.sight.front if e.id in here and here[e.id].key == field.key), None)
        if element is None:
            continue
        scene.memo["opened"] = field.label
        at = element.bounds
        scene.memo["opened at"] = f"{at.x} {at.y} {at.width} {at.height}"
        scene.memo["tried"] = "\n".join((scene.memo.get("tried", ""), field.label))
        scene.memo["before"] = "\n".join(e.name for e in scene.sight.front if e.name)
        return Act((scene.click(element),), f"I look at what “{bare_label(field.label)}” offers.")
    return None


def _tried(field: FormField, scene: Scene) -> bool:
    return field.label in scene.memo.get("tried", "").split("\n")


def _read_list(label: str, scene: Scene) -> Act:
    """Note what a list that was opened offers, and close it."""
    box = Rect(*map(int, scene.memo["opened at"].split()))
    before = set(scene.memo.get("before", "").split("\n"))
    offered = [e for e in scene.sight.front if e.role in _LISTED and e.name]
    if not offered:
        offered = [
            e
            for e in scene.sight.front
            if e.role in ("static", "link") and e.name not in before and _hangs(e, box)
        ]
    if not offered and (waiting := scene.wait(2)):
        return waiting
    form = _remembered(scene)
    names = tuple(dict.fromkeys(each.name for each in offered))
    fields = tuple(
        msgspec.structs.replace(each, choices=names) if each.kind == "list" and each.label == label else each
        for each in form.fields
    )
    scene.memo["form"] = msgspec.json.encode(msgspec.structs.replace(form, fields=fields)).decode()
    scene.memo["opened"] = ""
    return Act((ops.KeyCombo(("escape",)),))


def _hangs(text: Element, box: Rect) -> bool:
    """Does a text stand below or above a box, within its width?"""
    common = min(text.bounds.right, box.right) - max(text.bounds.x, box.x)
    return common > 0.8 * text.bounds.width and not box.contains(text.bounds.center)


def _further(scene: Scene) -> Act | None:
    """Scroll on, to see the rest of the form; None at its end."""
    shown = "\n".join(e.name for e in scene.sight.front if e.name)
    turned = int(scene.memo.get("turned", "0"))
    if not scene.can("scroll") or turned >= _MOST_LOOKS or (turned and scene.memo.get("shown") == shown):
        return None
    last = scene.done(ops.Scroll)
    if turned and last and last[-1].effect == "unchanged":
        return None
    scene.memo["shown"], scene.memo["turned"] = shown, str(turned + 1)
    at = empty_spot(scene) or scene.sight.center()
    return Act((ops.Scroll(0, -_NOTCHES, at.x, at.y),), "" if turned else "I look at the rest of the form.")


def _is_away(scene: Scene) -> bool:
    """Was it scrolled down and not yet back?"""
    return int(scene.memo.get("turned", "0")) > 0 and "top" not in scene.memo


def _to_top(scene: Scene) -> Act:
    scene.memo["top"] = "yes"
    at = empty_spot(scene) or scene.sight.center()
    return Act((ops.Scroll(0, _ALL, at.x, at.y),))


# ---- filling it in -------------------------------------------------------------------------------


def _steps(reading: FormReading, form: FormInSight, *, exact: bool) -> tuple[Intent, ...]:
    """One step a value, in the order of the form; what is read of a picture may be read a little otherwise later: not `exact`."""
    steps: list[Intent] = []
    for each in reading.placed:
        field = form.fields[each.field]
        if field.kind == "box":
            steps.append(Check(Phrase(field.label, "checkbox", quoted=exact, spoken=field.label), each.on))
        elif field.kind == "radio":
            steps.append(Check(Phrase(each.value, "radio", quoted=exact, spoken=each.value), True))
        else:
            steps.append(Fill(Phrase(field.label, "field", quoted=exact, spoken=field.label), each.value))
    return tuple(steps)


def _why(reading: FormReading, form: FormInSight) -> str:
    """What keeps the goal from being carried out, and what to say."""
    if reading.trouble:
        return f"{reading.trouble} What shall I do? I have not filled in anything."
    labels = ", ".join(f"“{bare_label(each.label)}”" for each in form.fields[:12])
    left = ", ".join(f"“{each}”" for each in reading.left[:_SHOWN])
    return (
        f"I do not know where {left} belongs on this form, so I have not filled in anything. "
        f"I see the fields {labels}. What goes where, or what shall I leave out?"
    )


# ---- sending it ----------------------------------------------------------------------------------


def send_form(intent: SendForm, scene: Scene) -> Move:
    """Press the button that sends the form, and see that it was taken: that the form is gone, or thanks are said."""
    if not scene.clicks():
        found = locate(
            scene, Phrase(intent.button, "button", quoted=not asks_picture(scene), spoken=intent.button)
        )
        if isinstance(found, Act | Question):
            return found
        scene.memo["said"] = "\n".join(e.name for e in scene.sight.front if e.name)
        scene.memo["labels"] = "\n".join(each.label for each in form_in_sight(scene.sight).fields)
        return Act((scene.click(found),), f"I press “{intent.button}”.")
    new = [
        e.name for e in scene.sight.front if e.name and e.name not in scene.memo.get("said", "").split("\n")
    ]
    complaint = next((each for each in new if _COMPLAINS.search(each)), "")
    before = {*scene.memo.get("labels", "").split("\n")} - {""}
    left = before & {each.label for each in form_in_sight(scene.sight).fields}
    if complaint and left:
        return Question(f"I pressed “{intent.button}”, and it says: “{complaint}” What shall I do?")
    if any(_THANKS.search(each) for each in new) or (before and not left and scene.sight.front):
        return Reached(f"I pressed “{intent.button}”, and the form is sent.")
    if waiting := scene.wait(3):
        return waiting
    return Question(
        f"I pressed “{intent.button}”, but the form is still there and nothing says that it was sent. What shall I do?"
    )
