"""Resolves the real path of the file that an operation would write, open, delete or send away, also in a dialog that shows the last names of a folder alone.

Only operations that confirm something are looked at (Enter, a button, a shortcut, a drop), and paths are followed
only where a file dialog, a file manager or a save key is in play: all else costs a few microseconds.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path, PurePath

from desktop_agent.platforms.posix import process_files
from desktop_agent.policy.facts import policy_tables
from desktop_agent.policy.facts.files.file_choosers import FILES, is_cancel, is_save
from desktop_agent.policy.facts.files.file_records import Chooser, FileAction, FileTarget
from desktop_agent.policy.facts.files.open_documents import bare_title, document_of
from desktop_agent.policy.facts.files.protected_places import ProtectedPlaces
from desktop_agent.policy.facts.files.real_paths import is_whole, joined, spellings
from desktop_agent.policy.facts.key_effects import accelerator, activates, combo, pastes, presses_enter
from desktop_agent.policy.facts.place import Place, editable
from desktop_agent.policy.facts.programs import BROWSERS, is_one_of
from desktop_agent.protocol import ops
from desktop_agent.protocol.ops import Op
from desktop_agent.support import paths

_BUTTONS = frozenset(("push button", "button", "push button menu", "split button"))
_PRESSED = _BUTTONS | {"menu item", "toggle button"}
_MOST_FILES = 50
_UNREAD = "this file dialog does not tell what is in it."
_NO_FOLDER = "the file dialog does not tell its whole folder."
_NO_NAME = "the file dialog does not tell which file is chosen."
_EDITED = "the name was only just changed; look again."


_MOUNTS = ("/media", "/mnt", "/run/media")


@dataclass
class FileTargets:
    """The files of one run. `said` tells whether a text stands in the user's own words.

    `workspace` is the folder of the files environment. `on_passed` is told the path of each file that may be written.
    """

    protected: ProtectedPlaces = field(default_factory=ProtectedPlaces.of_this_user)
    workspace: str = ""
    said: Callable[[str], bool] = lambda _: False
    on_passed: Callable[[str], None] = lambda _: None
    in_front: str = ""
    _made: set[str] = field(default_factory=set)
    _opened: dict[str, str] = field(default_factory=dict)
    _copied: tuple[str, ...] = ()
    _homes: dict[int, str] = field(default_factory=dict)
    _documents: dict[tuple[int, str], tuple[str, str]] = field(default_factory=dict)

    def target_of(
        self, op: Op, place: Place, typed: str = "", *, edited: bool = False, lifted: Place | None = None
    ) -> FileTarget | None:
        """The file that the operation reaches at the place, the one that matters most of several; None for none.

        `typed` is what is typed on this line since the place was read, `edited` that more than that was done to
        it; `lifted` is where a drag has begun.
        """
        if isinstance(op, ops.Open):
            return self._opens(op)
        if op.traits.carried_out_by == "environment":
            return self._in_workspace(op)
        if place.own or not op.traits.gives_input:
            return None
        found = self._reached(_Situation(op, place, typed, edited, lifted, self._home(place.pid)))
        return max(found, key=lambda each: each.concern, default=None)

    def passed(self, op: Op, place: Place) -> None:
        """Note that the operation is carried out: what it makes may be written again."""
        target = place.file
        if target is not None and target.path and target.action == "write":
            if not os.path.lexists(target.path):
                self._made.update(spellings(target.path))
            self.on_passed(target.path)
        if isinstance(op, ops.Open) and target is not None:
            self._opened[PurePath(target.path).name] = target.path
        if combo(op) in ({"ctrl", "c"}, {"ctrl", "x"}):
            manager = place.chooser is not None and place.chooser.kind == "manager" and not editable(place)
            self._copied = (
                tuple(self._selected(place.chooser, place.pid)) if manager and place.chooser else ()
            )

    # ---- what is reached ---------------------------------------------------------------------

    def _reached(self, case: _Situation) -> Iterable[FileTarget]:
        if case.sends and (leaving := self._carried(case)):
            return leaving
        if case.place.chooser is None:
            return self._document(case)
        if case.place.chooser.kind == "manager":
            return self._managed(case, case.place.chooser)
        return self._chosen(case, case.place.chooser) if case.confirms else ()

    def _chosen(self, case: _Situation, chooser: Chooser) -> Iterator[FileTarget]:
        """A file dialog is confirmed."""
        action: FileAction = "write"
        if chooser.kind == "open":
            action = "leave" if case.sends else "open"
        if chooser.kind == "unread":
            yield FileTarget("leave" if case.sends else "write", unknown=_UNREAD)
            return
        folder = folder_of(chooser, case.home)
        found = list(dict.fromkeys(case.names(chooser)))
        if not found and action != "open":
            yield FileTarget(action, folder, unknown=_NO_NAME)
        for name in found:
            yield from self._named_in(name, folder, action, case)
        if chooser.kind == "rename":
            yield from (self._target("delete", joined(each, folder, case.home)) for each in chooser.selected)

    def _named_in(self, name: str, folder: str, action: FileAction, case: _Situation) -> Iterator[FileTarget]:
        path = joined(name, folder, case.home)
        if not path:
            yield FileTarget(action, name, unknown=_NO_FOLDER)
            return
        if case.edited:
            yield FileTarget(action, path, unknown=_EDITED)
        for each in (path, *_completed(path)) if case.typed else (path,):
            if not os.path.isdir(each):  # noqa: PTH112 - a folder is entered, nothing is written
                yield self._target(action, each)

    def _managed(self, case: _Situation, chooser: Chooser) -> Iterator[FileTarget]:
        """In a file manager: pasting, dropping, deleting, and its menus where the folder or what is selected is protected."""
        op, place = case.op, case.place
        folder = folder_of(chooser, case.home)
        if editable(place):
            return
        if pastes(op) or op.traits.drops:
            yield from self._put_into(case, folder)
        if "delete" in combo(op):
            yield from (self._target("delete", each) for each in self._selected(chooser, place.pid))
        if case.presses and folder:
            touched = [folder + "/", *self._selected(chooser, place.pid)]
            yield from (each for path in touched if (each := self._target("write", path)).why or each.own)

    def _put_into(self, case: _Situation, folder: str) -> Iterator[FileTarget]:
        """Files are pasted or dropped into the folder shown, or onto a folder in it."""
        names: tuple[str, ...] = self._copied if pastes(case.op) else case.lifted_names
        if pastes(case.op) and not names and not folder:
            yield FileTarget("write", unknown="the file manager does not tell its folder.")
        onto = joined(case.place.name, folder, case.home) if case.place.role in FILES and folder else ""
        if onto and os.path.isdir(onto):  # noqa: PTH112
            folder = onto
        if not folder:
            return
        yield self._target("write", folder + "/")
        if pastes(case.op) and not names and self._holds_protected(folder):
            yield FileTarget(
                "write", folder, unknown="the names of the files on the clipboard are not known."
            )
        for name in names:
            yield self._target("write", str(PurePath(folder, PurePath(name).name)), replaces=False)

    def _carried(self, case: _Situation) -> list[FileTarget]:
        """Files that are dropped onto or pasted into something that sends them away."""
        if pastes(case.op):
            return [self._target("leave", path) for path in self._copied]
        lifted = case.lifted
        if (
            not case.op.traits.drops
            or lifted is None
            or lifted.chooser is None
            or lifted.pid == case.place.pid
        ):
            return []
        folder = folder_of(lifted.chooser, self._home(lifted.pid))
        paths = [joined(name, folder, case.home) for name in case.lifted_names]
        return [
            self._target("leave", path) if path else FileTarget("leave", unknown=_NO_FOLDER) for path in paths
        ]

    def _document(self, case: _Situation) -> Iterator[FileTarget]:
        """The document of an editor's window is saved by a key, a button or a menu entry."""
        if case.place.in_page or not (case.saves or case.presses):
            return
        path, name = self._document_in(case)
        if not path:
            if case.saves and name.casefold() in self._protected_names:
                yield FileTarget("write", name, unknown="the window does not tell the file's folder.")
            return
        target = self._target("write", path)
        if target.why or target.own or (case.saves and bare_title(case.place.window) != self.in_front):
            yield target

    def _document_in(self, case: _Situation) -> tuple[str, str]:
        """The window's document; looked up anew when it is saved, and else once for each title."""
        key = (case.place.pid, case.place.window)
        if case.saves or key not in self._documents:
            self._documents[key] = document_of(case.place, case.home, self._opened)
        return self._documents[key]

    def _opens(self, op: ops.Open) -> FileTarget | None:
        home = str(Path.home())
        if not is_whole(op.target):
            return None
        path = joined(op.target, "", home)
        return self._target("open", path) if path else None

    def _in_workspace(self, op: Op) -> FileTarget | None:
        if not isinstance(op, ops.WriteFile | ops.EditFile) or not self.workspace:
            return None
        return self._target(
            "write", joined(op.path, self.workspace, ""), replaces=isinstance(op, ops.WriteFile)
        )

    # ---- one path ----------------------------------------------------------------------------

    def _target(self, action: FileAction, path: str, *, replaces: bool = True) -> FileTarget:
        real = spellings(path)
        protection = self.protected.of(path)
        made = any(each in self._made for each in real)
        there = os.path.lexists(path) and not os.path.isdir(path)  # noqa: PTH112
        return FileTarget(
            action,
            real[0],
            why=protection.why if protection else "",
            own=protection is not None and protection.own,
            overwrites=replaces and there and not made,
            named=self._is_named(real),
        )

    def _is_named(self, real: tuple[str, ...]) -> bool:
        """Do the user's words name this very file: its whole path, the last parts of it, or its name?"""
        for path in real:
            parts = PurePath(path).parts
            tails = [str(PurePath(*parts[-count:])) for count in range(1, min(5, len(parts) + 1))]
            if any(self.said(form) for form in (path, *(t for t in tails if len(t) > 2))):
                return True
        return False

    def _home(self, pid: int) -> str:
        """The home folder that the process was started with; it is protected like the user's own."""
        if pid not in self._homes:
            self._homes[pid] = process_files.variable(pid, "HOME") or str(Path.home())
            self.protected = self.protected.with_home(self._homes[pid])
        return self._homes[pid]

    def _selected(self, chooser: Chooser | None, pid: int) -> list[str]:
        if chooser is None or not (folder := folder_of(chooser, self._home(pid))):
            return []
        return [str(PurePath(folder, name)) for name in chooser.selected]

    def _holds_protected(self, folder: str) -> bool:
        return any(os.path.dirname(place.path) == folder for place in self.protected.watched())  # noqa: PTH120

    @cached_property
    def _protected_names(self) -> frozenset[str]:
        return frozenset(name.casefold() for name in self.protected.names())


