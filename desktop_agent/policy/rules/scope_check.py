"""Classifies an operation at its place (look, fill, act), and finds the grant for it that a scope lacks."""

from __future__ import annotations

from pathlib import PurePath

from desktop_agent.policy.facts.key_effects import combo, pastes, presses_enter, takes_text
from desktop_agent.policy.facts.place import UNKNOWN, Place, Subject, editable, program_name, subject_of
from desktop_agent.policy.facts.programs import BROWSERS, is_one_of, is_program_file, names_file_or_address
from desktop_agent.policy.facts.scope import Grant, How, Scope
from desktop_agent.policy.facts.words.spoken_words import Spoken
from desktop_agent.policy.rules.sinks import FOLDER
from desktop_agent.protocol import ops
from desktop_agent.protocol.ops import Op
from desktop_agent.support.language import capitalized
from desktop_agent.support.web_origin import origin_of

SINK = "outside scope"
_BUTTONS = frozenset(("push button", "button", "toggle button", "menu item"))


_FOLLOWED = frozenset(("link", "page tab"))
_CHOSEN = frozenset(("check box", "radio button", "combo box", "spin button"))
_WRITTEN = frozenset(("table cell", "document spreadsheet"))
"""Beside text fields: what is typed there is its content, and no shortcut."""
_SLIDES = frozenset(("slider", "scroll bar", "dial"))
_HELD = frozenset(("ctrl", "alt", "shift", "altgr"))
_MOVES = frozenset(("tab", "escape", "up", "down", "left", "right", "home", "end", "page_up", "page_down"))
_ARROWS = frozenset(("up", "down", "left", "right", "home", "end", "page_up", "page_down"))
_ERASES = frozenset(("backspace", "delete"))
_EDITS = frozenset("vxzy")
_BROWSING = tuple(
    map(
        frozenset,
        (
            {"ctrl", "l"}, {"ctrl", "t"}, {"ctrl", "n"}, {"ctrl", "w"}, {"ctrl", "f"}, {"ctrl", "r"}, {"f5"}, {"f6"},
            {"alt", "d"}, {"ctrl", "tab"}, {"ctrl", "shift", "tab"}, {"ctrl", "page_up"}, {"ctrl", "page_down"},
            {"alt", "left"}, {"alt", "right"}, {"ctrl", "0"}, {"ctrl", "+"}, {"ctrl", "-"}, {"ctrl", "shift", "t"},
            *({"ctrl", str(number)} for number in range(1, 10)),
        ),
    )
)  # fmt: skip
"""Keys by which a browser goes about its own tabs, pages and fields."""


def lacking(op: Op, place: Place, scope: Scope, spoken: Spoken) -> Grant | None:
    """The grant that `op` needs at `place` and the scope has not; None when it has.

    In a page whose pressing only the user's words cover, they cover what they name.
    """
    if scope.everything or not op.traits.gives_input or op.traits.crosses_applications:
        return None
    if isinstance(op, ops.Open):
        return _to_open(op, place, scope)
    subject, how = subject_of(place), how_of(op, place)
    if scope.covers(subject, how):
        return _to_follow(place, scope)
    if subject.kind == "site" and _may_press(op, how, subject, scope, spoken) and _named(op, place, spoken):
        return None
    return Grant(subject.kind, subject.what, how)


def question(grant: Grant, place: Place) -> str:
    """What would be added, as a question to a human: `Work in Files (pcmanfm) as well?`"""
    if grant.what == UNKNOWN:
        what = "page" if grant.kind == "site" else "application"
        return f"It cannot be told which {what} this is, so nothing that was allowed covers it."
    name = place.application
    shown = f"{name} ({grant.what})" if grant.kind == "app" and _says_more(name, grant.what) else grant.what
    return f"{capitalized(grant.words.removesuffix(grant.what))}{shown} as well?"


def can_be_added(grant: Grant) -> bool:
    """Can a yes to it hold for the run? Not when it cannot be told what it is for."""
    return grant.what != UNKNOWN


def names_file(op: Op, place: Place, scope: Scope) -> bool:
    """Is it the opening of a file that the scope covers, or without limits the user's words name, and that is no program?"""
    if not isinstance(op, ops.Open) or is_program_file(op.target):
        return False
    path = PurePath(op.target)
    if not path.is_absolute() or ".." in path.parts:
        return False
    if scope.everything:
        return place.file is not None and place.file.named
    return scope.covers(Subject("folder", str(path)), How.LOOK)


def _says_more(name: str, program: str) -> bool:
    return bool(name) and program_name(name) != program


