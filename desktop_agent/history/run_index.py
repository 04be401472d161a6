"""A search index of the runs, kept beside them in `<data>/history/runs.sqlite`.

It is a cache and never the truth: a run that is new or was changed is read again, one that is gone is taken out, and an
index that is missing, damaged, locked or of another version is made anew, in memory where it cannot be written.
"""

from __future__ import annotations

import contextlib
import logging
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import msgspec

from desktop_agent.agent.runlog.own_writes import HISTORY
from desktop_agent.history.logged_run import LOG, run_folders
from desktop_agent.history.run_query import EVERY_RUN, RunQuery, words_in
from desktop_agent.history.run_summary import RunSummary, summarize
from desktop_agent.protocol.errors import StoreError
from desktop_agent.support.paths import FILE, private_folder

MOST_RUNS = 20_000
"""Runs that are listed at most: the newest."""
_VERSION = 1
_PATIENCE = 2.0
"""Seconds to wait for another process that writes the index."""
_log = logging.getLogger(__name__)

Stamp = tuple[int, int, int]


class RunIndex:
    """The runs in `runs` by what is searched. To be used in the thread that made it; `close` it."""

    def __init__(self, runs: Path) -> None:
        self._runs = runs
        self.path = index_path(runs)
        self._words = False
        self._db = self._open()

    def close(self) -> None:
        self._db.close()

    def refresh(self, going_on: Callable[[], bool] = lambda: True) -> bool:
        """Take in what is new, changed or gone; returns whether anything was.

        Ends early once `going_on` says False; what was read until then stays. Raises StoreError when the runs cannot be listed.
        """
        try:
            folders = run_folders(self._runs)[:MOST_RUNS]
        except OSError as error:
            raise StoreError(f"The runs in {self._runs} cannot be listed: {error.strerror}.") from error
        try:
            return self._refresh(folders, going_on)
        except sqlite3.DatabaseError as error:
            _log.warning("the index of runs is made anew: %s", error)
            self._start_over()
            return self._refresh(folders, going_on)

    def _refresh(self, folders: list[Path], going_on: Callable[[], bool]) -> bool:
        known = {name: stamp for name, *stamp in self._db.execute("SELECT name, ino, size, mtime FROM run")}
        there = {each.name: each for each in folders}
        restless, changed = self._under_way(), False
        for gone in known.keys() - there.keys():
            self.forget(gone)
            changed = True
        for name, folder in there.items():
            if not going_on():
                break
            stamp = _stamp(folder)
            if list(stamp) != known.get(name) or name in restless:
                self._take(folder, stamp)
                changed = True
        return changed

    def _under_way(self) -> set[str]:
        """Runs that were under way when they were read: how they ended may be known now."""
        rows = self._db.execute("SELECT name FROM run WHERE outcome = 'under_way'")
        return {name for (name,) in rows}

    def _take(self, folder: Path, stamp: Stamp) -> None:
        summary, text = summarize(folder)
        with self._db:
            self._db.execute("BEGIN IMMEDIATE")
            self._remove(folder.name)
            found = self._db.execute(
                "INSERT INTO run (name, ino, size, mtime, outcome, started, summary, text) VALUES (?,?,?,?,?,?,?,?)",
                (
                    folder.name, *stamp, summary.outcome, summary.started, msgspec.json.encode(summary),
                    "" if self._words else text,
                ),
            )  # fmt: skip
            if self._words:
                words = " ".join(words_in(text))
                self._db.execute("INSERT INTO words (rowid, text) VALUES (?, ?)", (found.lastrowid, words))

    def forget(self, name: str, *, for_good: bool = False) -> None:
        """Take one run out; `for_good` also overwrites its words in the file. Raises sqlite3.DatabaseError."""
        with self._db:
            self._db.execute("BEGIN IMMEDIATE")
            self._remove(name)
            if for_good and self._words:
                self._db.execute("INSERT INTO words (words) VALUES ('optimize')")

    def _remove(self, name: str) -> None:
        if self._words:
            self._db.execute("DELETE FROM words WHERE rowid IN (SELECT id FROM run WHERE name = ?)", (name,))
        self._db.execute("DELETE FROM run WHERE name = ?", (name,))

    def search(self, query: RunQuery = EVERY_RUN) -> list[RunSummary]:
        """The runs that match, the newest first. Raises StoreError when the index cannot be read."""
        try:
            rows = list(self._rows(words_in(query.words)))
            found = [msgspec.json.decode(raw, type=RunSummary) for raw, _ in rows]
        except (sqlite3.DatabaseError, msgspec.MsgspecError) as error:
            raise StoreError(
                f"The index of the runs cannot be read: {error}.",
                "List the runs again: it is made anew then.",
            ) from error
        texts = (text for _, text in rows)
        if self._words or not query.words:
            return [run for run in found if query.fits(run)]
        return [run for run, text in zip(found, texts, strict=True) if query.matches(run, text)]

    def _rows(self, words: list[str]) -> Iterator[tuple[bytes, str]]:
        if words and self._words:
            sought = " ".join(f'"{word}"*' for word in words)
            yield from self._db.execute(
                "SELECT summary, '' FROM run WHERE id IN (SELECT rowid FROM words WHERE words MATCH ?)"
                " ORDER BY started DESC, name DESC",
                (sought,),
            )
            return
        column = "text" if words else "''"
        yield from self._db.execute(f"SELECT summary, {column} FROM run ORDER BY started DESC, name DESC")  # noqa: S608 - a constant

    # ---- the file ----------------------------------------------------------------------------

    def _open(self) -> sqlite3.Connection:
        try:
            return self._opened(str(self.path))
        except (sqlite3.DatabaseError, OSError) as error:
            _log.info("the index of runs is made anew: %s", error)
        with contextlib.suppress(OSError):
            self._unlink()
        try:
            return self._opened(str(self.path))
        except (sqlite3.DatabaseError, OSError) as error:
            _log.warning("the index of runs is kept in memory: %s", error)
            return self._opened(":memory:")

    def _opened(self, place: str) -> sqlite3.Connection:
        """Raises sqlite3.DatabaseError where it is damaged or of another version, OSError."""
        if place != ":memory:":
            private_folder(self.path.parent)
            self.path.touch(mode=FILE)
            self.path.chmod(FILE)
        db = sqlite3.connect(place, timeout=_PATIENCE, isolation_level=None)
        try:
            db.execute("PRAGMA secure_delete = ON")
            version = _one(db, "PRAGMA user_version")
            if version not in (0, _VERSION):
                raise sqlite3.DatabaseError(f"it is of version {version}")
            if version == 0:
                db.executescript(_SCHEMA)
                with contextlib.suppress(sqlite3.OperationalError):  # a SQLite without FTS5
                    db.execute(WORDS_TABLE)
                db.execute(f"PRAGMA user_version = {_VERSION}")
            if _one(db, "PRAGMA quick_check(1)") != "ok":
                raise sqlite3.DatabaseError("it is damaged")
            self._words = bool(_one(db, "SELECT count(*) FROM sqlite_master WHERE name = 'words'"))
        except BaseException:
            db.close()
            raise
        return db

    def _start_over(self) -> None:
        self._db.close()
        with contextlib.suppress(OSError):
            self._unlink()
        self._db = self._open()

    def _unlink(self) -> None:
        for end in ("", "-journal", "-wal", "-shm"):
            self.path.with_name(self.path.name + end).unlink(missing_ok=True)


WORDS_TABLE = "CREATE VIRTUAL TABLE words USING fts5(text)"
_SCHEMA = """
CREATE TABLE run (
    id INTEGER PRIMARY KEY, name TEXT UNIQUE, ino INTEGER, size INTEGER, mtime INTEGER,
    outcome TEXT, started REAL, summary BLOB, text TEXT
);
"""


def index_path(runs: Path) -> Path:
    """Where the index of the runs in this folder is."""
    return runs.absolute().parent / HISTORY / "runs.sqlite"


def find_runs(runs: Path, query: RunQuery = EVERY_RUN) -> list[RunSummary]:
    """Bring the index up to date and search it. Raises StoreError."""
    with closing(RunIndex(runs)) as index:
        index.refresh()
        return index.search(query)


def _one(db: sqlite3.Connection, sql: str) -> Any:
    return next(iter(db.execute(sql)), (None,))[0]


def _stamp(folder: Path) -> Stamp:
    """What tells that a run's log is another than before; zeros where there is none."""
    try:
        found = (folder / LOG).lstat()
    except OSError:
        return 0, 0, 0
    return found.st_ino, found.st_size, found.st_mtime_ns