@dataclass(frozen=True)
class _Situation:
    """One operation at one place, with what it confirms."""

    op: Op
    place: Place
    typed: str
    edited: bool
    lifted: Place | None
    home: str

    @cached_property
    def confirms(self) -> bool:
        """Does it end the dialog by taking what is chosen in it?"""
        op, place = self.op, self.place
        button = place.role in _BUTTONS
        if button and is_cancel(place.name):
            return False
        if op.traits.gives_focus:
            unread = place.chooser is not None and place.chooser.kind == "unread"
            twice = place.role in FILES and getattr(op, "count", 1) > 1
            return button or twice or unread
        return presses_enter(op) or bool(accelerator(op)) or (activates(op) and button)

    @cached_property
    def presses(self) -> bool:
        """Does it press a button or take an entry of a menu?"""
        return ((self.op.traits.gives_focus or activates(self.op)) and self.place.role in _PRESSED) or bool(
            accelerator(self.op)
        )

    @cached_property
    def saves(self) -> bool:
        """Is it the key, button or menu entry that writes a document to its file?"""
        return combo(self.op) == {"ctrl", "s"} or (self.presses and is_save(self.place.name))

    @cached_property
    def sends(self) -> bool:
        """Is it a browser or another program that sends files away?"""
        names = (self.place.application, self.place.program)
        mail = policy_tables.file_dialogs().mail_programs
        return is_one_of(BROWSERS, *names) or any(name.casefold() in mail for name in names)

    @property
    def lifted_names(self) -> tuple[str, ...]:
        """The names of the files that were dragged along: those selected when it is one of them."""
        return lifted_files(self.lifted) if self.lifted is not None else ()

    def names(self, chooser: Chooser) -> Iterator[str]:
        """The names that may be confirmed, by what stands in the field and what was typed since.

        What is selected in the field is not known: text may have replaced all of it, or all but the ending.
        """
        if self.op.traits.gives_focus and self.place.role in FILES:
            yield self.place.name
        in_field = editable(self.place) or self.op.traits.gives_focus
        if not chooser.has_field or not in_field:
            yield from chooser.selected[:_MOST_FILES]
        if not chooser.has_field:
            return
        text, name = self.line, chooser.name
        if not text:
            yield from (name,) if name else ()
            return
        yield text
        if name:
            yield from (text + PurePath(name).suffix, name + text, text + name)

    @property
    def line(self) -> str:
        """What was typed since, up to the line feed with which this operation confirms it."""
        own = (
            self.op.text.partition("\n")[0]
            if isinstance(self.op, ops.Type) and presses_enter(self.op)
            else ""
        )
        return self.typed + own


