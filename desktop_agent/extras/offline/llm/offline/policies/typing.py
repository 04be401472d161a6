"""Typing text and pressing keys."""

from __future__ import annotations

import re

from desktop_agent.extras.offline.llm.offline import apps
from desktop_agent.extras.offline.llm.offline.boxes import is_editable
from desktop_agent.extras.offline.llm.offline.intents import Phrase, Press, TypeText
from desktop_agent.extras.offline.llm.offline.moves import NOTHING, Act, Move, Question, Reached
from desktop_agent.extras.offline.llm.offline.phrase import phrase
from desktop_agent.extras.offline.llm.offline.policies.clearing_way import clear_way
from desktop_agent.extras.offline.llm.offline.policies.locate import empty_spot, locate
from desktop_agent.extras.offline.llm.offline.policies.opening import bring_up
from desktop_agent.extras.offline.llm.offline.policies.windows import switch_to
from desktop_agent.extras.offline.llm.offline.quoting import Masked
from desktop_agent.extras.offline.llm.offline.resolve import resolve
from desktop_agent.extras.offline.llm.offline.roles import ROLES
from desktop_agent.extras.offline.llm.offline.scene import Scene
from desktop_agent.protocol import ops
from desktop_agent.vision.observation import Element
from desktop_agent.vision.ocr.misread import reads_as
from desktop_agent.vision.ocr.tesseract import reads_english_only

_BATCH = 16
_CHUNK = 9_000
_SHORT = 8
"""Letters of a text from which on its last sign may be left out by a reader of pictures."""
_APP_PLACE = re.compile(
    r"\b(?:editor|document|window|terminal|console|notepad|calculator|application|app|program|page)$", re.I
)


def type_text(intent: TypeText, scene: Scene) -> Move:
    """Type where the text belongs, then see that it is there."""
    text, place = _meant(intent, scene)
    place = place or scene.answer
    if not text:
        return Question(
            "I have no result yet that I could type. What shall I type?"
            if intent.result
            else "What shall I type?"
        )
    if intent.result and text == NOTHING:
        return Question("There is nothing in the result that I could type. How shall I go on?")
    if len(text) > _CHUNK:
        return Question(
            f"That text is too long for me to type in one go ({len(text)} characters; {_CHUNK} at most)."
        )
    typed = scene.done(ops.Type, lambda op: op.text == text)
    where = _place(place, scene)
    if isinstance(where, Act | Question):
        return where
    in_the_way = clear_way(where, scene) if where is not None else None
    if in_the_way is not None:
        return in_the_way
    if typed:
        return verified(text, where, scene, sure=bool(place))
    if scene.trouble and scene.refused(ops.Type):
        return _refused(text, scene)
    return _write(intent, text, where, scene)


def _meant(intent: TypeText, scene: Scene) -> tuple[str, str]:
    """Text and place; words that may be either are a place when one of that name is in sight."""
    if intent.result:
        return scene.result, intent.into
    if intent.sure or not intent.into:
        return intent.text, intent.into
    if scene.done(ops.Type, lambda op: op.text == intent.text):
        return intent.text, intent.into
    field = resolve(
        Phrase(intent.into, "field", quoted=True, spoken=intent.into), scene.sight, allow=is_editable
    )
    known = apps.sort_of(intent.into) or scene.sight.window_of(intent.into)
    return (intent.text, intent.into) if field.element or known else (intent.whole, "")


def _place(place: str, scene: Scene) -> Element | Act | Question | None:
    """The box to type into; None for "where the cursor is"."""
    if not place:
        if not scene.look.windows and not scene.sight.front and scene.can("open"):
            return _application("text editor", scene)
        return default_box(scene)
    what = phrase(place, Masked(place))
    found = resolve(_as_field(what), scene.sight, allow=takes_text)
    if found.element is not None:
        return found.element
    if apps.sort_of(place) or (_APP_PLACE.search(place) and not found.ambiguous):
        name = re.sub(r"\s+(?:window|application|app|program|page)$", "", place, flags=re.I)
        generic = re.fullmatch(r"(?:document|page|window|app|application|program|file)", place, re.I)
        return default_box(scene) if generic or scene.sight.shows(name) else _application(name, scene)
    return locate(scene, _as_field(what), allow=takes_text)


