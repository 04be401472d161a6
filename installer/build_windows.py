"""Builds the packaged Windows program, as a folder and as one file: `python installer/build_windows.py`."""

# ruff: noqa: T201 - a script of its own: it talks to who runs it

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
import time
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
PROJECT_PYTHON = ROOT / ".venv" / "Scripts" / "python.exe"  # what run.cmd has made
BUILDS = {"onedir": "onedir/desktop-agent/desktop-agent.exe", "onefile": "onefile/desktop-agent.exe"}
MEGABYTE = 1_000_000
SECONDS = 1800
TOLD = 15
_REQUIREMENT = re.compile(r"^([A-Za-z0-9_.-]+)[^;\n]*(?:;\s*sys_platform == \"(\w+)\")?", re.M)
_IMPORTED_AS = {"PySide6-Essentials": "PySide6", "pillow": "PIL"}


class Failed(Exception):
    """The program cannot be built; the message says why and what to do."""


def main(argv: Sequence[str] | None = None) -> int:
    """Build what is asked for and say how big it is; 0, or 1 when it failed."""
    words = sys.argv[1:] if argv is None else argv
    given = _parser().parse_args(words)
    if missing() and PROJECT_PYTHON.exists() and Path(sys.prefix) != PROJECT_PYTHON.parents[1]:
        return subprocess.run([PROJECT_PYTHON, Path(__file__), *words], check=False).returncode
    builds = [given.only] if given.only else list(BUILDS)
    try:
        build(builds, given.into.resolve(), given.work.resolve())
    except (Failed, OSError) as error:
        print(f"build_windows: {error}", file=sys.stderr)
        return 1
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", choices=list(BUILDS), help="build just this one")
    parser.add_argument("--into", type=Path, default=ROOT / "dist", metavar="FOLDER", help="default: dist")
    parser.add_argument(
        "--work", type=Path, default=ROOT / "build", metavar="FOLDER", help="what may be thrown away"
    )
    return parser


def build(builds: Sequence[str], into: Path, work: Path) -> None:
    """Build, start each result once, and print sizes. Raises Failed."""
    require_windows()
    if absent := missing():
        raise Failed(
            f"{', '.join(absent)} is not installed here.\n"
            "Start run.cmd once, then: "
            r".venv\Scripts\python -m pip install --require-hashes -r requirements\installer.txt"
        )
    began = time.monotonic()
    work.mkdir(parents=True, exist_ok=True)
    print(f"Building {' and '.join(builds)}: some minutes. What is done: {work / 'build.log'}", flush=True)
    package(builds, into, work)
    for each in builds:
        program = into / BUILDS[each]
        said = version_of(program)
        print(f"{each:8} {size(program, each) / MEGABYTE:6.1f} MB  {program}  ({said})", flush=True)
    print(f"{time.monotonic() - began:.0f} s")


def require_windows() -> None:
    """Raises Failed elsewhere: PyInstaller packages for the system it runs on."""
    if sys.platform != "win32":
        raise Failed(
            "the Windows program is built on Windows (elsewhere: installer/check_windows does it in Wine)."
        )


def missing() -> list[str]:
    """What is needed and not installed: PyInstaller, and what the program itself needs on Windows."""
    return [each for each in ["PyInstaller", *needed()] if find_spec(_IMPORTED_AS.get(each, each)) is None]


def needed() -> list[str]:
    """The packages that the program itself needs on Windows."""
    text = (ROOT / "requirements" / "app.in").read_text(encoding="utf-8")
    return [name for name, system in _REQUIREMENT.findall(text) if system in ("", "win32")]


def package(builds: Sequence[str], into: Path, work: Path) -> None:
    """Run PyInstaller on the spec. Raises Failed with the end of what it said."""
    log = work / "build.log"
    command = [sys.executable, "-m", "PyInstaller", "--noconfirm", "--distpath", str(into), "--workpath", str(work),
               str(HERE / "desktop-agent.spec")]  # fmt: skip
    environment = {**os.environ, "DESKTOP_AGENT_BUILD": " ".join(builds), "PYTHONUTF8": "1"}
    for each in builds:  # a build that fails must not leave an older one to be taken for it
        (into / BUILDS[each]).unlink(missing_ok=True)
    with log.open("wb") as out:
        try:
            status = subprocess.run(
                command, cwd=ROOT, env=environment, stdin=subprocess.DEVNULL, stdout=out, stderr=out, timeout=SECONDS, check=False,
            ).returncode  # fmt: skip
        except subprocess.TimeoutExpired:
            raise Failed(f"PyInstaller did not end within {SECONDS // 60} minutes; see {log}.") from None
    absent = [each for each in builds if not (into / BUILDS[each]).is_file()]
    if status or absent:
        last = log.read_text(encoding="utf-8", errors="replace").splitlines()[-TOLD:]
        raise Failed("\n".join([f"PyInstaller ended with {status}; see {log}. Its last words:", *last]))


def version_of(program: Path) -> str:
    """What the program says to --version: so it starts. Raises Failed when it does not."""
    try:
        said = subprocess.run([program, "--version"], capture_output=True, timeout=120, check=False)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise Failed(f"{program} does not start: {error}") from error
    text = said.stdout.decode("utf-8", "replace").strip()
    if said.returncode or not text:
        raise Failed(f"{program} --version ended with {said.returncode} and said {text!r}.")
    return text


def size(program: Path, kind: str) -> int:
    """Bytes on the disk: of the file, or of everything in its folder."""
    if kind == "onefile":
        return program.stat().st_size
    return sum(path.stat().st_size for path in program.parent.rglob("*") if path.is_file())


if __name__ == "__main__":
    sys.exit(main())
