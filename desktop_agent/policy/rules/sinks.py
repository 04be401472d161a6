"""Tests whether an operation at a place reaches a sink: something that needs a yes.

Every test takes a `Case` and returns the reason for people, "" when it does not apply.
"""

from __future__ import annotations

import mimetypes
import re
from typing import NamedTuple
from urllib.parse import parse_qsl, unquote, urlsplit

from desktop_agent.policy.facts import policy_tables
from desktop_agent.policy.facts.button_words import (
    MAX_WORDS,
    WORDS_FOR,
    kind_of,
    mentions,
    says_yes,
)
from desktop_agent.policy.facts.execution_places import (
    SURFACE,
    TERMINAL,
    WITH_SHELL,
    enter_runs,
    executes,
    runs_prepared,
)
from desktop_agent.policy.facts.key_effects import (
    accelerator,
    activates,
    characters,
    combo,
    confirms,
    drops,
    pastes,
    presses_enter,
    takes_text,
)
from desktop_agent.policy.facts.place import Place, editable, is_address_bar
from desktop_agent.policy.facts.programs import (
    BROWSERS,
    FILE_MANAGERS,
    LAUNCHERS,
    is_one_of,
    is_program_file,
    is_terminal,
    may_mean_terminal,
    names_file_or_address,
)
from desktop_agent.policy.facts.words.act_objects import is_of_order
from desktop_agent.policy.facts.words.spoken_words import Spoken
from desktop_agent.protocol import ops
from desktop_agent.protocol.ops import Op
from desktop_agent.protocol.permission import Source
from desktop_agent.redaction.redactor import redactor


class Case(NamedTuple):
    """What is judged; `spoken` is what the user's own words name."""

    op: Op
    place: Place
    source: Source
    spoken: Spoken


_TOO_LARGE = frozenset((
    "document web", "document frame", "document text", "document spreadsheet", "frame", "window", "scroll pane", "panel",
    "tree", "tree table", "table", "list", "list box", "canvas", "drawing area",
))  # fmt: skip
"""Roles of what only contains what is clicked; what lies in it is looked at instead."""
_SAID, _LISTED = 12, 6
_MOST_WORDS = {
    **dict.fromkeys(("label", "static", "paragraph", "heading", "section", "article", "text"), _SAID),
    **dict.fromkeys(("icon", "list item", "table cell", "table row", "tree item"), _LISTED),
}
"""Words that the name of something of this role may have to be taken for a button; else it is a text, a message, a file."""
_SHOWN = frozenset(("", "http", "https", "about", "javascript", "data", "blob", "file"))
"""Schemes whose addresses a browser itself shows or carries out."""
_PAGES = frozenset(("pdf", "json", "xml", "xhtml+xml", "rss+xml", "atom+xml", "javascript", "manifest+json"))
"""Kinds of `application/…` that a browser shows."""
_MOST_OF_ADDRESS = 3
"""Words: `delete-account` is an act, `how-to-delete-cookies` a page about one."""
FOLDER = "folder/"
"""What a target says of an `open` that only shows what is in a folder; no program's file has such a name."""
_FUNCTION = frozenset(f"f{number}" for number in range(1, 13))
_BREAKS = (
    {"ctrl", "alt", "delete"}, {"ctrl", "alt", "backspace"}, {"ctrl", "shift", "escape"}, {"ctrl", "escape"}, {"alt", "print_screen"},
)  # fmt: skip


def unknown_place(case: Case) -> str:
    """Neither the window nor, in a browser, the field is known: it could be anything."""
    op, place = case.op, case.place
    if op.traits.opens or op.traits.points_only:
        return ""
    if not place.known:
        return "It cannot be told what this would reach."
    if not op.traits.keyboard:
        return ""
    if place.desktop:
        return "No window has the keyboard."
    browser = is_one_of(BROWSERS, place.application, place.program)
    if browser and not place.role and (takes_text(op) or activates(op)):
        return "It cannot be told which field of the browser has the keyboard."
    return ""


