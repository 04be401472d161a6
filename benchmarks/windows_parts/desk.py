"""The benchmark's side of the machine: a worker inside, a notepad to work in, what a bystander sees."""

from __future__ import annotations

import contextlib
import json
import select
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from random import Random
from typing import Any, NamedTuple, Self

import msgspec

from benchmarks.report import BenchmarkError
from benchmarks.windows_parts.worker import Act, Look, Task
from desktop_agent.platforms.x11.connection import Display
from desktop_agent.protocol import ops
from desktop_agent.protocol.geometry import Point, Size
from installer.windows_check.app import NOTEPAD, until
from installer.windows_check.human import Human
from installer.windows_check.inside import Inside, TopWindow, connected
from installer.windows_check.machine import Machine
from installer.windows_check.outcome import Broken
from installer.windows_check.probes.keys import ESCAPE, PACKET
from tests.support import jobs

WORKER = "benchmarks.windows_parts.worker"
START_SECONDS, ANSWER_SECONDS, CALM_SECONDS = 120.0, 120.0, 5.0
HEADER = Point(1000, 20)
"""A pixel of the docked window's header; the screen below is black."""
LOOK_SECONDS = 0.005
LATEST = 0.5
"""Seconds into a batch by which a kill has come."""
ROOM = Size(740, 540)


class Worker:
    """A worker inside Windows. Raises BenchmarkError when it does not come up or falls silent."""

    def __init__(self, machine: Machine) -> None:
        self._at_work = contextlib.ExitStack()
        try:
            line = self._at_work.enter_context(connected(machine, WORKER))
        except Broken as error:
            raise BenchmarkError(str(error)) from error
        line.settimeout(ANSWER_SECONDS)
        self._stream = line.makefile("rwb")

    def tell(self, task: Task) -> None:
        self._stream.write(msgspec.json.encode(task) + b"\n")
        self._stream.flush()

    def hear(self, word: str) -> list[Any]:
        """Skip answers until one begins with a word; the rest of it."""
        while True:
            try:
                answer = json.loads(self._stream.readline() or "null")
            except OSError as error:
                raise BenchmarkError(f"the worker fell silent: {error}") from error
            if answer is None or (answer[0] == "over" != word):
                raise BenchmarkError(f"the worker ended too early: {answer}")
            if answer[0] == word:
                return list(answer[1:])

    def close(self) -> None:
        """End it, if nobody has."""
        self._at_work.close()


class Typed(NamedTuple):
    """One text typed into notepad."""

    seconds: float
    exact: bool


class Escaped(NamedTuple):
    """One Esc: what came after it by Windows' own count of key events, milliseconds to the last of them."""

    characters: int
    milliseconds: float
    stopped: bool
    held: int


class Killed(NamedTuple):
    """One kill: how much was held at it, milliseconds until nothing was (None: something stayed)."""

    victim: str
    held: int
    released: float | None
    left: tuple[int, ...]
    ended: bool


