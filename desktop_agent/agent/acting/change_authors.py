"""Tells whether a protected file was changed by the run or by somebody else: by rights, by processes, and by time.

Linux tells nobody without the rights of root who has written a file: inotify names no process, fanotify names
it only to whoever administers the system. So three things are put together: which rights the change took, which
processes there are below us and below the programs that the run works, and whether the run was acting.
Where they do not exclude the run, nothing is taken for another's doing.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, TypeAlias

from desktop_agent.agent.policy import policy_tables
from desktop_agent.agent.policy.execution_places import executes
from desktop_agent.agent.policy.input_grant.grant_clock import seconds_since_boot
from desktop_agent.agent.policy.place import Place
from desktop_agent.platforms.posix.process_tree import (
    Process,
    processes,
    user_of,
    with_descendants,
    writers_of,
)
from desktop_agent.protocol.ops import Op

Author: TypeAlias = Literal["run", "other", "unknown"]
"""Whose doing a change is: that of the run, that of somebody else, or either's."""

SETTLING_SECONDS = 3.0
"""For how long after the run has acted its programs may still be at it."""
_PACKAGES_SECONDS = 5.0
"""What a package manager has written is told after it, when the computer is busy."""


@dataclass(eq=False)
class ChangeAuthors:
    """The authors of changes during one run. `acting()` tells whether the run acts, or did a moment ago.

    `homes` are the folders in which no package manager of the system writes. It begins when the run does.
    """

    acting: Callable[[], bool]
    homes: tuple[str, ...] = ()
    _began: float = field(default_factory=seconds_since_boot)
    _worked: set[int] = field(default_factory=set)
    _shell: bool = False
    _packages: float = float("-inf")

    def work(self, op: Op, place: Place) -> None:
        """The run is about to carry this out there. From a command on, something may run that needs no input."""
        if place.pid:
            self._worked.add(place.pid)
        commanded = op.traits.carried_out_by == "environment" and not place.contained
        if commanded or place.hosts_shell or place.executing or executes(place):
            self._shell = True

    def of(self, path: str) -> Author:
        """Whose doing it is that this file has changed just now."""
        there = processes()
        if not there:
            return "run" if self.acting() else "unknown"
        ours = with_descendants({os.getpid(), *self._worked}, there)
        if any(writers_of(path, ours)):
            return "run"
        if any(writers_of(path, there.keys() - ours)):
            return "other"
        if _of_system(path, self.homes) and self._packages_change(ours, there):
            return "other"
        shell = self._shell or self._terminal_below(there)
        if _out_of_reach(path) and not shell and not _with_other_rights(ours):
            return "other"
        if self.acting():
            return "unknown" if not shell and self._others_began(ours, there) else "run"
        return "unknown" if shell else "other"

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
        found = with_descendants(self._worked, there)
        return any(there[pid].terminal not in (0, mine) for pid in found)

    def _others_began(self, ours: set[int], there: Mapping[int, Process]) -> bool:
        """Has somebody else started a program since the run began that could have written it?"""
        users = (0, os.geteuid())
        return any(
            each.pid not in ours and each.born >= self._began and user_of(each.pid) in users
            for each in there.values()
        )


def _of_system(path: str, homes: tuple[str, ...]) -> bool:
    """Is it in a folder that belongs to the system, and in nobody's home?"""
    if any(Path(path).is_relative_to(home) for home in homes):
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
    return any(user_of(pid) not in (os.geteuid(), -1) for pid in ours)
