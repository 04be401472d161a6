"""What we measure ourselves against: programs of others, each in an environment of its own, outside this project."""

from __future__ import annotations

import contextlib
import fcntl
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import platformdirs

from scripts import system
from scripts.log import Log

SECONDS = 900.0
_DONE = ".complete"


class Unavailable(Exception):
    """A peer, or something else to measure with, cannot be had here; the message says why."""


def interpreter(name: str, *packages: str) -> Path:
    """The Python of an environment with these packages (`name==version`), made when it is not there.

    Raises Unavailable.
    """
    with _once(f"{name}-env", packages) as folder:
        if folder is not None:
            _run([sys.executable, "-m", "venv", str(folder)])
            if packages:
                _run([str(folder / "bin" / "python"), "-m", "pip", "install", "--quiet", *packages])
    return _cache() / f"{name}-env" / "bin" / "python"


def files(name: str, package: str) -> Path:
    """A folder with what is in a package (`name==version`), without what that depends on. Raises Unavailable."""
    with _once(f"{name}-files", (package,)) as folder:
        if folder is not None:
            pip = [str(interpreter("pip")), "-m", "pip", "install", "--quiet"]
            _run([*pip, "--no-deps", "--no-compile", "--target", str(folder), package])
    return _cache() / f"{name}-files"


def program(name: str, *packages: str) -> Path:
    """A program of the system, from these Debian packages when it is not there. Raises Unavailable."""
    found = shutil.which(name)
    if found is None:
        try:
            system.install(packages, Log(_cache() / "apt.log"))
        except (system.CannotInstall, OSError) as error:
            raise Unavailable(f"{name} is not installed: {' '.join(str(error).split())}") from error
        found = shutil.which(name)
    if found is None:
        raise Unavailable(f"{name} is not installed, and {' '.join(packages)} did not bring it")
    return Path(found)


@contextlib.contextmanager
def _once(name: str, packages: Sequence[str]) -> Iterator[Path | None]:
    """The empty folder to fill when these packages are not in it yet, else None; one process at a time."""
    cache, wanted = _cache(), "\n".join(packages)
    folder = cache / name
    with (cache / f"{name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        done = folder / _DONE
        if done.is_file() and done.read_text(encoding="utf-8") == wanted:
            yield None
            return
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        yield folder
        done.write_text(wanted, encoding="utf-8")


def _cache() -> Path:
    folder = platformdirs.user_cache_path("desktop-agent") / "peers"
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def _run(command: Sequence[str]) -> None:
    try:
        ran = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS, check=False)
    except subprocess.TimeoutExpired as error:
        raise Unavailable(f"{' '.join(command[1:4])} took longer than {SECONDS:.0f} s") from error
    if ran.returncode != 0:
        last = (ran.stderr.strip().splitlines() or ["no reason given"])[-1]
        raise Unavailable(f"{command[-1]} could not be installed: {last}")
