"""The chroot to boot machines from, built when it is not there; or the reason why not on this machine."""

from __future__ import annotations

import contextlib
import os
import platform
import shutil
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from installer.windows_check import building, workshop
from installer.windows_check.namespace import Namespace
from installer.windows_check.outcome import Refused, Skipped
from installer.windows_check.progress import Progress
from scripts import system
from scripts.log import Log

ROOM = 5 * 1024**3
PACKAGES = {"mmdebstrap": ("mmdebstrap", "debian-archive-keyring"), "Xvfb": ("xvfb",), "makensis": ("nsis",)}
"""Programs of this machine that are needed, and the Debian packages that bring them."""


@contextlib.contextmanager
def ready(source: Path, progress: Progress) -> Iterator[Path]:
    """The chroot for the project in `source`; it stays as it is meanwhile (see `boot.booted`).

    Raises Skipped where it cannot be made, Broken when making it failed.
    """
    require_linux()
    folder = workshop.cache()
    require_rights(folder)
    require_tools(progress)

    def build(to: Path) -> None:
        if shutil.disk_usage(to).free < ROOM:
            raise Skipped(f"it needs {ROOM / 1024**3:.0f} GB free in {folder}")
        building.build(to, source, progress)

    with workshop.prepared(folder, workshop.version(source), build, progress.budget) as place:
        yield place / "root"


def require_linux() -> None:
    """Raises Skipped on another system, or without root."""
    if sys.platform != "linux" or platform.machine() != "x86_64":
        raise Skipped("it needs Linux on x86-64 (on Windows itself: desktop-agent doctor --deep)")
    if os.geteuid() != 0:
        raise Skipped("it needs root, to build a Debian with Wine in a folder (sudo installer/check_windows)")


def require_rights(folder: Path) -> None:
    """Raises Skipped where namespaces, bind mounts, a /proc of one's own or chroot are not permitted."""
    with tempfile.TemporaryDirectory(prefix="run-", dir=folder) as place:
        bind, proc = ["mount", "--bind", place, place], ["mount", "-t", "proc", "proc", place]
        try:
            Namespace([bind, proc, ["chroot", "/", "true"]]).close()
        except Refused as error:
            raise Skipped(str(error)) from error


def require_tools(progress: Progress) -> None:
    """Install what is missing of PACKAGES. Raises Skipped when that is not possible here."""
    wanted = [
        package for program, brings in PACKAGES.items() if not shutil.which(program) for package in brings
    ]
    if not wanted:
        return
    with progress.timed("this machine's own tools"):
        try:
            absent = system.install(wanted, Log(progress.kept / "apt.txt"))
        except system.CannotInstall as error:
            raise Skipped(str(error)) from error
    if absent:
        raise Skipped(f"this system's archive does not have {' '.join(absent)}")