def lifted_files(lifted: Place) -> tuple[str, ...]:
    """The names of the files that go along when this is dragged; none where it is no file."""
    if lifted.chooser is None or lifted.role not in FILES or not lifted.name:
        return ()
    selected = lifted.chooser.selected
    return selected if lifted.name in selected else (lifted.name,)


def _completed(path: str) -> Iterator[str]:
    """Files that the name may still be completed to: dialogs add what is missing of a name while it is typed."""
    folder, name = os.path.split(path)
    if not name:
        return
    try:
        with os.scandir(folder) as entries:
            found = [entry.path for entry in entries if entry.name.startswith(name) and entry.name != name]
    except OSError:
        return
    yield from found[:_MOST_FILES]


# GTK's path bar begins at the home folder or wherever there was room. The names are tried under every folder that
# is likely, and where the system tells what the program watches, only a folder that it watches counts: GTK's
# dialogs watch the one that they show. When not exactly one is left, the folder is unknown.
def folder_of(chooser: Chooser, home: str) -> str:
    """The whole path of the folder shown, "" when it cannot be told."""
    if chooser.folder:
        return joined(chooser.folder, "", home) if is_whole(chooser.folder) else ""
    if not chooser.trail:
        return ""
    watched = process_files.watched_files(chooser.pid)
    found = {
        os.path.realpath(folder)
        for folder in _candidates(chooser, home)
        if (place := _identity(folder)) is not None and (not watched or place in watched)
    }
    return found.pop() if len(found) == 1 else ""


