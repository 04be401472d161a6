"""Tells which files this program itself writes during a run, so that a watch does not take them for another's work."""

from __future__ import annotations

import logging
import os
from collections.abc import Iterator
from fnmatch import fnmatch
from pathlib import Path

from desktop_agent.agent.runlog import heads
from desktop_agent.support import paths

_ENDED = b'"ended":true'
HISTORY = "history"
"""The folder beside the runs with the index in which they are searched: a cache of ours."""
_deleted: set[str] = set()


def will_delete(run: str) -> None:
    """From now on it is this program that removes the files of the run of this name."""
    _deleted.add(run)


class OwnWrites:
    """The files that belong to one run: its record, the head of it, the program's log, what its model has read,
    and where its window keeps its place.

    Records of runs that another instance of this program is writing count as well: those that were not ended
    when this run began, and those that began later; so does what this program deletes. So do the notes in `notes`,
    which the user may change as well.
    """

    def __init__(self, run: Path, notes: Path | None = None) -> None:
        self._notes = notes
        self._runs = run.absolute().parent
        self._heads = heads.folder_of(run)
        self._ended = frozenset(_ended(self._heads)) - {run.name}

    def holds(self, path: str) -> bool:
        """Is it a file, or the folder of files, that this program writes by itself?"""
        place = Path(path)
        if place in (self._runs, self._heads) or str(place) in _log_files():
            return True
        if _of_window(place) or _of_crash(place) or _of_model(place) or _of_agents(place):
            return True
        if self._notes is not None and place.is_relative_to(self._notes):
            return True
        if place.is_relative_to(self._runs.parent / HISTORY):
            return True
        for folder in (self._runs, self._heads):
            if place.is_relative_to(folder):
                name = place.relative_to(folder).parts[0]
                return name != "key" and (_run_of(name) not in self._ended or _run_of(name) in _deleted)
        return False


def _run_of(name: str) -> str:
    """The run that a folder of `runs` or a file of `heads` belongs to; heads are written beside and renamed."""
    return name.partition(".head")[0].lstrip(".")


def _ended(folder: Path) -> Iterator[str]:
    try:
        for each in folder.glob("*.head"):
            if _ENDED in each.read_bytes():
                yield each.name.removesuffix(".head")
    except OSError:
        return


def _of_window(place: Path) -> bool:
    """Where the window keeps its place and the goals given; a lock and a new file are written beside them."""
    kept = (paths.WINDOW_STATE, paths.INPUT_HISTORY)
    return place.parent == paths.settings() and place.name.lstrip(".").startswith(kept)


def _of_crash(place: Path) -> bool:
    """A report of a crash, or which of them the user has been told of."""
    named = fnmatch(place.name, paths.CRASH_REPORTS) or place.name == paths.TOLD_CRASHES
    return named and place.parent == paths.logs()


def _of_model(place: Path) -> bool:
    """A model's cache (it is bound to the model and checked before it is used), or a folder of those."""
    caches = paths.kv_caches()
    named = place.name.lstrip(".").startswith("kv_cache")
    return place == caches or place.parent == caches or (named and place.parent.parent == caches)


_AGENTS_FILES = ("agents.json", "agents.lock", "move.json")
_AGENTS_FOLDERS = ("docker_build", "trash", "workspace")
_FILES_OF_AGENT = ("original.", "kv_cache", "state.json", "lock")
_FOLDERS_OF_AGENT = ("runs", "heads")


def _of_agents(place: Path) -> bool:
    """What the agents of this program are kept in: their list, their homes (they work there), their conversations and runs.

    The keys of their records are not among it. A new file is written beside the old one under a longer name.
    """
    data = paths.data()
    if not place.is_relative_to(data):
        return False
    match place.relative_to(data).parts:
        case () | ("context", *_) if place.name == "key":
            return False
        case (folder, *_) if folder in _AGENTS_FOLDERS:
            return True
        case (file,):
            return file == "context" or file.lstrip(".").startswith(_AGENTS_FILES)
        case ("context", _):
            return True
        case ("context", _, folder, *_) if folder in _FOLDERS_OF_AGENT:
            return True
        case ("context", _, file):
            return file.lstrip(".").startswith(_FILES_OF_AGENT)
    return False


def _log_files() -> Iterator[str]:
    for handler in logging.getLogger("desktop_agent").handlers:
        if isinstance(handler, logging.FileHandler):
            base = os.path.abspath(handler.baseFilename)  # noqa: PTH100
            yield from (base, f"{base}.1", f"{base}.2")
