"""Builds the program's wheel away from the checkout, and installs it into an environment of its own, without a network."""

from __future__ import annotations

import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

from benchmarks.report import ROOT, BenchmarkError

SECONDS = 240
PIP = (sys.executable, "-I", "-m", "pip", "--no-input", "--disable-pip-version-check")
_WHEEL = (*PIP, "wheel", "--quiet", "--no-index", "--no-deps", "--no-build-isolation", "--wheel-dir")


def copied_source(folder: Path) -> Path:
    """A copy of what a wheel is built of: setuptools packs, too, what an earlier build has left in its folder."""
    source = folder / "source"
    for name in ("desktop_agent", "assets", "requirements"):
        shutil.copytree(ROOT / name, source / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("pyproject.toml", "setup.py", "README.md"):
        shutil.copy(ROOT / name, source / name)
    return source


def built_wheel(source: Path, into: Path) -> Path:
    """The wheel of a source folder or archive, in the folder `into`. Raises BenchmarkError."""
    carry_out(*_WHEEL, str(into), str(source), cwd=into.parent)
    (wheel,) = into.iterdir()
    return wheel


def installed_wheel(wheel: Path, folder: Path) -> Path:
    """An environment at `folder` with the wheel in it; its programs are in `bin`. Raises BenchmarkError.

    What the program depends on is lent to it by a path file: there is no other to be had without a network; path files
    of the lender, such as that of the checkout, do not count there.
    """
    carry_out(sys.executable, "-I", "-m", "venv", "--without-pip", str(folder), cwd=folder.parent)
    python = folder / "bin" / "python"
    install = ("--python", str(python), "install", "--quiet", "--no-index", "--no-deps", str(wheel))
    carry_out(*PIP, *install, cwd=folder.parent)
    (packages,) = (folder / "lib").glob("python*/site-packages")
    (packages / "lent.pth").write_text(sysconfig.get_path("purelib") + "\n", encoding="utf-8")
    return folder


def carry_out(*words: str, cwd: Path) -> None:
    """Run a command to its end. Raises BenchmarkError with what it said."""
    done = subprocess.run(words, cwd=cwd, capture_output=True, text=True, timeout=SECONDS)
    if done.returncode != 0:
        raise BenchmarkError(f"{' '.join(words)}: {done.stdout}{done.stderr}")
