"""Pictures taken and events made while it is off, with an obeying model asking for them: counted from outside."""

from __future__ import annotations

import os
import select
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import IO, NamedTuple, Self, cast

from benchmarks.report import ROOT, BenchmarkError, Figure, Goal, Report, counted, report
from tests.support.desk import LabDesk
from tests.support.logind import Logind, private_bus
from tests.support.observer import Observer
from tests.support.private_desk import Desk

TRIES, QUICK = 1_000, 100
SECONDS = 60.0
STATES = ("paused", "locked", "another session in front", "a film fills the screen", "between two runs")


class Seen(NamedTuple):
    """What an observer counted while it was off, and what the program itself thinks it did."""

    state: str
    tries: int
    pictures: int
    events: int
    own: int


def run(quick: bool) -> Report:
    """In each state the model answers, and the program's own eyes and hand are asked past it."""
    found = trials((QUICK if quick else TRIES) // len(STATES))
    return report("off", *_figures(found))


def trials(each: int) -> list[Seen]:
    """So many tries in each state. Raises BenchmarkError where it does not work while it is on: then nothing is shown."""
    with Stage() as stage:
        return [stage.play(state, each) for state in STATES]


def _figures(found: list[Seen]) -> Iterator[Figure]:
    for seen in found:
        yield counted(f"pictures taken and events made: {seen.state}", seen.pictures + seen.events, seen.tries,
                      "requests", Goal(0))  # fmt: skip
    total = sum(seen.tries for seen in found)
    yield counted(
        "pictures taken while off", sum(seen.pictures for seen in found), total, "pictures", Goal(0)
    )
    yield counted("events made while off", sum(seen.events for seen in found), total, "events", Goal(0))
    yield counted("tries not refused", sum(seen.own for seen in found), total, "tries", Goal(0))


class Stage:
    """The desk with a terminal, the program at work on it, and two observers."""

    def __enter__(self) -> Self:
        with ExitStack() as stack:
            folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="off-")))
            self._desk = Desk(stack.enter_context(LabDesk()))
            bus = stack.enter_context(private_bus(folder))
            self._logind = Logind(bus)
            environment = {**os.environ, **self._desk.environment, "DBUS_SYSTEM_BUS_ADDRESS": bus}
            self._desk.launch("xterm", "-T", "work", "-geometry", "100x30+20+20", title="work")
            self._events = stack.enter_context(Observer(self._desk.environment))
            self._pictures = stack.enter_context(_module("tests.support.picture_counter", environment))
            worker = _module("benchmarks.off_parts.worker", environment, str(folder / "runs"))
            self._worker = stack.enter_context(worker)
            self._stack = stack.pop_all()
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def play(self, state: str, tries: int) -> Seen:
        """Switch it off in this way while a model thinks, let it answer, try; then switch it on and see it work."""
        self._worker.say("go")
        self._worker.hear("thinking")
        if state == "between two runs":
            self._worker.say("end")
            self._worker.hear("over")
            return self._try(state, tries)
        with self._switched_off(state):
            self._await_off()
            seen = self._try(state, tries, "answer")
        self._see_it_work()
        return seen

    def _await_off(self) -> None:
        for _ in range(1_000):
            self._worker.say("state")
            if self._worker.hear("on", "off") == ["off"]:
                return
            select.select([], [], [], 0.02)
        raise BenchmarkError("it was not switched off")

    def _try(self, state: str, tries: int, first: str = "") -> Seen:
        """Count while the model answers (where it is asked) and the program tries."""
        pictures, events = self._count()
        if first:
            self._worker.say(first)
            self._worker.hear("paused")
        self._worker.say(f"try {tries}")
        own = sum(map(int, self._worker.hear("tried")[2:]))
        now = self._count()
        return Seen(state, tries, now[0] - pictures, now[1] - events, own)

    def _count(self) -> tuple[int, int]:
        """Pictures taken and events injected by now."""
        injected = [each for each in self._events.sync() if each.injected]
        self._pictures.say("")
        return int(self._pictures.line()[0]), len(injected)

    @contextmanager
    def _switched_off(self, state: str) -> Iterator[None]:
        switch: dict[str, Callable[[bool], None]] = {
            "paused": lambda off: self._worker.say("pause") if off else None,
            "locked": lambda off: self._logind.change("LockedHint", off),
            "another session in front": lambda off: self._logind.change("Active", not off),
        }
        if state in switch:
            switch[state](True)
            yield
            switch[state](False)
        else:
            with self._desk.ending():
                self._desk.launch("xterm", "-fullscreen", "-T", "film", title="film")
                yield

    def _see_it_work(self) -> None:
        """On again: it looks, the model answers, it acts; the observers see both, so they would have seen them before."""
        before = self._count()
        for _ in range(100):
            self._worker.say("resume")
            if self._worker.hear("thinking", "paused")[0] == "thinking":
                break
        self._worker.say("answer")
        self._worker.hear("thinking")
        after = self._count()
        if after[0] <= before[0] or after[1] <= before[1]:
            raise BenchmarkError(f"it was on, and the observers saw nothing: {before}, {after}")
        self._worker.say("end")
        self._worker.hear("over")


class _Lines:
    """A process spoken with in lines."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self._in, self._out = cast(IO[bytes], process.stdin), cast(IO[bytes], process.stdout)

    def say(self, words: str) -> None:
        self._in.write(f"{words}\n".encode())

    def line(self) -> list[str]:
        if select.select([self._out], [], [], SECONDS)[0] and (line := self._out.readline()):
            return line.decode().split()
        raise BenchmarkError("a process of the benchmark ended or fell silent (its words are above)")

    def hear(self, *words: str) -> list[str]:
        """Skip lines until one begins with one of the words."""
        while (line := self.line())[:1] not in [[word] for word in words]:
            pass
        return line


@contextmanager
def _module(name: str, environment: dict[str, str], *arguments: str) -> Iterator[_Lines]:
    command = [sys.executable, "-m", name, *arguments]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=ROOT, env=environment, bufsize=0
    ) as process:
        try:
            yield _Lines(process)
        finally:
            cast(IO[bytes], process.stdin).close()
            try:
                process.wait(SECONDS)
            except subprocess.TimeoutExpired:
                process.kill()