def execution(case: Case) -> str:
    """Putting a text where it is carried out, or carrying out what stands ready."""
    op, place = case.op, case.place
    what = executes(place)
    if what in (TERMINAL, WITH_SHELL):  # any key may be a command there, one for the last command again
        reaches = op.traits.keyboard
    else:
        reaches = bool(characters(op).strip()) if what == SURFACE else takes_text(op) or confirms(op)
    if what and (reaches or pastes(op) or drops(op)):
        return f"What goes into {what} is carried out as a command."
    if runs_prepared(place) and (op.traits.gives_focus or activates(op)):
        return f"“{_short(place.name or ' '.join(place.words))}” carries out what stands ready there."
    return "Enter may carry out what stands ready here." if presses_enter(op) and enter_runs(place) else ""


def terminal(case: Case) -> str:
    """Opening a terminal."""
    op, place = case.op, case.place
    named = isinstance(op, ops.Open) and (
        may_mean_terminal(op.target) or is_terminal(place.application, place.program)
    )
    if named or combo(op) in ({"ctrl", "alt", "t"},):
        return "This opens a terminal, where anything can be done."
    return ""


def launcher(case: Case) -> str:
    """A panel or menu of the desktop where it cannot be told what is clicked."""
    op, place = case.op, case.place
    if not is_one_of(LAUNCHERS, place.application, place.program):
        return ""
    unread = not place.name and not place.words and op.traits.gives_focus
    return "It cannot be told what this starts." if unread else ""


def developer_tools(case: Case) -> str:
    """A browser's console, where a pasted line acts with all the rights of the page."""
    keys, place = combo(case.op), case.place
    browser = is_one_of(BROWSERS, place.application, place.program)
    opens = "f12" in keys or ({"ctrl", "shift"} <= keys and keys & {"i", "j", "k", "c"})
    return "This opens the developer tools, which can act as the page." if browser and opens else ""


def run_dialog(case: Case) -> str:
    """Opening a dialog that starts programs."""
    opens = combo(case.op) in ({"super", "r"}, {"alt", "f2"})
    return "This opens a dialog that starts programs." if opens else ""


def system_keys(case: Case) -> str:
    """Keys that the desktop takes for itself: it may start programs, lock the screen or end the session."""
    keys = combo(case.op)
    pressed = keys & {"super"} or keys in _BREAKS
    console = {"ctrl", "alt"} <= keys and any(key in _FUNCTION for key in keys)
    return "The desktop takes these keys for itself." if pressed or console else ""


def password(case: Case) -> str:
    """Anything that puts text into a password field."""
    op, place = case.op, case.place
    secret = "password" in place.states or place.role == "password text"
    return "This is a password field." if secret and (takes_text(op) or pastes(op) or drops(op)) else ""


def secret(case: Case) -> str:
    """A marked secret anywhere but in a password field: a page may have asked for it."""
    marked = isinstance(case.op, ops.Type) and redactor().stand_ins(case.op.text)
    return "This types a secret of yours where it can be read." if marked and not password(case) else ""


def address_bar(case: Case) -> str:
    """Going to an address: typing it, or confirming what stands there."""
    op, place = case.op, case.place
    if not is_address_bar(place):
        return ""
    if takes_text(op) or pastes(op) or drops(op) or presses_enter(op):
        return "This leads the browser to another address."
    return ""


def button(case: Case) -> str:
    """Clicking what is called “Send”, or pressing Enter or the space bar where that does the same."""
    op, place = case.op, case.place
    if op.traits.gives_focus or (activates(op) and not editable(place)):
        opens = activates(op) or getattr(op, "count", 1) > 1
        if place.in_page and getattr(op, "count", 1) > 1 and "button" in place.role:
            return "The second press would land on whatever the first has put there."
        pressed = _pressed(place, op.traits.gives_focus, case.spoken) or _leads_to(place, case.spoken)
        return pressed or _program_file(place) * opens
    if combo(op) >= {"ctrl", "enter"} and not _ordered("send", place, case.spoken):
        return "Ctrl+Enter sends in many applications."
    if (letter := accelerator(op)) and is_one_of(BROWSERS, place.application, place.program):
        return f"Alt+{letter} presses whatever the page has chosen for it."
    unsure = activates(op) and not place.role  # which button has the keyboard, if any
    if (
        letter
        or unsure
        or (presses_enter(op) and "multiline" not in place.states and not is_address_bar(place))
    ):
        return _default(place, case.spoken)
    return ""