def _application(name: str, scene: Scene) -> Element | Act | Question | None:
    """One that is open is switched to; another is opened."""
    ready = switch_to(name, scene) if scene.sight.window_of(name) else bring_up(name, scene)
    return ready if isinstance(ready, Act | Question) else default_box(scene)


def takes_text(element: Element) -> bool:
    return is_editable(element) or element.role in ROLES["spin"] or element.source == "ocr"


def _as_field(what: Phrase) -> Phrase:
    return (
        what
        if what.kind == "field"
        else Phrase(
            what.name, "field", what.ordinal, what.near, what.side, what.within, what.quoted, what.spoken
        )
    )


def default_box(scene: Scene) -> Element | Question | None:
    """Where typed text goes when nobody says: the focused box, else the main or only one in front."""
    focused = scene.sight.focused
    if focused is not None and is_editable(focused):
        return focused
    if scene.sight.sort in ("terminal", "calculator"):
        return None
    page = scene.sight.document
    boxes = [
        each
        for each in scene.sight.editable
        if page is None or each == page or scene.sight.is_inside(each, page)
    ]
    if not boxes:
        return None
    main = max(boxes, key=lambda each: ("multiline" in each.states, each.bounds.width * each.bounds.height))
    if len(boxes) > 1 and page is not None and page.role == "document web" and not _fills(main, page):
        names = tuple(each.name or " ".join(scene.sight.labels(each)) for each in boxes)
        return Question(
            f"Into which field shall I type? I see {', '.join(f'“{name}”' for name in names[:8])}.", names
        )
    return main


def _fills(box: Element, page: Element) -> bool:
    """Is the box most of the page, as in an editor on the web?"""
    return 3 * box.bounds.width * box.bounds.height > page.bounds.width * page.bounds.height


def _write(intent: TypeText, text: str, where: Element | None, scene: Scene) -> Move:
    named = f" into “{where.name}”" if where and where.name and intent.into else ""
    note = f"I type “{_short(text)}”{named}."
    going = scene.approach(where, note) if where is not None else None
    if going:
        return going
    new_line = (ops.KeyCombo(("ctrl", "end")), ops.KeyCombo(("enter",))) if intent.line_first else ()
    in_dialog = scene.sight.dialog is not None and where is not None and scene.sight.in_front(where)
    overwrite = (bool(intent.into) or in_dialog) and where is not None and "multiline" not in where.states
    typing = scene.overtype(where, text) if overwrite else (ops.Type(text),)
    return Act((*new_line, *typing), note)


def verified(text: str, where: Element | None, scene: Scene, *, sure: bool = True) -> Move:
    """After typing: see whether the box shows the text; type once more only into a box that is seen empty.

    Unless it is `sure` which box it was, another may show the text as well.
    """
    typed = scene.done(ops.Type, lambda op: op.text == text)
    if where is None and typed[-1].effect == "unchanged":
        return scene.wait(2) or Question(
            f"I typed “{_short(text)}”, but nothing on the screen has changed. Where shall I type it?"
        )
    somewhere = not sure and _shown_somewhere(text, scene)
    if where is None or not _readable(where) or shows_text(where, text) or somewhere:
        return Reached(f"“{_short(text)}” is typed.")
    waiting = scene.wait(3 if where.source == "tree" else 1)  # trees tell of a change late at times
    if waiting:
        return waiting
    beside = empty_spot(scene) if where.source == "ocr" and "left" not in scene.memo else None
    if beside is not None and scene.can("click"):
        scene.memo["left"] = "yes"  # without the text cursor it may be read better
        return Act((ops.Click(beside.x, beside.y),))
    again = _again(text, where, scene, sure=sure) if len(typed) < 2 else None
    if again is not None:
        return again
    seen_only = (
        where.source == "ocr"
    )  # what is read there must be read there: a picture shows that something changed, not what
    if typed[-1].effect in ("changed", "confirmed") and not where.value and not seen_only:
        return Reached(f"“{_short(text)}” is typed.")
    return Question(
        f"I typed “{_short(text)}”, but the box shows “{_short(where.value)}”. How shall I go on?"
    )


