"""Finds the file that an editor's window has open, by its title and by what the program was started with."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from pathlib import Path, PurePath
from urllib.parse import unquote

from desktop_agent.platforms.posix import process_files
from desktop_agent.policy.facts.files.real_paths import is_whole, joined
from desktop_agent.policy.facts.place import Place

_PATH = re.compile(r"(?:^|[\s*(\[“\"])((?:~?/|[A-Za-z]:[\\/])[^\n]*?)(?=$| [-–—|] |[)\]”\"]| \((?!/))")
_SPLIT = re.compile(r" [-–—|] ")
_MARKS = "*●• \u200e\u200f"
_RECENT_BYTES = 400_000


def document_of(place: Place, home: str, opened: Mapping[str, str]) -> tuple[str, str]:
    """The whole path of the document, and its name when only that is known; "" for what cannot be told.

    `opened` are paths by name that this run has opened.
    """
    names = [part.strip(_MARKS) for part in _SPLIT.split(place.window)]
    if match := _PATH.search(place.window):
        shown = joined(match.group(1), "", home)
        name = names[0].partition(" (")[0].strip(_MARKS)
        beside = str(PurePath(shown, name))
        return (beside if not is_whole(name) and os.path.exists(beside) else shown), PurePath(shown).name  # noqa: PTH110
    for name in names:
        name = name.partition(" (")[0].strip(_MARKS)
        if name and (found := _by_name(name, place.pid, home, opened)):
            return found, name
    return "", next(iter(names), "")


def titled(window: str) -> list[str]:
    """What a window's title may call its document."""
    return [part.strip(_MARKS).partition(" (")[0].strip(_MARKS) for part in _SPLIT.split(window)]


def bare_title(title: str) -> str:
    """A window's title without the marks of a changed document."""
    return title.strip(_MARKS)


def _by_name(name: str, pid: int, home: str, opened: Mapping[str, str]) -> str:
    if name in opened:
        return opened[name]
    folder = process_files.working_folder(pid)
    for argument in process_files.arguments(pid):
        path = joined(argument, folder, home)
        if PurePath(path).name == name and os.path.exists(path):  # noqa: PTH110
            return path
    return _recent(name, home)


def _recent(name: str, home: str) -> str:
    """The newest path of this name on the desktop's list of files that were used; "" when there is none."""
    if "." not in name:
        return ""
    try:
        with Path(home, ".local/share/recently-used.xbel").open("rb") as file:
            file.seek(max(0, os.fstat(file.fileno()).st_size - _RECENT_BYTES))
            text = file.read().decode("utf-8", "replace")
    except OSError:
        return ""
    found = (unquote(each) for each in re.findall(r'href="file://([^"]*)"', text))
    return next(reversed([each for each in found if PurePath(each).name == name]), "")
