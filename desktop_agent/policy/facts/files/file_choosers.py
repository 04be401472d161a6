"""Reads a file dialog or a file manager's window from its elements: the name field, and the folder shown.

Dialogs are known by structure rather than by title: GTK 2 and 3 and Firefox (role "file chooser"), Qt and the dialogs of
Windows (a dialog with a field for text and a whole path shown beside it), the rename dialogs of file managers, the
printing dialog of GTK (the file stands on a button).
A dialog of a browser, or of Tk, that tells none of its elements is `unread`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from typing import Literal

from desktop_agent.platforms.base import WindowInfo
from desktop_agent.policy.facts import policy_tables
from desktop_agent.policy.facts.confusables import fold
from desktop_agent.policy.facts.files.file_records import Chooser, ChooserKind
from desktop_agent.policy.facts.place import Place
from desktop_agent.policy.facts.programs import BROWSERS, FILE_MANAGERS, is_one_of
from desktop_agent.vision.observation import Element

_DIALOGS = frozenset(("dialog", "file chooser", "alert", "window", "pane", "frame"))
_FIELDS = frozenset(("text", "entry", "editbar", "edit", "autocomplete"))
_PATH_BOXES = frozenset(("combo box", "text", "entry", "label", "tool bar", "editbar", "autocomplete"))
FILES = frozenset(("table cell", "list item", "icon", "tree item", "table row"))
"""Roles of files in a list of files."""
_WHOLE_PATH = re.compile(r"(?:^|^[^:/\\]{1,30}: )((?:/|[A-Za-z]:[\\/]|\\\\|~/|~$)[^\n]*)$")
_PATH_ON_BUTTON = re.compile(r"(?:~?/|(?:\.\.\.|…).*/).*[^/]$")
"""A long one is cut in front; then its folder is not told."""


def chooser_in(place: Place, elements: Sequence[Element]) -> Chooser | None:
    """The file dialog or file manager that the place is in, by all elements of its process; None when it is neither."""
    if place.in_page or not place.known:
        return None
    mine = [each for each in elements if each.source == "tree" and each.window == place.window]
    if any(each.role == "file chooser" for each in mine):
        return _gtk(place, mine)
    if is_one_of(FILE_MANAGERS, place.application, place.program):
        return _manager(place, mine, [each for each in elements if each.source == "tree"])
    return _with_path_shown(place, mine)


def unread_chooser(
    place: Place, elements: Sequence[Element], windows: Callable[[], Sequence[WindowInfo]]
) -> Chooser | None:
    """A window that tells none of its elements and may be a file dialog: of such a class, or a browser's second window."""
    if (
        not place.known
        or place.desktop
        or place.role
        or any(each.window == place.window for each in elements)
    ):
        return None
    if _of_dialog_class(place):
        return Chooser("unread", place.pid)
    if not place.pid or not is_one_of(BROWSERS, place.application, place.program):
        return None
    others = [each for each in windows() if each.pid == place.pid and each.title != place.window]
    return Chooser("unread", place.pid) if others else None


def is_cancel(name: str) -> bool:
    """Does a button of this name leave everything as it is?"""
    return _plain(name) in _words("cancel")


def is_save(name: str) -> bool:
    """Is this the name of a button or menu entry that writes the document to its file?"""
    return _plain(name) in _words("save_keys")


def _gtk(place: Place, mine: Sequence[Element]) -> Chooser:
    field = _name_field(mine)
    kind: ChooserKind = "open" if field is None or _only_opens(mine) else "save"
    return Chooser(
        kind,
        place.pid,
        field.value if field else "",
        field is not None,
        _shown_path(each for each in mine if each is not field),
        _path_bar(mine) or _folder_box(mine),
        _selected(mine),
    )


