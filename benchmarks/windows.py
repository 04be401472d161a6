"""The Windows program under Wine: start to window, looks, typing, Esc, kills, sizes."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path, PureWindowsPath
from random import Random

from benchmarks.peers import Unavailable
from benchmarks.report import Figure, Goal, Report, counted, measured, report
from benchmarks.windows_parts import desk as parts
from benchmarks.windows_parts.desk import Desk, Killed
from benchmarks.windows_parts.place import builds, windows
from installer.build_windows import MEGABYTE, size
from installer.windows_check.human import human
from installer.windows_check.inside import Inside, inside
from installer.windows_check.machine import SHARED, Machine
from installer.windows_check.outcome import Broken
from installer.windows_check.scenes import MIXED, SENTENCE
from tests.support.windows_kills import VICTIMS

SEED = 20_261_122
STARTS, LOOKS, TEXTS, ESCAPES, KILLS = 5, 60, 10, 30, 102
QUICK_STARTS, QUICK_LOOKS, QUICK_TEXTS, QUICK_ESCAPES, QUICK_KILLS = 2, 10, 2, 3, 6
ASCII, LONG = SENTENCE * 20, SENTENCE * 200
END_SECONDS = 60.0
WHOLE, NONE = Goal(1.0, at_least=True), Goal(0)
WINE = "Under Wine 10 on this machine; nothing here was measured on a real Windows."


def run(quick: bool) -> Report:
    """Everything in one machine; in the short form fewer times, and with a build only where there is one."""
    figures: list[Figure] = []
    notes = [WINE]
    try:
        with windows() as machine:
            try:
                figures += _packaged(machine, builds(machine, make=not quick), quick)
            except Unavailable as reason:
                notes.append(f"skipped, the packaged program: {reason}")
            figures += _from_source(machine, quick)
    except Unavailable as reason:
        notes.append(f"skipped: {reason}")
    return report("windows", *figures, notes=notes)


# ---- the packaged program --------------------------------------------------------------------


def _packaged(machine: Machine, programs: dict[str, Path], quick: bool) -> Iterator[Figure]:
    for kind, program in programs.items():
        goal = Goal(60.0) if kind == "onefile" else None
        yield counted(f"size of the {kind} build", size(program, kind) / MEGABYTE, 1, "MB", goal)
    for kind, program in programs.items():
        inside_it = PureWindowsPath(SHARED, program.relative_to(machine.shared).as_posix())
        starts = _starts(machine, [str(inside_it)], QUICK_STARTS if quick else STARTS)
        yield measured(f"start of the {kind} .exe to its window, the first time", starts[:1], "s")
        yield measured(f"start of the {kind} .exe to its window, again", starts[1:], "s", Goal(3.0))


def _starts(machine: Machine, program: Sequence[str], times: int) -> list[float]:
    """Seconds from each start to the painted window; the first one is the first since the machine was booted."""
    found = []
    with inside(machine) as probe, parts.screen(machine) as display:
        for _ in range(times + 1):
            began = time.monotonic()
            process = machine.start([*program, "--model", "offline"])
            found.append(parts.until_painted(display, began))
            _end(probe, process)
            parts.until_gone(display)
    return found


def _end(probe: Inside, process: subprocess.Popen[bytes]) -> None:
    window = probe.window("Desktop Agent")
    if window is not None:
        probe.ask("close", window.window)
    try:
        process.wait(END_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


# ---- from source -----------------------------------------------------------------------------


def _from_source(machine: Machine, quick: bool) -> Iterator[Figure]:
    source = [machine.python, "-m", "desktop_agent"]
    again = _starts(machine, source, QUICK_STARTS if quick else STARTS)[1:]
    yield measured("start from source to the window", again, "s", Goal(3.0))
    with ExitStack() as stack:
        probe, person = stack.enter_context(inside(machine)), stack.enter_context(human(machine))
        desk = stack.enter_context(Desk(machine, probe, person))
        looks = QUICK_LOOKS if quick else LOOKS
        yield measured("a look at an unchanged screen", desk.look(looks, changed=False), "ms")
        yield measured("a look at a changed screen", desk.look(looks, changed=True), "ms")
        yield from _typing(desk, QUICK_TEXTS if quick else TEXTS)
        yield from _escapes(desk, QUICK_ESCAPES if quick else ESCAPES)
        yield from _kills(desk, QUICK_KILLS if quick else KILLS)


def _typing(desk: Desk, times: int) -> Iterator[Figure]:
    for kind, text in (("ASCII", ASCII), ("mixed Unicode", MIXED * 5)):
        found = [desk.type(text) for _ in range(times)]
        yield measured(f"typing {kind}", [len(text) / each.seconds for each in found], "characters/s")
        exact = sum(each.exact for each in found) / times
        yield counted(f"typing {kind}, exact texts", exact, times, "share", WHOLE)


def _escapes(desk: Desk, times: int) -> Iterator[Figure]:
    random = Random(SEED)  # noqa: S311 - the same moments each time
    found = [desk.escape(LONG, random) for _ in range(times)]
    yield measured(
        "Esc to the last injected event", [each.milliseconds for each in found], "ms", Goal(50, "max")
    )
    characters = [float(each.characters) for each in found]
    yield measured("characters after Esc", characters, "characters", Goal(2.0, "max"))
    yield counted("Esc missed", sum(not each.stopped for each in found), times, "presses", NONE)
    yield counted("held after Esc", sum(each.held for each in found), times, "keys and buttons", NONE)


def _kills(desk: Desk, times: int) -> Iterator[Figure]:
    random = Random(SEED)  # noqa: S311 - the same kills each time
    found: list[Killed] = []
    for number in range(times):
        try:
            found.append(desk.kill(VICTIMS[number % len(VICTIMS)], random))
        except Broken as gone:
            print(f"windows: {VICTIMS[number % len(VICTIMS)]}: {gone}", file=sys.stderr)
            continue
        if found[-1].released is None or not found[-1].ended:
            print(f"windows: {found[-1]}", file=sys.stderr)
    for victim in ("any", *VICTIMS):
        stuck, count = parts.figures_of(found, victim)
        yield counted(f"inputs still held after a kill of {victim}", stuck, count, "kills", NONE)
    holding = [each.released or 0.0 for each in found if each.held and each.released is not None]
    if holding:
        yield measured("kill to all released", holding, "ms")
    yield counted("kills whose victim was gone already", times - len(found), times, "kills", NONE)
    yield counted(
        "other processes that did not end", sum(not each.ended for each in found), len(found), "kills", NONE
    )
