"""Waiting, reading, conditions, and what is not understood."""

from __future__ import annotations

import re

import msgspec

from desktop_agent.extras.offline.llm.offline.describe import reading_in_words
from desktop_agent.extras.offline.llm.offline.intents import Help, Phrase, Read, Unknown, WaitFor
from desktop_agent.extras.offline.llm.offline.language.dictation import LAST
from desktop_agent.extras.offline.llm.offline.likeness import likeness
from desktop_agent.extras.offline.llm.offline.moves import Act, Move, Question, Reached
from desktop_agent.extras.offline.llm.offline.phrase import phrase
from desktop_agent.extras.offline.llm.offline.places import reading_order
from desktop_agent.extras.offline.llm.offline.policies.computing import display
from desktop_agent.extras.offline.llm.offline.policies.editing import main_text
from desktop_agent.extras.offline.llm.offline.policies.locate import locate, spoken
from desktop_agent.extras.offline.llm.offline.policies.lookup import looked_up, price_of, said_about
from desktop_agent.extras.offline.llm.offline.quoting import Masked
from desktop_agent.extras.offline.llm.offline.resolve import resolve
from desktop_agent.extras.offline.llm.offline.scene import Scene
from desktop_agent.protocol import ops
from desktop_agent.support.language import capitalized
from desktop_agent.vision.observation import Element

_STRETCH = (0.5, 0.5, 1.0, 1.0, 2.0, 2.0, 3.0, 5.0)
_MAX_LOOKS = 30
_LONGEST = 30.0
_SHOWN = 1_500
_WINDOW_TITLE = re.compile(r"(?:window )?title|(?:title of )?(?:the )?window(?: title)?", re.I)
_TEXT = re.compile(r"\b(?:title|text|sentence|line|words?|phrase|note|message|quotation|contents?)$", re.I)

CAN_DO = (
    "I can open applications and pages, click and drag things by their names, type text, press keys, fill in forms, "
    "choose from lists and menus, scroll, wait, save files, make folders, work out sums in the calculator and read "
    "what is on the screen."
)


def wait_for(intent: WaitFor, scene: Scene) -> Move:
    """Wait some time, or until a text or thing is there (or gone)."""
    if not intent.text:
        waited = sum(d.op.seconds for d in scene.done(ops.Wait) if isinstance(d.op, ops.Wait))
        left = intent.seconds - waited
        if left <= 0.01:
            return Reached()
        return Act(
            (ops.Wait(round(min(left, _LONGEST), 3)),), f"I wait {intent.seconds:g} s." if not waited else ""
        )
    there = is_there(intent.text, scene)
    if there != intent.gone:
        return Reached(f"“{intent.text}” is {'gone' if intent.gone else 'there'}.")
    looks = scene.turn - max(scene.since, scene.answered)
    if looks >= _MAX_LOOKS:
        state = "still there" if intent.gone else "not there yet"
        return Question(f"“{intent.text}” is {state}. Shall I wait on, or what shall I do?")
    reading = scene.read() if looks % 4 == 3 and not scene.look.elements else None
    note = "" if looks else f"I wait until “{intent.text}” is {'gone' if intent.gone else 'there'}."
    return reading or Act((ops.Wait(_STRETCH[min(looks, len(_STRETCH) - 1)]),), note)


def is_there(text: str, scene: Scene) -> bool:
    """Is a text, a window or a thing of that name in sight?"""
    if scene.sight.says(text):
        return True
    bare = re.sub(
        r"\s+(?:dialog|window|button|message|page|link|field|tab|popup|box|menu)$", "", text, flags=re.I
    )
    if re.fullmatch(r"(?:a |the |any )?(?:dialog(?:ue)?(?: box)?|popup|pop-up|message|alert)", text, re.I):
        return scene.sight.dialog is not None
    if bare != text:
        found = resolve(phrase(text, Masked(text)), scene.sight)
        return scene.sight.says(bare) if found.element is None else True
    return False


def read(intent: Read, scene: Scene) -> Move:
    """Tell what a thing says; the whole screen when none was named."""
    if not intent.what.spoken:
        return _read_screen(scene)
    if intent.what.kind == "document":
        return _read_text(scene)
    if (
        re.fullmatch(r"(?:the )?(?:result|answer|display|sum|total|value)", intent.what.spoken, re.I)
        and scene.sight.sort == "calculator"
    ):
        shown = display(scene)
        if shown is not None:
            return _told("the display", shown.value or shown.name)
    only = _only_line(intent.what, scene) or _line_of_text(intent.what, scene)
    if only:
        return _told(spoken(intent.what), only)
    if _WINDOW_TITLE.fullmatch(intent.what.spoken):
        return _told("the window's title", scene.look.window)
    what = intent.what if intent.what.kind != "result" else msgspec.structs.replace(intent.what, kind="")
    known = looked_up(spoken(what), scene) or price_of(spoken(what), scene)
    if known:
        return _told(spoken(what), known)
    labelled = _labelled(what, scene)
    if labelled:
        return _told(spoken(what), labelled)
    if what.name == LAST and (last := _last_of(what, scene)):
        return _told(spoken(what), last)
    priced = price_of(what.name, scene) if what.near else ""
    beside = priced or (_beside(what, scene) if what.near and not what.kind else "")
    if beside:
        return _told(spoken(what), beside)
    several = resolve(what, scene.sight)
    if several.ambiguous and not what.name:
        first = reading_order(several.candidates)[0]
        return _told(spoken(what), _content(first, what, scene))
    about = said_about(spoken(what), scene) if several.element is None and not what.quoted else ""
    if about:
        return scene.wait(2) or _told(spoken(what), about)
    found = locate(scene, what)
    if isinstance(found, Act | Question):
        return found
    return _told(spoken(what), _unlabelled(_content(found, what, scene), what))


