"""The parts of the check: the tests under Windows Python, the program from source, the packaged program."""

from __future__ import annotations

import re
import subprocess
import time
import zipfile
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path, PurePosixPath, PureWindowsPath

from installer import build_setup
from installer.build_windows import BUILDS
from installer.windows_check import limits, selection, setup_scenes
from installer.windows_check.app import file_name
from installer.windows_check.boot import booted
from installer.windows_check.machine import SHARED, Machine
from installer.windows_check.outcome import Outcome
from installer.windows_check.progress import Progress
from installer.windows_check.scenarios import SCENARIOS, in_one_file, scenarios

BUILD = (r"Z:\src\installer\build_windows.py", "--into", rf"{SHARED}\dist", "--work", rf"{SHARED}\build")
"""Arguments for Windows Python that build the packaged program."""
RESOURCES = ("-m", "installer.windows_check.probes.resources")
PYTEST = ("-m", "pytest", "-p", "no:cacheprovider", "-v", "--durations", "40")
TWO_AT_A_TIME = ("-n", "2", "--dist", "loadfile")


def whole(root: Path, source: Path, progress: Progress) -> None:
    """Run all parts; the packaged program is built beside the tests with a Windows of their own and the program from source.

    PyInstaller keeps one processor busy for ten minutes, and those wait more than they work.
    """
    _most_tests(root, source, progress)
    with _building(root, source, progress) as (machine, built):
        _other_tests(root, source, progress)
        _from_source(root, source, progress)
        _play_packaged(machine, built, progress)


def _tests(root: Path, source: Path, progress: Progress) -> None:
    _most_tests(root, source, progress)
    _other_tests(root, source, progress)


def _most_tests(root: Path, source: Path, progress: Progress) -> None:
    print("the tests, under Windows Python:", flush=True)
    most = [*TWO_AT_A_TIME, *selection.ignored(source), "tests"]
    progress.tell("tests", [_tested(root, source, progress, "most", most)])


def _other_tests(root: Path, source: Path, progress: Progress) -> None:
    progress.tell("tests", (_tested(root, source, progress, *each) for each in selection.boots(source)))


def _tested(root: Path, source: Path, progress: Progress, name: str, words: list[str]) -> Outcome:
    with booted(root, source, progress.kept) as machine:
        return _ran(machine, f"pytest {name}", [machine.python, *PYTEST, *words], limits.TESTS, progress)


def _from_source(root: Path, source: Path, progress: Progress) -> None:
    print("the program from source:", flush=True)
    with booted(root, source, progress.kept) as machine:
        program = [machine.python, "-m", "desktop_agent"]
        progress.tell("source", scenarios(machine, program, "source"))


def _packaged(root: Path, source: Path, progress: Progress) -> None:
    with _building(root, source, progress) as (machine, built):
        _play_packaged(machine, built, progress)


@contextmanager
def _building(root: Path, source: Path, progress: Progress) -> Iterator[tuple[Machine, Future[Outcome]]]:
    """A Windows in which a thread builds the packaged program; leaving it early ends the build."""
    with ThreadPoolExecutor(1) as thread, booted(root, source, progress.kept) as machine:
        build = [machine.python, *BUILD]
        yield machine, thread.submit(_ran, machine, "build", build, limits.BUILD, progress)


def _play_packaged(machine: Machine, built: Future[Outcome], progress: Progress) -> None:
    print("the packaged program:", flush=True)
    progress.tell("exe", [built.result()])
    for name, program in BUILDS.items() if built.result().passed else ():
        path = str(PureWindowsPath(SHARED, "dist", program))
        resources = [machine.python, *RESOURCES, path]
        progress.tell(name, [_ran(machine, f"resources {name}", resources, limits.WINE, progress)])
        played = in_one_file() if name == "onefile" else SCENARIOS
        progress.tell(name, scenarios(machine, [path], name, played))
        if name == "onedir":
            progress.tell("setup", _set_up(machine))


def _from_setup(root: Path, source: Path, progress: Progress) -> None:
    print("the setup and the portable zip:", flush=True)
    with booted(root, source, progress.kept) as machine:
        built = _ran(machine, "build", [machine.python, *BUILD, "--only", "onedir"], limits.BUILD, progress)
        progress.tell("setup", [built])
        if built.passed:
            progress.tell("setup", _set_up(machine))


def _set_up(machine: Machine) -> Iterator[Outcome]:
    """What users get, built on this side from the program in its folder, and played."""
    dist = machine.shared / "dist"
    try:
        program = dist / PurePosixPath(BUILDS["onedir"]).parent
        zipped, setup = build_setup.build_zip(program, dist), build_setup.build_setup(program, dist)
    except (build_setup.Failed, OSError) as error:
        yield Outcome("built", False, str(error), 0.0)
        return
    with zipfile.ZipFile(zipped) as packed:
        packed.extractall(dist / "portable")
    yield from setup_scenes.scenes(machine, setup.name, f"{setup.stat().st_size / 1_000_000:.0f} MB")


def _ran(machine: Machine, name: str, argv: list[str], seconds: float, progress: Progress) -> Outcome:
    """Run it to its end; what it says goes to NAME.txt, and its last line is the outcome's words."""
    began = time.monotonic()
    try:
        ran = machine.run(argv, progress.budget.part(seconds))
        passed, said = ran.returncode == 0, ran.stdout
        words = (said.strip().splitlines() or ["said nothing"])[-1]
    except subprocess.TimeoutExpired as late:
        passed, said, words = False, str(late.output), f"took longer than {late.timeout:.0f} s"
    (progress.kept / f"{file_name(name)}.txt").write_text(said, encoding="utf-8")
    if not passed:
        print("\n".join(said.splitlines()[-40:]), flush=True)
        machine.screenshot(f"{file_name(name)}-failed")
    return Outcome(name, passed, re.sub(r"^=+ | =+$", "", words), time.monotonic() - began)


PARTS: dict[str, Callable[[Path, Path, Progress], None]] = {
    "tests": _tests,
    "source": _from_source,
    "exe": _packaged,
    "setup": _from_setup,
}
"""The parts by the names the command line knows: each is told chroot, source and progress. `exe` plays the setup, too."""