def _with_path_shown(place: Place, mine: Sequence[Element]) -> Chooser | None:
    """A dialog of another toolkit: a field for a name, a button, and beside them a whole path, or a button that bears one."""
    if not any(each.role in ("dialog", "alert") for each in mine):
        return None
    if written := [e.name for e in mine if e.role == "push button" and _PATH_ON_BUTTON.match(e.name)]:
        return Chooser("save", place.pid, selected=tuple(written))  # GTK's printing to a file
    field = _name_field(mine)
    if field is None or not any(each.role == "push button" for each in mine):
        return None
    folder = _shown_path(each for each in mine if each is not field and "editable" not in each.states)
    if not folder:
        return None
    kind: ChooserKind = "open" if _only_opens(mine) else "save"
    return Chooser(kind, place.pid, field.value, True, folder, (), _selected(mine))


def _manager(place: Place, mine: Sequence[Element], elements: Sequence[Element]) -> Chooser:
    """The window of a file manager, or its dialog, whose folder is that of the window behind."""
    folder = _shown_path(mine) or _shown_path(elements)
    trail = _path_bar(mine) or _path_bar(elements)
    dialog = any(each.role in ("dialog", "alert") for each in mine)
    field = _name_field(mine)
    if field is not None and not _WHOLE_PATH.match(field.value) and (dialog or "focused" in field.states):
        return Chooser("rename", place.pid, field.value, True, folder, trail, _selected(elements))
    selected = _selected(mine) or (_selected(elements) if dialog else ())  # it asks about those behind it
    return Chooser("manager", place.pid, "", False, folder, trail, selected)


def _name_field(mine: Sequence[Element]) -> Element | None:
    """The field for the name: of several the one with the keyboard, else the first; not the steps of a number."""
    fields = [each for each in mine if each.role in _FIELDS and "editable" in each.states]
    focused = [each for each in fields if "focused" in each.states]
    return next(iter(focused or fields), None)


def _only_opens(mine: Iterable[Element]) -> bool:
    return any(each.role == "push button" and _plain(each.name) in _words("open") for each in mine)


def _shown_path(elements: Iterable[Element]) -> str:
    """The whole path that a box or a label shows; "" when there is none or there are different ones."""
    found = set()
    for each in elements:
        if each.role in _PATH_BOXES:
            for text in (each.value, each.name):
                if match := _WHOLE_PATH.match(text):
                    found.add(match.group(1))
    return found.pop() if len(found) == 1 else ""


def _path_bar(mine: Sequence[Element]) -> tuple[str, ...]:
    """The names on GTK's path bar up to the folder shown: buttons side by side, of which one is pressed in."""
    for current in mine:
        if (
            current.role != "toggle button"
            or not current.states & {"checked", "pressed"}
            or not current.trail
        ):
            continue
        row = [e for e in mine if e.role == "toggle button" and e.trail[:-1] == current.trail[:-1]]
        moves = [e for e in mine if e.role == "push button" and e.trail[:-1] == current.trail[:-1]]
        if moves:
            row.sort(key=lambda each: each.trail)
            return tuple(each.name for each in row[: row.index(current) + 1])
    return ()


def _folder_box(mine: Sequence[Element]) -> tuple[str, ...]:
    """The one name in GTK 2's box “Save in folder”, which stands above the list or alone."""
    boxes = [each for each in mine if each.role == "combo box" and each.value]
    return (boxes[0].value,) if len(boxes) == 1 else ()


def _selected(mine: Iterable[Element]) -> tuple[str, ...]:
    return tuple(each.name for each in mine if each.role in FILES and "selected" in each.states and each.name)


def _of_dialog_class(place: Place) -> bool:
    classes = policy_tables.file_dialogs().window_classes
    return place.application.casefold() in classes or place.program.casefold() in classes


@cache
def _words(field: Literal["cancel", "open", "save_keys"]) -> frozenset[str]:
    return frozenset(map(_plain, getattr(policy_tables.file_dialogs(), field)))


def _plain(name: str) -> str:
    return fold(name).strip(" .…").replace("_", "")
