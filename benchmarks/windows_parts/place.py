"""Where the Windows program is measured: the machine of installer/check_windows, and the builds of this source."""

from __future__ import annotations

import hashlib
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from benchmarks.peers import Unavailable
from benchmarks.report import ROOT
from installer.build_windows import BUILDS
from installer.windows_check import workshop
from installer.windows_check.boot import booted
from installer.windows_check.machine import Machine
from installer.windows_check.outcome import Broken, Budget, Skipped

PREPARE = (sys.executable, "-m", "installer.windows_check", "--prepare")
PREPARE_SECONDS, BUILD_SECONDS, WAIT_SECONDS = 1500.0, 1200.0, 1500.0
MADE_OF = (
    "main.py",
    "config.toml",
    "requirements/windows-check.txt",
    "installer/*.*",
    "assets/**/*",
    "desktop_agent/**/*.py",
)
BUILD = (r"Z:\src\installer\build_windows.py", "--into", r"Z:\shared\dist", "--work", r"Z:\shared\build")


@contextmanager
def windows() -> Iterator[Machine]:
    """The machine, booted; made first where it has not been yet. Raises Unavailable where it cannot be."""
    _prepare()
    with tempfile.TemporaryDirectory() as kept:
        try:
            folder, name = workshop.cache(), workshop.version(ROOT)
            with (
                workshop.prepared(folder, name, _absent, Budget(WAIT_SECONDS)) as place,
                booted(place / "root", ROOT, Path(kept)) as machine,
            ):
                yield machine
        except (Skipped, Broken) as error:
            raise Unavailable(str(error)) from error


def _prepare() -> None:
    try:
        ran = subprocess.run(
            PREPARE, cwd=ROOT, capture_output=True, text=True, timeout=PREPARE_SECONDS, check=False
        )
    except subprocess.TimeoutExpired as error:
        raise Unavailable(f"Wine was not ready after {PREPARE_SECONDS:.0f} s") from error
    last = (ran.stdout.strip().splitlines() or ["no reason given"])[-1]
    if ran.returncode or last.startswith("skipped"):
        raise Unavailable(last)


def _absent(_: Path) -> None:
    raise Broken("the chroot with Wine is gone again")


def builds(machine: Machine, make: bool) -> dict[str, Path]:
    """The packaged programs of this source by kind, on this side of the shared folder; made where they are not
    there yet, which takes minutes, if `make`. Raises Unavailable when they are not."""
    kept = workshop.cache() / "builds" / _digest()
    shared = machine.shared / "dist"
    if kept.is_dir():
        shutil.copytree(kept, shared)
    elif make:
        _build(machine)
        shutil.rmtree(kept.parent, ignore_errors=True)
        shutil.copytree(shared, kept)
    else:
        raise Unavailable("there is no build of this source yet: ./bench windows makes one")
    return {kind: shared / program for kind, program in BUILDS.items()}


def _build(machine: Machine) -> None:
    try:
        ran = machine.run([machine.python, *BUILD], BUILD_SECONDS)
    except subprocess.TimeoutExpired as error:
        raise Unavailable(f"the build took longer than {BUILD_SECONDS:.0f} s") from error
    if ran.returncode:
        raise Unavailable(f"the build failed: {' '.join(ran.stdout.split())[-500:]}")


def _digest() -> str:
    """A short hash of all that a build is made of."""
    digest = hashlib.sha256()
    for path in sorted({path for pattern in MADE_OF for path in ROOT.glob(pattern) if path.is_file()}):
        digest.update(f"{path.relative_to(ROOT)}\0".encode() + path.read_bytes())
    return digest.hexdigest()[:12]
