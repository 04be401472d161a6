"""Watches the protected places while a run lasts, and tells when one of them changes, however it came about.

Folders are watched rather than single files: a file that is replaced by another keeps its name and not its
identity. What counts is what stands in the table with `watch`; what the user said yes to, and what this
program writes itself, is known by its path.
"""

from __future__ import annotations

import logging
import os
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from pathlib import Path, PurePath

from watchdog.events import (
    DirCreatedEvent,
    DirDeletedEvent,
    DirMovedEvent,
    FileAttribEvent,
    FileCreatedEvent,
    FileDeletedEvent,
    FileModifiedEvent,
    FileMovedEvent,
    FileSystemEvent,
    FileSystemEventHandler,
)
from watchdog.observers import Observer
from watchdog.observers.api import BaseObserver
from watchdog.observers.inotify_move_event_grouper import InotifyMoveEventGrouper

from desktop_agent.agent.acting.change_authors import Author
from desktop_agent.policy.facts import policy_tables
from desktop_agent.policy.facts.files.protected_places import ProtectedPlaces
from desktop_agent.policy.facts.files.real_paths import spellings

MOVE_SECONDS = 0.02
"""For how long the library waits for the other half of a move; its own 0.5 s would be too late to stop."""
_EVENTS: list[type[FileSystemEvent]] = [
    FileCreatedEvent, FileModifiedEvent, FileAttribEvent, FileMovedEvent, FileDeletedEvent,
    DirCreatedEvent, DirMovedEvent, DirDeletedEvent,
]  # fmt: skip
_log = logging.getLogger(__name__)


@dataclass(eq=False)
class ProtectedWatch(FileSystemEventHandler):
    """Calls `on_change(path, why)` for the first change of a watched place by the run, in a thread of its own.

    `ours` tells which files this program writes itself, `author` whose doing a change is. For one that may be
    the run's or another's `on_doubt(path, why)` is called, for another's `on_other(path, why)`, and for what the
    package manager changes nothing. `on_blind(reason)` is called when the system cannot watch at all. A thread
    begins it, as many records take a while.
    """

    places: ProtectedPlaces
    on_change: Callable[[str, str], None]
    ours: Callable[[str], bool]
    on_blind: Callable[[str], None] = lambda _: None
    author: Callable[[str], Author] = lambda _: "run"
    on_doubt: Callable[[str, str], None] = lambda _path, _why: None
    on_other: Callable[[str, str], None] = lambda _path, _why: None
    ready: threading.Event = field(default_factory=threading.Event)
    _expected: set[str] = field(default_factory=set)
    _folders: set[tuple[str, bool]] = field(default_factory=set)
    _programs: set[str] = field(default_factory=set)
    _observer: BaseObserver | None = None
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _told: bool = False
    _closed: bool = False

    def start(self) -> None:
        """Begin to watch; `ready` is set once everything is watched."""
        threading.Thread(target=self._start, name="protected-watch", daemon=True).start()

    def expect(self, path: str) -> None:
        """The user said yes to a change of this file: it does not count."""
        self._expected.update(spellings(path))

    def close(self) -> None:
        """End it; nothing is told afterwards."""
        with self._lock:
            self._closed = True
            observer, self._observer = self._observer, None
        if observer is not None:
            observer.stop()

    # ---- what is watched ---------------------------------------------------------------------

    def _start(self) -> None:
        InotifyMoveEventGrouper.delay = MOVE_SECONDS
        logging.getLogger("watchdog").setLevel(logging.CRITICAL)  # at its end it reports that it has ended
        try:
            observer = Observer()
            with self._lock:
                if self._closed:
                    return
                self._observer = observer
            observer.daemon = True
            observer.start()
            self._note_programs()
            self._watch_all()
        except OSError as error:  # the system has no more watches to give
            self.on_blind(str(error))
        finally:
            self.ready.set()

    def _watch_all(self) -> list[str]:
        """Watch what is there and is not watched yet; returns the folders that were added."""
        added = []
        for folder, whole in self._wanted():
            if (folder, True) in self._folders or (folder, whole) in self._folders:
                continue
            self._folders.add((folder, whole))
            if self._watch(folder, whole):
                added.append(folder)
        return added

    def _note_programs(self) -> None:
        """Keep which programs are there: of a file that is gone nobody can tell any more whether it could be run."""
        for place in self.places.watched():
            if place.programs_only and place.folder:
                self._programs.update(_programs_in(place.path))

    def _wanted(self) -> Iterator[tuple[str, bool]]:
        """Each folder, and whether with all below it: of a place that is not there the nearest folder that is."""
        for place in self.places.watched():
            real = os.path.realpath(place.path)
            for path in dict.fromkeys((place.path, real)):
                if place.folder and os.path.isdir(path):  # noqa: PTH112
                    yield path, True
                yield _nearest(path), False

    def _watch(self, folder: str, whole: bool) -> bool:
        observer = self._observer
        if observer is None:
            return False
        try:
            observer.schedule(self, folder, recursive=whole, event_filter=_EVENTS)
        except OSError as error:
            _log.warning("the protected folder %s cannot be watched: %s", folder, error)
            return False
        return True

    # ---- what happens there ------------------------------------------------------------------

    def on_any_event(self, event: FileSystemEvent) -> None:
        for path in (event.src_path, event.dest_path):
            if path:
                self._changed(os.fsdecode(path), event)

    def _changed(self, path: str, event: FileSystemEvent) -> None:
        if not event.is_directory or not os.path.isdir(path):  # noqa: PTH112
            self._judge(path, content=not isinstance(event, FileAttribEvent))
            return
        for added in self._watch_all():  # files may have been put there before it was watched
            for folder, _, names in os.walk(added) if _inside(added, path) else ():
                for name in names:
                    self._judge(str(PurePath(folder, name)))

    def _judge(self, path: str, content: bool = True) -> None:
        """Tell of it when it counts; without a change of `content`, only what can be run now, or no more, does."""
        if self.ours(path) or self._is_expected(path):
            return
        protection = self.places.of(path)
        if protection is None or not protection.watched:
            return
        if protection.programs_only:
            if path not in self._programs and not _can_be_run(path):
                return
        elif not content:
            return
        if self._told or self._closed:
            return
        author = self.author(path)
        with self._lock:
            if self._told or self._closed:
                return
            self._told = author == "run"
        if author != "run":
            _log.info("%s, which is %s, was changed by: %s", path, protection.why, author)
        if tell := {"run": self.on_change, "unknown": self.on_doubt, "other": self.on_other}.get(author):
            tell(path, protection.why)

    def _is_expected(self, path: str) -> bool:
        """Was it said yes to, or is it a file that programs write beside one of those?"""
        if any(each in self._expected for each in spellings(path)):
            return True
        folder, name = os.path.split(path)
        beside = any(os.path.dirname(each) == folder for each in self._expected)  # noqa: PTH120
        return beside and any(fnmatchcase(name, pattern) for pattern in policy_tables.protected().temporary)


def _nearest(path: str) -> str:
    """The nearest folder above the path that is there."""
    return str(next(each for each in Path(path).parents if each.is_dir()))


def _programs_in(folder: str) -> Iterator[str]:
    try:
        with os.scandir(folder) as entries:
            yield from (entry.path for entry in entries if _can_be_run(entry.path))
    except OSError:
        return


def _can_be_run(path: str) -> bool:
    """Is it a file that may be run? On Windows every file that is there may."""
    return os.path.isfile(path) and os.access(path, os.X_OK)  # noqa: PTH113


def _inside(path: str, folder: str) -> bool:
    return path == folder or path.startswith(folder.rstrip("/\\") + os.sep)