def _to_open(op: ops.Open, place: Place, scope: Scope) -> Grant | None:
    """An address needs its origin, an application to be worked in; a file or a terminal is asked about on its own."""
    if "://" in op.target or op.target.lower().startswith("www."):
        origin = origin_of(op.target if "://" in op.target else f"http://{op.target}")
        if scope.covers(Subject("site", origin or UNKNOWN), How.LOOK):
            return None
        return Grant("site", origin or UNKNOWN, How.LOOK)
    if place.program in ("", FOLDER, "terminal") or names_file_or_address(op.target):
        return None
    program = program_name(place.program)
    return None if scope.covers(Subject("app", program), How.LOOK) else Grant("app", program, How.ACT)


def _to_follow(place: Place, scope: Scope) -> Grant | None:
    """A link to another origin needs that origin; where it leads may be unknown, as what a button does is."""
    origin = origin_of(place.leads_to) if place.leads_to.startswith(("http://", "https://")) else ""
    if not origin or origin == place.origin or scope.covers(Subject("site", origin), How.LOOK):
        return None
    return Grant("site", origin, How.LOOK)


def _may_press(op: Op, how: How, subject: Subject, scope: Scope, spoken: Spoken) -> bool:
    """Is it a press in a page that the user's words cover by its name, should they name it?"""
    if spoken.only_presses:
        return scope.covers(subject, How.LOOK) and not isinstance(op, ops.Type)
    return how == How.ACT and scope.covers(subject, How.FILL)


def _named(op: Op, place: Place, spoken: Spoken) -> bool:
    """Do the user's words name what is pressed? Enter in a field presses a button of its form, or the field goes by name.

    Words that only ask to fill in ("put the name into the form") name buttons and nothing else: what they say of is what
    is written, and no page sends or signs by it.
    """
    entered = presses_enter(op) and editable(place)
    names = (place.name, *place.words) if spoken.how >= How.ACT or place.role in _BUTTONS else ()
    return any(spoken.names_act(name) for name in (*names, *(place.buttons if entered else ())) if name)


# Whatever is not known to only look or fill acts.
def how_of(op: Op, place: Place) -> How:
    """What `op` does at `place`, where it would land."""
    if not op.traits.gives_input or op.traits.points_only or op.traits.opens:
        return How.LOOK
    return _by_keys(op, place) if op.traits.keyboard else _by_pointer(op, place)


def _by_pointer(op: Op, place: Place) -> How:
    if isinstance(op, ops.Drag | ops.DragElement | ops.MouseUp):
        return How.ACT
    if editable(place):
        return How.FILL
    plain = getattr(op, "button", "left") == "left" and not getattr(op, "modifiers", ())
    if not plain or getattr(op, "count", 1) > 1:
        return How.ACT
    return _pressed(place)


def _pressed(place: Place) -> How:
    """What a plain click does, or Enter on what has the keyboard."""
    if place.role in _FOLLOWED:
        return How.LOOK
    return How.FILL if place.role in _CHOSEN or place.choice else How.ACT


def _by_keys(op: Op, place: Place) -> How:
    if presses_enter(op):
        lines = isinstance(op, ops.Type) and "multiline" in place.states and not place.in_page
        return How.FILL if lines else _entered(place)
    if isinstance(op, ops.Type):
        return How.FILL if not op.text or _written(place) else How.ACT
    keys = combo(op)
    if keys <= _HELD:
        return How.LOOK
    if is_one_of(BROWSERS, place.application, place.program) and keys in _BROWSING:
        return How.LOOK
    if keys - {"shift"} <= _MOVES or keys in ({"ctrl", "a"}, {"ctrl", "c"}, {"ctrl", "insert"}):
        return _moved(keys, place)
    return How.FILL if _fills(op, keys, place) else How.ACT


def _entered(place: Place) -> How:
    return How.ACT if editable(place) or place.role in _SLIDES else _pressed(place)


def _written(place: Place) -> bool:
    return editable(place) or place.role in _WRITTEN


def _moved(keys: set[str], place: Place) -> How:
    """Keys that go on to another field or line; in a list they choose, and a slider they push."""
    if not keys & _ARROWS:  # a page may take Escape for leaving what was written
        return How.FILL if place.in_page and "escape" in keys else How.LOOK
    if place.role in _SLIDES:
        return How.ACT
    return How.FILL if place.role in _CHOSEN or place.choice else How.LOOK


def _fills(op: Op, keys: set[str], place: Place) -> bool:
    if keys == {"space"} and (place.role in _CHOSEN or place.choice):
        return True
    letters = {key for key in keys if len(key) == 1}
    edits = (
        takes_text(op)
        or pastes(op)
        or keys - {"shift", "ctrl"} <= _ERASES | _ARROWS
        or (keys - letters == {"ctrl"} and letters <= _EDITS)
    )
    return _written(place) and edits