def _again(text: str, where: Element, scene: Scene, *, sure: bool) -> Act | None:
    """Type once more where that cannot double the text: into an empty box, or in place of a line."""
    if where.source == "ocr" and sure and "multiline" not in where.states:
        # What is clicked is seen to have the keyboard before anything is typed.
        if scene.memo.get("left") == "yes":  # it was left by a click beside it
            scene.memo["left"] = "back"
            return Act((scene.click(where),), "I read something else in it, so I click it and type again.")
        if not scene.clicked_at(scene.done(ops.Type)[-1].turn + 1):
            return Act((scene.click(where),), "I read something else in it, so I click it and type again.")
        return Act(scene.overtype(where, text))
    if not where.value:
        again = (scene.click(where), ops.Type(text))
        return Act(again, "The box is still empty, so I click it and type again.")
    if sure and "multiline" not in where.states:
        again = (scene.click(where, count=3), ops.Type(text))
        return Act(again, "It shows something else, so I select it and type again.")
    return None


def _readable(where: Element) -> bool:
    return (
        (where.source == "tree" or "editable" in where.states)
        and "password" not in where.states
        and where.role not in ("terminal", "password text", "date editor")
    )


def shows_text(where: Element, text: str) -> bool:
    """Does the box hold the text (blanks and its own formatting of numbers apart)?"""
    if where.source == "ocr":
        # The full stop or exclamation mark at the end is too faint to be always read.
        foreign, bare = reads_english_only(), text.rstrip(" .!")
        return reads_as(where.value, text, foreign=foreign) or (
            len(bare) > _SHORT and reads_as(where.value, bare, foreign=foreign)
        )
    shown, wanted = _squeeze(where.value), _squeeze(text)
    return wanted in shown or (bool(shown) and len(shown) > 100 and (shown.rstrip("…") in wanted))


def _shown_somewhere(text: str, scene: Scene) -> bool:
    wanted = _squeeze(text)
    return any(wanted in _squeeze(each.value) for each in scene.sight.editable)


def _squeeze(text: str) -> str:
    return "".join(text.split())


def _refused(text: str, scene: Scene) -> Move:
    deed = scene.refused(ops.Type)
    if deed and len([d for d in scene.deeds if isinstance(d.op, ops.Type)]) < 2:
        return Act((ops.Type(text),), "That did not work, so I try once more.")
    return Question(f"I could not type “{_short(text)}”: {deed.detail if deed else ''} How shall I go on?")


def press(intent: Press, scene: Scene) -> Move:
    """Press keys as often as said; a single character is a button when one of that name is in sight."""
    total = max(1, intent.times)
    if scene.trouble:
        return Question(
            f"I could not press {'+'.join(intent.keys)}: {scene.trouble.detail} How shall I go on?"
        )
    done = len(scene.active_turns)
    left = total - done * _BATCH if done else total
    if left <= 0 or (done and total <= _BATCH):
        return _after_keys(intent, scene)
    button = _button_named(intent, scene)
    one = scene.click(button) if button else ops.KeyCombo(intent.keys)
    words = "+".join(each.capitalize() for each in intent.keys)
    return Act(
        (one,) * min(left, _BATCH),
        "" if done else f"I press {words}" + (f" {total} times." if total > 1 else "."),
    )


def _after_keys(intent: Press, scene: Scene) -> Move:
    """Enter and Escape mostly close the dialog in front: give it a moment to go."""
    closing = intent.keys in (("enter",), ("escape",)) and scene.sight.dialog is not None
    return (scene.wait(3) if closing else None) or Reached()


def _button_named(intent: Press, scene: Scene) -> Element | None:
    if (
        len(intent.keys) != 1
        or len(intent.keys[0]) != 1
        or (scene.sight.focused and is_editable(scene.sight.focused))
    ):
        return None
    name = intent.keys[0]
    found = resolve(Phrase(name, "button", quoted=True, spoken=name), scene.sight, allow=scene.sight.in_front)
    return found.element


def _short(text: str, limit: int = 60) -> str:
    line = " ".join(text.split())
    return line if len(line) <= limit else line[: limit - 1] + "…"