class Desk:
    """Everything that is measured with a worker; one worker stands ready while another is at work."""

    def __init__(self, machine: Machine, probe: Inside, person: Human) -> None:
        self._machine, self._probe, self._person = machine, probe, person
        self._worker, self._next = Worker(machine), Worker(machine)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._worker.close()
        self._next.close()

    def _notepad(self) -> TopWindow:
        """A notepad with the keyboard; a new one where it went away."""
        found = self._probe.window(NOTEPAD)
        if found is None or found.kind != NOTEPAD:
            self._machine.start(["notepad.exe"])
            found = until(lambda: self._probe.window(NOTEPAD), "notepad")
        if self._probe.ask("foreground") != found.window:
            self._probe.ask("take_keyboard", found.window)
        return found

    # ---- looking and typing ------------------------------------------------------------------

    def look(self, times: int, changed: bool) -> list[float]:
        """Milliseconds of a look at the screen, with or without a change since the last one."""
        self._worker.tell(Look(times, self._notepad().window if changed else 0))
        return [float(each) for each in self._worker.hear("over")]

    def type(self, text: str) -> Typed:
        """Type a text into an empty notepad."""
        notepad = self._notepad().window
        self._probe.ask("set_text", notepad, "")
        self._worker.tell(Act((ops.Type(text),)))
        outcome, detail, seconds = self._worker.hear("over")
        if outcome != "done":
            raise BenchmarkError(f"typing: {outcome} {detail}")
        self._await_length(notepad, len(text.replace("\n", "\r\n").encode("utf-16-le")) // 2)
        return Typed(seconds, self._probe.text(notepad) == text)

    def _await_length(self, notepad: int, units: int) -> None:
        """Until notepad has read so much of what was sent, or reads no more."""
        length, since = -1, time.monotonic()
        while length < units and time.monotonic() - since < CALM_SECONDS:
            select.select([], [], [], LOOK_SECONDS)
            before, length = length, int(self._probe.ask("length", notepad))
            if length != before:
                since = time.monotonic()

    # ---- Esc ---------------------------------------------------------------------------------

    def escape(self, text: str, random: Random) -> Escaped:
        """The human presses Esc somewhere in a text that is being typed."""
        notepad = self._notepad().window
        self._probe.ask("set_text", notepad, "")
        self._probe.ask("watch")
        self._worker.tell(Act((ops.Type(text),)))
        first = random.randint(20, 400)
        until(lambda: self._probe.ask("length", notepad) >= first, "the first characters")
        self._person.press("escape")
        outcome, _, _ = self._worker.hear("over")
        held = [code for code in self._probe.held() if code != ESCAPE]  # that one is the human's
        events = self._probe.keys_seen()
        at = next((n for n, e in enumerate(events) if e.code == ESCAPE and not e.injected), None)
        if at is None:  # Windows never heard of it: that is one missed, whoever lost it
            return Escaped(0, 0.0, False, len(held))
        after = [each for each in events[at:] if each.injected and each.code == PACKET]
        late = (after[-1].at - events[at].at) * 1000 if after else 0.0
        return Escaped(sum(not each.up for each in after), late, outcome == "stopped", len(held))

    # ---- kills -------------------------------------------------------------------------------

    def kill(self, victim: str, random: Random) -> Killed:
        """Kill one of the three at some moment of a batch that holds something.

        Raises Broken when it was gone already; then the next is another worker's.
        """
        self._notepad()
        kind = random.choice(jobs.KINDS)
        self._worker.tell(Act(kind(random, 10, ROOM)))
        brain, hand, guard = self._worker.hear("pids")
        self._worker.hear("began")
        select.select([], [], [], random.uniform(0, LATEST))
        pids = {"brain": brain, "hand": hand, "guard": guard}
        others = [pid for name, pid in pids.items() if name not in (victim, "brain")]
        try:
            held, released, left, ended = self._probe.ask("kill_and_watch", pids[victim], others)
        except Broken:
            self._replace()
            raise
        if victim == "brain":
            self._replace()
        else:
            self._worker.hear("over")
        return Killed(victim, held, released, tuple(left), ended)

    def _replace(self) -> None:
        self._worker.close()
        self._worker, self._next = self._next, Worker(self._machine)


# ---- the window ------------------------------------------------------------------------------


@contextmanager
def screen(machine: Machine) -> Iterator[Display]:
    """A bystander's connection to the machine's screen."""
    display = Display(machine.environment)
    try:
        yield display
    finally:
        display.close()


def until_painted(display: Display, began: float) -> float:
    """Seconds from `began` until the window is seen on the screen."""
    while not _lit(display):
        if time.monotonic() - began > START_SECONDS:
            raise BenchmarkError(f"no window within {START_SECONDS:.0f} s")
        select.select([], [], [], LOOK_SECONDS)
    return time.monotonic() - began


def until_gone(display: Display) -> None:
    """Return when the window is seen no more."""
    until(lambda: not _lit(display), "the window gone")


def _lit(display: Display) -> bool:
    reply = display.core.GetImage(2, display.root, HEADER.x, HEADER.y, 1, 1, 0xFFFFFFFF).reply()
    return any(bytes(reply.data)[:3])


def figures_of(kills: Sequence[Killed], victim: str) -> tuple[int, int]:
    """How many of a victim's kills left something held, and how many there were."""
    chosen = [each for each in kills if victim in ("any", each.victim)]
    return sum(each.released is None for each in chosen), len(chosen)