def _candidates(chooser: Chooser, home: str) -> Iterator[str]:
    names = [name.strip("/") for name in chooser.trail]
    names = names[1:] if not names[0] else names
    if any("/" in name or name in ("", ".", "..") for name in names):
        return
    for base in dict.fromkeys(_bases(chooser, home)):
        yield str(Path(base, *names))


def _bases(chooser: Chooser, home: str) -> Iterator[str]:
    """Folders in which the first name shown may be: those above what the program has to do with."""
    known = [home, *(str(paths.of_user(kind, home)) for kind in paths.USUAL)]
    known.append(process_files.working_folder(chooser.pid))
    known += [
        each.removeprefix("file://")
        for each in process_files.arguments(chooser.pid)
        if each.startswith(("/", "file:///"))
    ]
    for each in known:
        if each:
            yield each
            yield from map(str, Path(each).parents)
    for mount in _MOUNTS:
        yield mount
        yield from _folders_in(mount)


def _folders_in(folder: str) -> Iterator[str]:
    try:
        with os.scandir(folder) as entries:
            yield from [entry.path for entry in entries if entry.is_dir()][:50]
    except OSError:
        return


def _identity(folder: str) -> tuple[int, int] | None:
    try:
        there = os.stat(folder)  # noqa: PTH116
    except (OSError, ValueError):
        return None
    return (there.st_dev, there.st_ino) if os.path.isdir(folder) else None  # noqa: PTH112
