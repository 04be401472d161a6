"""Deletes runs that are too old or take too much room, as the settings say."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Sequence
from pathlib import Path

from desktop_agent.agent.runlog.run_names import is_run_name
from desktop_agent.history.logged_run import folder_size, run_folders
from desktop_agent.history.run_deletion import delete_run
from desktop_agent.protocol.errors import DesktopAgentError
from desktop_agent.support.config import HistorySettings

_DAY = 86_400.0
MEGABYTE = 1_000_000
_log = logging.getLogger(__name__)


def surplus(runs: Path, settings: HistorySettings, now: float) -> list[str]:
    """The names of the runs that are over a limit, the oldest first; never the newest one. Raises OSError."""
    if not settings.keep_days and not settings.keep_megabytes:
        return []
    found = [each for each in run_folders(runs) if is_run_name(each.name)][1:]
    old = _old(found, now - settings.keep_days * _DAY) if settings.keep_days else set()
    kept = [each for each in found if each.name not in old]
    large = _large(kept, settings.keep_megabytes * MEGABYTE, runs) if settings.keep_megabytes else set()
    return sorted(old | large)


def _old(folders: Sequence[Path], before: float) -> set[str]:
    """Those whose time, as their names tell it, is before this one."""
    return {each.name for each in folders if _time_of(each.name) < before}


def _time_of(name: str) -> float:
    try:
        return time.mktime(time.strptime(name[:15], "%Y%m%d-%H%M%S"))
    except (ValueError, OverflowError):
        return float("inf")


def _large(newest_first: Sequence[Path], room: int, runs: Path) -> set[str]:
    """Those beyond the room that all runs may take; the newest run counts, too."""
    newest = next((each for each in run_folders(runs) if is_run_name(each.name)), None)
    taken = folder_size(newest) if newest is not None else 0
    over: set[str] = set()
    for each in newest_first:
        taken += folder_size(each)
        if taken > room:
            over.add(each.name)
    return over


def apply_retention(runs: Path, settings: HistorySettings) -> list[str]:
    """Delete what is over a limit; returns the names of what was deleted. What cannot be deleted is logged."""
    deleted: list[str] = []
    try:
        names = surplus(runs, settings, time.time())
    except OSError as error:
        _log.warning("the runs in %s cannot be listed: %s", runs, error)
        return []
    for name in names:
        try:
            delete_run(runs, name)
        except DesktopAgentError as error:
            _log.info("a run that is over a limit stays: %s", error)
            continue
        deleted.append(name)
    if deleted:
        _log.info("%d runs over the limits of [history] were deleted", len(deleted))
    return deleted


def start_retention(runs: Path, settings: HistorySettings) -> threading.Thread:
    """Apply the limits in a thread of its own, which the end of the program does not wait for."""
    thread = threading.Thread(target=apply_retention, args=(runs, settings), name="retention", daemon=True)
    thread.start()
    return thread
