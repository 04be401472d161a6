"""Where the Windows program is measured: the machine of installer/check_windows, and the builds of this source."""

from __future__ import annotations

import contextlib
import hashlib
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from benchmarks.peers import Unavailable
from benchmarks.report import ROOT, BenchmarkError
from installer.build_windows import BUILDS
from installer.windows_check import limits, ready, workshop
from installer.windows_check.boot import booted
from installer.windows_check.machine import Machine
from installer.windows_check.outcome import Broken, Budget, Skipped
from installer.windows_check.parts import BUILD
from installer.windows_check.progress import Progress

SECONDS = 3600.0
MADE_OF = (
    "main.py",
    "config.toml",
    "requirements/windows-check.txt",
    "installer/*.*",
    "assets/**/*",
    "desktop_agent/**/*.py",
)


@contextmanager
def windows() -> Iterator[Machine]:
    """The machine, booted; made first where it has not been yet. Raises Unavailable where it cannot be."""
    try:
        ready.require_linux()
        progress = Progress(workshop.results(), Budget(SECONDS))
        with ready.ready(ROOT, progress) as root, booted(root, ROOT, progress.kept) as machine:
            yield machine
    except Skipped as error:
        raise Unavailable(str(error)) from error
    except Broken as error:
        raise BenchmarkError(str(error)) from error


def builds(machine: Machine, make: bool) -> dict[str, Path]:
    """The packaged programs of this source by kind, on this side of the shared folder; made where they are not
    there yet, which takes minutes, if `make`. Raises Unavailable when they are not."""
    kept = workshop.cache() / "builds" / _digest()
    shared = machine.shared / "dist"
    if kept.is_dir():
        shutil.copytree(kept, shared)
    elif make:
        _build(machine)
        _keep(shared, kept)
    else:
        raise Unavailable("there is no build of this source yet: ./bench windows makes one")
    return {kind: shared / program for kind, program in BUILDS.items()}


def _build(machine: Machine) -> None:
    try:
        ran = machine.run([machine.python, *BUILD], limits.BUILD)
    except subprocess.TimeoutExpired as error:
        raise Unavailable(f"the build took longer than {limits.BUILD:.0f} s") from error
    if ran.returncode:
        raise Unavailable(f"the build failed: {' '.join(ran.stdout.split())[-500:]}")


def _keep(built: Path, kept: Path) -> None:
    """Keep a copy for the next time, whole or not at all; those of other sources go."""
    shutil.rmtree(kept.parent, ignore_errors=True)
    with contextlib.suppress(OSError):  # without one the next time builds again
        kept.parent.mkdir(parents=True, exist_ok=True)
        unfinished = Path(tempfile.mkdtemp(dir=kept.parent))
        shutil.copytree(built, unfinished, dirs_exist_ok=True)
        unfinished.rename(kept)


def _digest() -> str:
    """A short hash of all that a build is made of."""
    digest = hashlib.sha256()
    for path in sorted({path for pattern in MADE_OF for path in ROOT.glob(pattern) if path.is_file()}):
        digest.update(f"{path.relative_to(ROOT)}\0".encode() + path.read_bytes())
    return digest.hexdigest()[:12]
