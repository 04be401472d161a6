"""The chroot's place in the user's cache: built once per recipe, whole or not at all, one builder at a time."""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import os
import shutil
import tempfile
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import platformdirs

from installer.windows_check import limits
from installer.windows_check.outcome import Broken, Budget

RECIPE = ("requirements/windows-check.txt", "installer/windows_check/building.py")
UNFINISHED = ("building-*", "run-*", "*/run-*")
MOUNTS = Path("/proc/self/mountinfo")


def cache() -> Path:
    """The folder in the user's cache that everything of this check is in."""
    folder = platformdirs.user_cache_path("desktop-agent") / "windows-check"
    folder.mkdir(parents=True, exist_ok=True)
    return folder.resolve()


def version(source: Path) -> str:
    """A short hash of all that decides what is built."""
    digest = hashlib.sha256()
    for name in RECIPE:
        digest.update((source / name).read_bytes() + b"\0")
    return digest.hexdigest()[:12]


@contextlib.contextmanager
def prepared(folder: Path, name: str, build: Callable[[Path], None], budget: Budget) -> Iterator[Path]:
    """`folder`/`name`, filled by `build` when it is not there; nobody removes it meanwhile.

    What an interrupted build or check has left is removed as soon as no other check is running.
    Raises Broken when another one is at work for too long.
    """
    with (folder / "lock").open("w") as lock:
        if _locked(lock.fileno(), fcntl.LOCK_EX):  # nobody else is at work
            _sweep(folder, UNFINISHED)
        else:
            _wait(lock.fileno(), fcntl.LOCK_SH, budget)
        if not (folder / name).is_dir():
            _wait(lock.fileno(), fcntl.LOCK_EX, budget)
            _make(folder, name, build)
        _wait(lock.fileno(), fcntl.LOCK_SH, budget)
        yield folder / name


def _make(folder: Path, name: str, build: Callable[[Path], None]) -> None:
    """Build beside and rename: what has the name is whole. Versions before it go."""
    if (folder / name).is_dir():  # another one built it while this one waited
        return
    _sweep(folder, UNFINISHED)
    unfinished = Path(tempfile.mkdtemp(prefix="building-", dir=folder))
    unfinished.chmod(0o755)
    try:
        build(unfinished)
        _sweep(folder, ["[0-9a-f]" * len(name)])
        unfinished.rename(folder / name)
    except BaseException:
        remove(unfinished)
        raise


def _locked(lock: int, how: int) -> bool:
    try:
        fcntl.flock(lock, how | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _wait(lock: int, how: int, budget: Budget) -> None:
    if _locked(lock, how):
        return
    print("Another check of Windows is at work: waiting for it …", flush=True)
    end, pause = Budget(budget.part(limits.WAIT_FOR_OTHERS)), threading.Event()
    while not _locked(lock, how):
        end.part(1)
        pause.wait(0.5)


def _sweep(folder: Path, patterns: list[str] | tuple[str, ...]) -> None:
    for pattern in patterns:
        for left in folder.glob(pattern):
            remove(left)


def remove(folder: Path) -> None:
    """Remove a folder with all in it. Raises Broken when anything is mounted there: that is not ours to delete."""
    if mounted := mounts_below(folder, MOUNTS.read_text(encoding="utf-8", errors="surrogateescape")):
        raise Broken(f"{mounted[0]} is mounted: unmount it (umount {mounted[0]}), then start again")
    shutil.rmtree(folder)


def mounts_below(folder: Path, table: str) -> list[str]:
    """Mount points at or below a folder, in the form of `man 5 proc_pid_mountinfo`."""
    places = [line.split(" ")[4] for line in table.splitlines()]
    found = [place.encode("latin-1", "replace").decode("unicode_escape") for place in places]
    return [place for place in found if f"{place}/".startswith(f"{os.fspath(folder)}/")]
