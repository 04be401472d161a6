"""Tells by kind where a text is carried out rather than kept: terminals, consoles, code cells, run dialogs, launchers …

Titles and names only add suspicion here: what has the role of a terminal, or runs a shell in a terminal of its
own, is one whatever it is called.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache, lru_cache

from desktop_agent.policy.facts import policy_tables
from desktop_agent.policy.facts.confusables import fold
from desktop_agent.policy.facts.place import Place, editable
from desktop_agent.policy.facts.programs import BROWSERS, LAUNCHERS, is_one_of, is_run_dialog, is_terminal
from desktop_agent.vision.observation import Element

_FIELDS = frozenset(
    ("entry", "text", "editbar", "autocomplete", "combo box", "terminal", "document text", "spin button")
)
_SURFACES = frozenset(
    ("canvas", "drawing area", "image", "graphic", "embedded", "document web", "document frame")
)
"""Roles of what has no field of its own: keys go to a script or to a picture of something else."""
_RUN_ROLES = frozenset(
    ("push button", "toggle button", "menu item", "push button menu", "icon", "link", "image", "label")
)
_BEGINNING = 40
"""Characters of a text in which a prompt is looked for; no prompt is as long."""
TERMINAL, WITH_SHELL, SURFACE = (
    "a terminal",
    "a window with a shell in it",
    "a page that takes keys without a field",
)
_SAID_OUT = ("terminal", "console", "shell", "repl", "interpreter", "prompt", "idle", "debugger")
"""Words in the title of a window that tells nothing else of itself."""


def executes(place: Place) -> str:
    """What carries out a text that is put in at this place, in words, "" when nothing is known to."""
    names = (place.application, place.program)
    if place.role == "terminal" or is_terminal(*names):
        return TERMINAL
    if is_run_dialog(place.window, *names):
        return "a dialog that starts programs"
    if is_one_of(LAUNCHERS, *names):
        return "a menu that starts programs"
    if _named("remote_viewers", names):
        return "a window onto another computer"
    if _is_tools(place):
        return "the developer tools"
    if in_field := executing_field(place.role, place.name, place.value, place.markup, place.states):
        return in_field
    return _by_surroundings(place, names)


def executing_field(role: str, name: str, value: str, markup: str, states: frozenset[str]) -> str:
    """What a field is that carries out its text, in words; "" for any other element."""
    if role == "terminal":
        return TERMINAL
    if role not in _FIELDS and "editable" not in states:
        return ""
    if "password" in states or role == "password text":
        return ""
    if _has_word(name) or _in_markup(markup):
        return "a field that carries out what it gets"
    if "multiline" not in states and (_prompts(name[:_BEGINNING]) or _prompts(value[:_BEGINNING])):
        return "a command line"
    return ""


def executing_elements(elements: Iterable[Element]) -> list[Element]:
    """Those that carry out what is put into them."""
    return [e for e in elements if executing_field(e.role, e.name, e.value, e.markup, e.states)]


def runs_prepared(place: Place) -> bool:
    """Does pressing what is here carry out a text or a file that stands ready?"""
    if place.role not in _RUN_ROLES and not (not place.role and place.words):
        return False
    return _any_runs((place.name, *place.words))


def enter_runs(place: Place) -> bool:
    """Does Enter here carry out what stands ready: on such a button, or in a dialog that has one?"""
    if runs_prepared(place):
        return True
    return bool(place.dialog) and "multiline" not in place.states and _any_runs(place.buttons)


def _any_runs(names: Iterable[str]) -> bool:
    return any(fold(name) in _folded("run_buttons") for name in names if name)


def names_recipient(place: Place) -> bool:
    """Is it a field for whom something goes to?"""
    if place.role not in _FIELDS and not editable(place):
        return False
    contact = _word_pattern("contact_words").search(fold(place.name)) is not None
    return contact or is_recipients(place.name)


def is_recipients(name: str) -> bool:
    """Is a field of this name for nobody but those whom something goes to?"""
    plain = fold(name).rstrip(":* ")
    return plain in _folded("recipient_names") or _word_pattern("recipient_words").search(plain) is not None


def _by_surroundings(place: Place, names: tuple[str, str]) -> str:
    """What it is by the window around it, where the field itself does not tell."""
    field = bool(place.role) and editable(place)
    if place.hosts_shell and not (field and place.executing):
        return WITH_SHELL
    if (
        place.in_page
        and "multiline" in place.states
        and _word_pattern("code_pages").search(fold(place.window))
    ):
        return "a page that carries out code"
    if is_one_of(BROWSERS, *names):
        return SURFACE if place.role in _SURFACES and not field else ""
    if field:
        return ""
    if place.executing and not place.role:
        return "a window with a terminal in it"
    if _named("command_editors", names):
        return "an editor whose keys are commands"
    unread = not place.role and not place.buttons and len(place.dialog) <= 1
    said = fold(" ".join((place.window, *names)))
    return (
        "a window that calls itself a shell" if unread and any(w in said.split() for w in _SAID_OUT) else ""
    )


def _is_tools(place: Place) -> bool:
    """The developer tools of a browser, docked or in a window of their own."""
    title = fold(place.window)
    tools = title.startswith(
        ("devtools", "developer tools", "web inspector", "browser console", "browser toolbox")
    )
    return place.origin.startswith(("devtools:", "chrome-devtools:")) or (
        tools and is_one_of(BROWSERS, place.application, place.program)
    )


@lru_cache(4_000)
def _prompts(text: str) -> bool:
    """Does it begin with the prompt of a command line, or is it one?"""
    plain = fold(text)
    begins = any(plain.startswith(f"{each} ") for each in _folded("prompts") if len(each) > 1)
    return begins or plain in _folded("prompts") or re.match(r":[!a-z%]", plain) is not None


@lru_cache(4_000)
def _has_word(name: str) -> bool:
    return bool(name) and _word_pattern("field_words").search(fold(name)) is not None


@lru_cache(4_000)
def _in_markup(markup: str) -> bool:
    plain = markup.casefold()
    return bool(plain) and any(part.casefold() in plain for part in policy_tables.execution().field_markup)


def _named(table: str, names: tuple[str, ...]) -> bool:
    known = _folded(table)
    return any(name.strip().casefold().removesuffix(".exe") in known for name in names if name)


@cache
def _folded(table: str) -> frozenset[str]:
    return frozenset(map(fold, getattr(policy_tables.execution(), table)))


@cache
def _word_pattern(table: str) -> re.Pattern[str]:
    """Matches one of a table's words, in writing without blanks anywhere, else as whole words."""
    words = sorted(_folded(table), key=len, reverse=True)
    return re.compile(
        "|".join(re.escape(w) if not w.isascii() else rf"(?<!\w){re.escape(w)}(?!\w)" for w in words)
    )