def _last_of(what: Phrase, scene: Scene) -> str:
    """The last line of a text, of “the number” in it only the last number; "" while there is none."""
    text = resolve(Phrase(what.near, spoken=what.near), scene.sight, allow=lambda e: bool(e.value)).element
    lines = [line.strip() for line in text.value.splitlines() if line.strip()] if text is not None else []
    numbers = re.findall(r"-?\d+(?:[.,]\d+)*", lines[-1]) if lines else []
    worded = not re.match(r"(?:number|value|result|zahl|wert|ergebnis|summe)", spoken(what), re.I)
    return (lines[-1] if worded or not numbers else numbers[-1]) if lines else ""


def _beside(what: Phrase, scene: Scene) -> str:
    """The text next to the thing that was named, right of it or below it; "" where there is none."""
    anchor = resolve(Phrase(what.near, spoken=what.near), scene.sight)
    at = anchor.element or (anchor.candidates[0] if anchor.ambiguous else None)
    if at is None:
        return ""
    right = scene.sight.right_of(at) if what.side != "below" else None
    if right is not None:
        return right.value or right.name
    if at.value:
        return at.value
    under = [
        e
        for e in scene.sight.front
        if (e.value or e.name) and 0 <= e.bounds.y - at.bounds.bottom + 4 <= 60
        and min(e.bounds.right, at.bounds.right) > max(e.bounds.x, at.bounds.x)
    ]  # fmt: skip
    nearest = min(under, key=lambda e: (e.bounds.y, e.bounds.x), default=None)
    return (nearest.value or nearest.name) if nearest is not None else ""


def _read_text(scene: Scene) -> Move:
    """Tell the whole text that is open."""
    box = main_text(scene)
    if isinstance(box, Question):
        return scene.wait(3) or box
    return _told("the text", box.value)


def _only_line(what: Phrase, scene: Scene) -> str:
    """What an editor in front holds, for "the book title" and the like, when that is one line and no more."""
    meant = scene.sight.sort == "editor" and not what.within and _TEXT.search(spoken(what))
    box = scene.sight.document if meant else None
    lines = [line for line in box.value.splitlines() if line.strip()] if box is not None else []
    return lines[0].strip() if len(lines) == 1 else ""


def _line_of_text(what: Phrase, scene: Scene) -> str:
    """What stands behind "Time:" in the text that is open, for "the time of the meeting" in a text that names a meeting."""
    box = scene.sight.document if scene.sight.sort == "editor" and not what.kind else None
    if box is None:
        return ""
    label, _, owner = re.sub(r"^(?:the|its|my)\s+", "", what.spoken, flags=re.I).partition(" of ")
    owner = re.sub(r"^(?:the|my|our|a|an)\s+", "", owner, flags=re.I)
    if owner and not re.search(rf"\b{re.escape(owner)}\b", box.value, re.I):
        return ""
    behind = re.compile(rf"\s*{re.escape(label)}\s*[:=]\s*(\S.*)", re.I)
    found = [line[1].strip() for line in map(behind.match, box.value.splitlines()) if line]
    return found[0] if len(found) == 1 and label else ""


def _unlabelled(text: str, what: Phrase) -> str:
    """The text without the name of what was asked for before it: "Booking reference: KX-4471" → KX-4471."""
    found = re.match(rf"\s*{re.escape(what.name)}\s*[:=]\s*(\S.*)", text, re.I | re.S) if what.name else None
    return found[1] if found else text


def _labelled(what: Phrase, scene: Scene) -> str:
    """The value in a text like "Total: 42" or of the box so labelled."""
    stem = re.sub(r"\s+(?:number|address|name|date|time)$", "", what.name, flags=re.I)
    for name in filter(None, dict.fromkeys((what.name, stem))):  # "Phone: 030 123" tells the phone number
        for each in scene.sight.front:
            found = re.match(rf"\s*{re.escape(name)}\s*[:=]\s*(\S.*)", each.name, re.I | re.S)
            if found:
                return found[1]
    return ""


def _content(element: Element, what: Phrase, scene: Scene) -> str:
    """What an element says: its value, or for a mere label the nearest text to its right."""
    if element.value:
        return element.value
    called = (what.name, what.spoken)  # "the first name" is no first of several
    if any(name and likeness(name, element.name) >= 95 for name in called):
        beside = scene.sight.right_of(element)
        if beside is not None:
            return beside.value or beside.name
    return element.name


def _told(what: str, text: str) -> Reached:
    shown = text.strip()[:_SHOWN]
    note = f"{capitalized(what)}: {shown}" if shown else f"{what} is empty."
    return Reached(note, f"{what}: {shown or '(empty)'}", shown)


def _read_screen(scene: Scene) -> Move:
    if not any(e.name or e.value for e in scene.sight.front):
        reading = scene.read()
        if reading and scene.patience < 1:
            return reading
    texts = [e.value or e.name for e in reading_order(scene.sight.front) if e.value or e.name]
    joined = " · ".join(dict.fromkeys(" ".join(text.split()) for text in texts))
    return _told(f"“{scene.look.window}”" if scene.look.window else "the screen", joined or scene.look.window)


def help_user(intent: Help, scene: Scene) -> Move:
    """Say what can be done, and ask for something to do."""
    del intent, scene
    return Question(f"{CAN_DO} What shall I do?")


def unknown(intent: Unknown, scene: Scene) -> Move:
    """Say what was not understood, and ask."""
    del scene
    if intent.readings:
        return Question(intent.why, tuple(map(reading_in_words, intent.readings)))
    why = intent.why or f"I do not understand “{intent.text[:200]}”."
    return Question(f"{why} {CAN_DO} Can you say it in another way, or shall I leave it out?")
