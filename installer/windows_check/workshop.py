"""The chroot's place in the user's cache: built once per recipe, whole or not at all, one builder at a time."""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import os
import re
import shutil
import subprocess
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import platformdirs

from installer.windows_check import limits
from installer.windows_check.outcome import Broken, Budget

RECIPE = ("requirements/windows-check.txt", "installer/windows_check/building.py")
UNFINISHED = ("building-*", "run-*", "*/run-*")
MOUNTS = Path("/proc/self/mountinfo")
RESULTS_KEPT = 5


def cache() -> Path:
    """The folder in the user's cache that everything of this check is in."""
    folder = platformdirs.user_cache_path("desktop-agent") / "windows-check"
    folder.mkdir(parents=True, exist_ok=True)
    return folder.resolve()


def results() -> Path:
    """A new name in the cache for a folder of results; the oldest of those before are removed."""
    folder = cache() / "results"
    for old in sorted(folder.glob("*"))[: -RESULTS_KEPT + 1]:
        shutil.rmtree(old, ignore_errors=True)  # another check may be at it too
    return folder / f"{time.strftime('%Y%m%d-%H%M%S')}-{os.getpid()}"


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
        _wait(lock.fileno(), fcntl.LOCK_SH, budget)
        while not (folder / name).is_dir():  # between two locks another version may be built in its place
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
    seconds, pause = budget.part(limits.WAIT_FOR_OTHERS), threading.Event()
    end = time.monotonic() + seconds
    while not _locked(lock, how):
        if time.monotonic() > end:
            raise Broken(f"another check of Windows did not end within {seconds / 60:.0f} minutes")
        pause.wait(0.5)


def _sweep(folder: Path, patterns: list[str] | tuple[str, ...]) -> None:
    for pattern in patterns:
        for left in folder.glob(pattern):
            remove(left)


def remove(folder: Path) -> None:
    """Remove a folder with all in it. Raises Broken when anything is mounted there: that is not ours to delete."""
    if mounted := mounts_below(folder, MOUNTS.read_text(encoding="utf-8", errors="surrogateescape")):
        raise Broken(f"{mounted[0]} is mounted: unmount it (umount {mounted[0]}), then start again")
    # By a program: `shutil` calls itself for each folder in a folder, and a test may have made them deeper than that.
    subprocess.run(["rm", "-rf", "--", os.fspath(folder)], check=True)


@contextlib.contextmanager
def temporary(parent: Path) -> Iterator[Path]:
    """A folder for as long as it is used. Raises as `remove`."""
    folder = Path(tempfile.mkdtemp(prefix="run-", dir=parent))
    try:
        yield folder
    finally:
        remove(folder)


def mounts_below(folder: Path, table: str) -> list[str]:
    """Mount points at or below a folder, from a table as in `man 5 proc_pid_mountinfo`."""
    escaped = [line.split(" ")[4] for line in table.splitlines()]
    found = [re.sub(r"\\([0-7]{3})", lambda octal: chr(int(octal[1], 8)), place) for place in escaped]
    return [place for place in found if f"{place}/".startswith(f"{os.fspath(folder)}/")]
