"""The command line of the check: `installer/check_windows`."""

from __future__ import annotations

import argparse
import os
import platform
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from installer.windows_check import building, parts, workshop
from installer.windows_check.namespace import Namespace
from installer.windows_check.outcome import Broken, Budget, Skipped
from installer.windows_check.progress import Progress
from scripts import system
from scripts.log import Log

ROOT = Path(__file__).resolve().parent.parent.parent
BUDGET_SECONDS = 25 * 60.0
ROOM = 5 * 1024**3
PACKAGES = {"mmdebstrap": ("mmdebstrap", "debian-archive-keyring"), "Xvfb": ("xvfb",)}
RESULTS_KEPT = 5


def main(argv: Sequence[str] | None = None) -> int:
    """Run the check; 0 when it passed or cannot be made here, 1 when it failed."""
    given = _parser().parse_args(argv)
    try:
        _require_linux()
        folder = workshop.cache()
        progress = Progress(_results(folder), Budget(BUDGET_SECONDS))
    except Skipped as reason:
        print(f"skipped: {reason}")
        return 0
    try:
        _check(given, folder, progress)
    except Skipped as reason:
        progress.finish(f"skipped: {reason}")
        return 0
    except (Broken, OSError, subprocess.TimeoutExpired) as error:
        progress.finish(f"FAILED: {error}")
        return 1
    except KeyboardInterrupt:
        progress.finish("interrupted")
        return 130
    if progress.failed:
        progress.finish("FAILED: " + ", ".join(each.name for each in progress.failed))
        return 1
    progress.finish("prepared" if given.prepare else "passed")
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="installer/check_windows",
        description="Runs desktop-agent on Windows, as far as Wine is one: its tests, the program from source, "
        "and the packaged .exe. Builds a Debian with Wine in the cache folder first (needs root, some minutes).",
    )
    parser.add_argument("--only", choices=list(parts.PARTS), help="just this part")
    parser.add_argument("--prepare", action="store_true", help="just build what it runs in")
    return parser


def _check(given: argparse.Namespace, folder: Path, progress: Progress) -> None:
    _require_rights(folder)
    with workshop.prepared(
        folder, workshop.version(ROOT), lambda to: _build(to, progress), progress.budget
    ) as place:
        for name in [] if given.prepare else [given.only] if given.only else list(parts.PARTS):
            parts.PARTS[name](place / "root", ROOT, progress)


def _build(to: Path, progress: Progress) -> None:
    if shutil.disk_usage(to).free < ROOM:
        raise Skipped(f"it needs {ROOM / 1024**3:.0f} GB free in {to.parent}")
    wanted = [
        package for program, brings in PACKAGES.items() if not shutil.which(program) for package in brings
    ]
    if wanted:
        with progress.timed("this machine's own tools"):
            try:
                system.install(wanted, Log(progress.kept / "apt.txt"))
            except system.CannotInstall as error:
                raise Skipped(str(error)) from error
    building.build(to, ROOT, progress)


def _require_linux() -> None:
    if sys.platform != "linux" or platform.machine() != "x86_64":
        raise Skipped("it needs Linux on x86-64 (on Windows itself: desktop-agent doctor --deep)")
    if os.geteuid() != 0:
        raise Skipped("it needs root, to build a Debian with Wine in a folder (sudo installer/check_windows)")


def _require_rights(folder: Path) -> None:
    """Raises Skipped where namespaces, bind mounts or a /proc of one's own are not permitted."""
    with tempfile.TemporaryDirectory(prefix="run-", dir=folder) as place:
        probe = [
            ["mount", "--bind", place, place],
            ["mount", "-t", "proc", "proc", place],
            ["chroot", "/", "true"],
        ]
        Namespace(probe).close()


def _results(folder: Path) -> Path:
    """A new folder for this check's results; the oldest of those before are removed."""
    results = folder / "results"
    for old in sorted(results.glob("*"))[: -RESULTS_KEPT + 1]:
        shutil.rmtree(old)
    return results / time.strftime("%Y%m%d-%H%M%S")


if __name__ == "__main__":
    sys.exit(main())
