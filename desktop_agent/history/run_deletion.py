"""Deletes a run for good: its folder, the head of its log, and what the index holds of it.

The files are unlinked. Nothing is promised of the disk: a copy in a backup, in a snapshot of the file system or in
cells that a drive has put aside is out of reach.
"""

from __future__ import annotations

import contextlib
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from desktop_agent.agent.runlog import heads, own_writes
from desktop_agent.agent.runlog.run_names import is_run_name, run_locked
from desktop_agent.history.logged_run import is_own_folder, is_under_way, run_folders
from desktop_agent.history.run_index import RunIndex, index_path
from desktop_agent.protocol.errors import Refused, StoreError

HONEST_WORDS = (
    "Its files are removed and cannot be brought back by this program. Copies in backups, and traces that a drive keeps"
    " of removed files, are out of its reach."
)


def delete_run(runs: Path, name: str) -> None:
    """Delete the run of this name, its head and its entry in the index.

    Raises Refused for one that is under way, that others are (their watch would take it for tampering), that is
    not a run of this program or not there; StoreError when something of it cannot be deleted.
    """
    folder = _own_run(runs, name)
    busy = next(runs_under_way(runs), None)
    if busy is not None:
        raise Refused(
            f"The run {busy.name} is under way: no run is deleted meanwhile.",
            "Wait until it has ended, or stop it.",
        )
    own_writes.will_delete(name)
    try:
        _forget(runs, name)
        _remove(folder)
        _forget(runs, name)  # a search meanwhile may have taken it in again
        heads.path_of(heads.folder_of(folder), name).unlink(missing_ok=True)
    except OSError as error:
        raise StoreError(
            f"The run {name} cannot be deleted: {error.strerror or error}.",
            "Close what has its files open, and check that you may change them.",
        ) from error


def _own_run(runs: Path, name: str) -> Path:
    folder = runs / name
    if not is_run_name(name):
        raise Refused(f"{name!r} is not the name of a run of this program.", "Delete such a folder by hand.")
    if not is_own_folder(folder):
        raise Refused(f"There is no run {name} in {runs}.", "`desktop-agent runs` lists them.")
    return folder


def _remove(folder: Path) -> None:
    """Remove what is in the folder while nobody else can begin to work the run; then the folder. Raises OSError, StoreError."""
    with run_locked(folder):
        for each in folder.iterdir():
            if each.name == "lock":
                continue
            if is_own_folder(each):
                shutil.rmtree(each)  # follows no links
            else:
                each.unlink()
    (folder / "lock").unlink(missing_ok=True)
    folder.rmdir()


def _forget(runs: Path, name: str) -> None:
    if not index_path(runs).exists():
        return
    with closing(RunIndex(runs)) as index, contextlib.suppress(sqlite3.DatabaseError):  # damaged: made anew
        index.forget(name, for_good=True)


def runs_under_way(runs: Path) -> Iterator[Path]:
    """The runs that are going on, in this process or another. Raises OSError."""
    for folder in run_folders(runs):
        if not is_run_name(folder.name) or _is_closed(folder):
            continue
        if is_under_way(folder):
            yield folder


def _is_closed(folder: Path) -> bool:
    try:
        head = heads.read(heads.folder_of(folder), folder.name)
    except StoreError:
        return False
    return head is not None and head.ended
