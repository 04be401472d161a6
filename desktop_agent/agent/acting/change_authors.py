"""Tells whether a protected file was changed by the run or by somebody else: by rights, by processes, and by time.

Linux names nobody as the writer of a file, or only to who administers the system: inotify tells no process,
and fanotify keeps it to itself. So three things are put together: which rights the change took, which
processes there are below us and below the programs that the run works, and whether the run was acting. What they
do not settle stays unknown; the run then waits for the user.
"""

from __future__ import annotations

import os
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, TypeAlias

from desktop_agent.platforms.posix.process_tree import (
    Process,
    file_of,
    processes,
    user_of,
    with_descendants,
    writers_of,
)
from desktop_agent.policy.facts import policy_tables
from desktop_agent.policy.facts.execution_places import executes
from desktop_agent.policy.facts.place import Place
from desktop_agent.policy.rules.grant_limits import seconds_since_boot
from desktop_agent.protocol import agent_events as say
from desktop_agent.protocol.ops import Op

Author: TypeAlias = Literal["run", "packages", "other", "unknown"]
"""Whose doing a change is: the run's, the package manager's of the system, somebody else's, or it cannot be told."""

SETTLING_SECONDS = 3.0
"""For how long after the run has acted its programs may still be at it."""
_PACKAGES_SECONDS = 5.0
"""On a busy computer a change is judged when the package manager that made it has ended."""

_SAME_SECONDS = 0.1
"""For how long whoever was found is taken for the author of what else changes in the same folder."""


@dataclass(eq=False)
class ChangeAuthors:
    """The authors of changes during one run; it is made when the run begins.

    `homes` are folders in which no package manager of the system writes.
    """

    homes: tuple[str, ...] = ()
    _began: float = field(default_factory=seconds_since_boot)
    _worked: set[int] = field(default_factory=set)
    _commands: bool = False
    _executing: bool = False
    _acted: float = float("-inf")
    _packages: float = float("-inf")
    _last: tuple[Author, str, float] = ("unknown", "", 0.0)

    def hear(self, event: say.FeedEvent) -> None:
        """Take in from the feed when the run acts."""
        if isinstance(event, say.Status):
            if self._executing:
                self._acted = time.monotonic()
            self._executing = event.state == "executing"

    def work(self, op: Op, place: Place) -> None:
        """The run is about to carry this out there. Once it has given a command, something may go on without input."""
        self._last = ("unknown", "", 0.0)
        if place.pid:
            self._worked.add(place.pid)
        in_environment = op.traits.carried_out_by == "environment" and not place.contained
        if in_environment or place.hosts_shell or place.executing or executes(place):
            self._commands = True

    @property
    def acting(self) -> bool:
        """Does the run act, or did it a moment ago?"""
        return self._executing or time.monotonic() - self._acted < SETTLING_SECONDS

    def of(self, path: str) -> Author:
        """Whose doing it is that this file has changed just now."""
        folder = os.path.dirname(path)  # noqa: PTH120
        author, told_of, until = self._last
        steady = author == "packages" or (author == "other" and not self.acting)
        if steady and folder == told_of and time.monotonic() < until:
            return author  # an upgrade or a synchronisation changes thousands of files
        author = self._judge(path)
        self._last = author, folder, time.monotonic() + _SAME_SECONDS
        return author

    def _judge(self, path: str) -> Author:
        there = processes()
        ours = with_descendants({os.getpid(), *self._worked}, there)
        if any(writers_of(path, ours)):
            return "run"
        if _of_system(path, self.homes) and self._packages_change(ours, there):
            return "packages"
        if any(writers_of(path, there.keys() - ours)):
            return "other"
        commands = self._commands or self._terminal_below(there)
        if there and _out_of_reach(path) and not commands and not _with_other_rights(ours):
            return "other"
        if self.acting:
            return "run" if commands else "unknown"
        return "unknown" if commands or not there or self._started_below(there) else "other"

    def _packages_change(self, ours: set[int], there: Mapping[int, Process]) -> bool:
        """Does a package manager of the system work that the run has not started, or did it a moment ago?"""
        managers = policy_tables.protected().package_managers
        if any(
            each.name in managers and each.pid not in ours and user_of(each.pid) == 0
            for each in there.values()
        ):
            self._packages = time.monotonic()
        return time.monotonic() - self._packages < _PACKAGES_SECONDS

    def _terminal_below(self, there: Mapping[int, Process]) -> bool:
        """Has a program that the run works a terminal of its own, in which commands run?"""
        mine = there[os.getpid()].terminal if os.getpid() in there else 0
        return any(there[pid].terminal not in (0, mine) for pid in with_descendants(self._worked, there))

    def _started_below(self, there: Mapping[int, Process]) -> bool:
        """Has a program that the run works started another one since the run began? One of its own file is a part of it."""
        below = with_descendants(self._worked, there) - self._worked
        began = (there[pid] for pid in below if there[pid].born >= self._began)
        return any(file_of(each.pid) != file_of(each.parent) for each in began)


def _of_system(path: str, homes: tuple[str, ...]) -> bool:
    """Is it in a folder that belongs to the system, and in nobody's home?"""
    real = Path(os.path.realpath(path))
    if any(real.is_relative_to(os.path.realpath(home)) for home in homes):
        return False
    try:
        return _folder(path).stat().st_uid == 0
    except OSError:
        return False


def _out_of_reach(path: str) -> bool:
    """Can nobody with our rights change it?"""
    return not os.access(_folder(path), os.W_OK) and not os.access(path, os.W_OK)


def _folder(path: str) -> Path:
    return next(each for each in Path(path).parents if each.is_dir())


def _with_other_rights(ours: set[int]) -> bool:
    """Has one of these processes the rights of another user?"""
    return any(user_of(pid) not in (os.geteuid(), -1) for pid in ours)