def _default(place: Place, spoken: Spoken) -> str:
    """Enter presses the default button of a dialog or a form, Alt with a letter any other; nothing tells which that is."""
    for name in place.buttons:
        if (kind := kind_of(name)) and spoken.names_danger(name) and is_of_order(kind, place, spoken):
            continue
        kind = kind or (mentions(place.dialog) if says_yes(name) else "")
        if kind and not (says_yes(name) and _ordered(kind, place, spoken)):
            return f"This may press “{_short(name)}”, which {WORDS_FOR[kind]}."
    return ""


def _pressed(place: Place, by_pointer: bool, spoken: Spoken) -> str:
    if by_pointer and editable(place):
        return ""
    most = _MOST_WORDS.get(place.role, MAX_WORDS)
    names = place.words if place.role in _TOO_LARGE else (place.name, *place.words)
    for name in names:
        kind = kind_of(name, most)
        if kind and not (spoken.names_danger(name) and is_of_order(kind, place, spoken)):
            return f"This presses “{_short(name)}”, which {WORDS_FOR[kind]}."
        if says_yes(name) and (kind := mentions(place.dialog)) and not _ordered(kind, place, spoken):
            return f"This presses “{_short(name)}” in a dialog that {WORDS_FOR[kind]}."
    return ""


def _ordered(kind: str, place: Place, spoken: Spoken) -> bool:
    """Is an act of this kind ordered, for what it would reach here, where no button tells more?"""
    return spoken.names_kind(kind) and is_of_order(kind, place, spoken)


def _leads_to(place: Place, spoken: Spoken) -> str:
    """A link whose address names an act, a program or something outside the browser, whatever the link says."""
    try:
        parts = urlsplit(place.leads_to)
    except ValueError:
        return f"Nobody can tell where “{_short(place.leads_to)}” leads."
    if parts.scheme not in _SHOWN:
        return f"This leads to “{_short(place.leads_to)}”, which opens another program."
    if is_program_file(unquote(parts.path)):
        return f"This leads to “{_short(place.leads_to)}”, which may be a program."
    if _is_loaded(parts.path) and not spoken.names_act("download"):
        return f"This leads to “{_short(place.leads_to)}”, which is loaded into a file rather than shown."
    names = [
        *map(unquote, parts.path.split("/")),
        *(each for pair in parse_qsl(parts.query) for each in pair),
    ]
    for name in (" ".join(re.findall(r"[^\W_]+", each.lower())) for each in names):
        acts = f"{name} ".startswith(tuple(f"{each} " for each in policy_tables.buttons().address_acts))
        if acts and len(name.split()) <= _MOST_OF_ADDRESS and not spoken.names_danger(name):
            return f"This leads to “{_short(place.leads_to)}”, and “{name}” may be done by that alone."
    return ""


def _is_loaded(path: str) -> bool:
    kind = mimetypes.guess_type(path)[0] or ""
    return kind.startswith("application/") and kind.partition("/")[2] not in _PAGES


def _program_file(place: Place) -> str:
    """Opening a file that is carried out rather than shown."""
    program = is_program_file(place.name) and not place.in_page
    return f"“{_short(place.name)}” may be a program." if program else ""


def file_deletion(case: Case) -> str:
    """Delete in a file manager or on the desktop, or dropping something onto the trash."""
    op, place = case.op, case.place
    files = is_one_of(FILE_MANAGERS, place.application, place.program) or place.desktop
    if _ordered("delete", place, case.spoken) and (place.dropped or not op.traits.drops):
        return ""
    if files and not editable(place) and "delete" in combo(op):
        return "This deletes files."
    if op.traits.drops and kind_of(place.name) == "delete":
        return "Dropping it here deletes it."
    return ""


def opening(case: Case) -> str:
    """Files and addresses that the user has not named; which applications are, the scope tells."""
    if not isinstance(case.op, ops.Open) or case.place.program == FOLDER:
        return ""
    return "The user has not named this file or address." if names_file_or_address(case.op.target) else ""


def text_after_enter(case: Case) -> str:
    """Text after a line feed goes wherever Enter has led to, except in a field of several lines."""
    op, place = case.op, case.place
    if not isinstance(op, ops.Type) or "\n" not in op.text.rstrip("\n"):
        return ""
    lines = "multiline" in place.states or place.role in ("document text", "document spreadsheet")
    known = bool(place.role) or place.in_page
    return "Enter may lead to another field before the rest is typed." if known and not lines else ""


def _short(text: str) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= 60 else flat[:59] + "…"
