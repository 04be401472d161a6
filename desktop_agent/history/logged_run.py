"""Reads the log of a run, whatever state it is in: whole, torn, changed, foreign or too large."""

from __future__ import annotations

import stat
import time
from dataclasses import dataclass, replace
from pathlib import Path

from desktop_agent.agent.runlog.audit import examined
from desktop_agent.agent.runlog.hash_chained_log import Record
from desktop_agent.agent.runlog.run_names import is_run_name
from desktop_agent.platforms import host

LOG = "events.jsonl"
LARGEST = 256 * 1024 * 1024
"""Bytes of a log that are read at most; pictures lie beside it and do not count."""
_JUST_BEGUN = 30.0
"""Seconds in which a lock is not tried: trying would be in the way of a run that is about to take it."""


@dataclass(frozen=True)
class LoggedRun:
    """The records of a run that can be read, and `trouble`: what is wrong with its log, in words.

    `ended` says that the log was closed; a run that did not and is not `under_way` was cut short.
    """

    folder: Path
    records: tuple[Record, ...] = ()
    trouble: tuple[str, ...] = ()
    ended: bool = False
    under_way: bool = False

    @property
    def name(self) -> str:
        return self.folder.name


def run_folders(runs: Path) -> list[Path]:
    """What lies among the runs, newest name first: also folders that no run of ours made. Raises OSError."""
    if not runs.is_dir():
        return []
    found = (each for each in runs.iterdir() if not each.name.startswith(".") and is_own_folder(each))
    return sorted(found, key=lambda each: each.name, reverse=True)


def is_own_folder(path: Path) -> bool:
    """Is it a folder itself, and no link to one elsewhere?"""
    try:
        return stat.S_ISDIR(path.lstat().st_mode)
    except OSError:
        return False


def read_logged_run(folder: Path) -> LoggedRun:
    """The records of the run in this folder. Never raises: what cannot be read is told in `trouble`."""
    found = _read(folder)
    if is_run_name(folder.name):
        return found
    return replace(found, trouble=("This folder was not made by this program.", *found.trouble))


def _read(folder: Path) -> LoggedRun:
    log = folder / LOG
    try:
        found = log.lstat()
        if not stat.S_ISREG(found.st_mode):
            return LoggedRun(folder, trouble=("Its log is a link or no file: it is not read.",))
        if found.st_size > LARGEST:
            size = f"{found.st_size / 1e6:,.0f} MB"
            return LoggedRun(folder, trouble=(f"Its log is too large to be read: {size}.",))
        data = log.read_bytes()
    except FileNotFoundError:
        return LoggedRun(folder, trouble=("There is no log in this folder.",), under_way=is_under_way(folder))
    except OSError as error:
        return LoggedRun(folder, trouble=(f"Its log cannot be read: {error.strerror or error}.",))
    chain, verdict = examined(log, data, pictures=False)
    under_way = not verdict.ended and is_under_way(folder)
    trouble = [] if under_way else [*map(str, verdict.problems), *_torn(chain.torn)]
    return LoggedRun(folder, chain.records, tuple(trouble), verdict.ended, under_way)


def _torn(bytes_: int) -> list[str]:
    return ["Its last line is torn: the program ended while writing it."] if bytes_ else []


def is_under_way(folder: Path) -> bool:
    """Does a process hold the lock of this run? One that was touched a moment ago counts as held and is not tried."""
    lock = folder / "lock"
    try:
        if abs(time.time() - lock.lstat().st_mtime) < _JUST_BEGUN:
            return True
        with lock.open("r+b") as file:
            return not host.lock_file(file)
    except FileNotFoundError:
        return False
    except OSError:
        return True  # what cannot be told is left alone


def folder_size(folder: Path) -> int:
    """Bytes of all files of a run; links are not followed, and what goes away meanwhile is left out."""
    total = 0
    for place in (folder, folder / "frames"):
        try:
            for each in place.iterdir():
                found = each.lstat()
                total += found.st_size if stat.S_ISREG(found.st_mode) else 0
        except OSError:
            continue
    return total
