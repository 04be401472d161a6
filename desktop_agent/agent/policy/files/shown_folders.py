"""Finds the real folder that a file dialog shows, also where it shows only the last names of the path.

GTK's path bar begins at the home folder or wherever there was room. The names are tried under every folder that
is likely, and where the system tells what the program watches, only a folder that it watches counts: GTK's
dialogs watch the one that they show. When not exactly one is left, the folder is unknown.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from desktop_agent.agent.policy.files.file_records import Chooser
from desktop_agent.agent.policy.files.real_paths import is_whole, joined
from desktop_agent.platforms.posix import process_files
from desktop_agent.support import paths

_MOUNTS = ("/media", "/mnt", "/run/media")


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
