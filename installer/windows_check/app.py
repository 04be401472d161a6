"""The checked program at work: starting it, its window, its runs as its log tells them, its end."""

from __future__ import annotations

import json
import select
import subprocess
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import PureWindowsPath
from typing import Any, NamedTuple, TypeVar

from desktop_agent.protocol.geometry import Point
from installer.windows_check.human import Human, human
from installer.windows_check.inside import Hands, Inside, TopWindow, inside
from installer.windows_check.machine import Machine
from installer.windows_check.outcome import Broken
from installer.windows_check.probes.keys import CTRL

T = TypeVar("T")
SECONDS = 90.0
END_SECONDS = 60.0
AGAIN_SECONDS = 10.0
"""After it a click that changed nothing is made again, as somebody at the screen would."""
TITLE, SECOND_TITLE = "Desktop Agent –", "Desktop Agent is open already"
NOTEPAD = "Notepad"
RUNS = r"desktop-agent\runs"
OVER = ("done", "error", "stopped")
CLOSE_BUTTON, INPUT, SKIP = Point(-26, 28), Point(130, -77), Point(36, -32)
"""In a window, from its left and top, or where negative from its right and bottom."""


def until(condition: Callable[[], T | None], what: str, seconds: float = SECONDS) -> T:
    """Ask until the answer is true, and return it. Raises Broken at the deadline."""
    deadline = time.monotonic() + seconds
    while not (answer := condition()):
        if time.monotonic() > deadline:
            raise Broken(f"not within {seconds:.0f} s: {what}")
        select.select([], [], [], 0.02)
    return answer


def file_name(words: str) -> str:
    """
    >>> file_name("source: closed by its user")
    'source--closed-by-its-user'
    """
    return "".join(c if c.isalnum() else "-" for c in words.lower())


def exit_code(process: subprocess.Popen[bytes]) -> int:
    """Wait for the program's end. Raises Broken when it does not come."""
    try:
        return process.wait(END_SECONDS)
    except subprocess.TimeoutExpired:
        raise Broken(f"the program did not end within {END_SECONDS:.0f} s") from None


class Run(NamedTuple):
    """One run as its log tells it by now."""

    folder: str
    events: tuple[Mapping[str, Any], ...]

    def of(self, kind: str) -> list[Mapping[str, Any]]:
        return [event["data"] for event in self.events if event["kind"] == kind]

    @property
    def state(self) -> tuple[str, str]:
        """The last state and its detail; ("", "") before the first."""
        states = self.of("status")
        return (states[-1]["state"], states[-1]["detail"]) if states else ("", "")

    @property
    def results(self) -> list[tuple[str, str]]:
        """Outcome and detail of every operation."""
        return [(each["outcome"], each["detail"]) for each in self.of("result")]


class Lab:
    """The machine with a probe inside, somebody at it, and the program that is checked."""

    def __init__(
        self, machine: Machine, program: Sequence[str], name: str, probe: Inside, person: Human
    ) -> None:
        self.machine, self.name, self.probe, self.person = machine, name, probe, person
        self.scene = ""
        """What is being played."""
        self._program = list(program)
        self._image = PureWindowsPath(program[0]).name.lower()
        self._others = frozenset(self._of_its_name())

    def run(self, *words: str, seconds: float = SECONDS) -> subprocess.CompletedProcess[str]:
        """Run the program to its end."""
        return self.machine.run([*self._program, *words], seconds)

    def start(self, *words: str) -> subprocess.Popen[bytes]:
        """Start the program."""
        return self.machine.start([*self._program, *words])

    @contextmanager
    def started(self, *words: str) -> Iterator[subprocess.Popen[bytes]]:
        """The program while the block lasts; whatever is left of it then is ended."""
        process = self.start(*words)
        try:
            yield process
        except Broken:
            self.machine.screenshot(file_name(f"{self.name}-{self.scene}-before-its-end"))
            raise
        finally:
            self.end(process)

    def end(self, process: subprocess.Popen[bytes]) -> None:
        """End what a failed scenario left."""
        process.kill()
        process.wait()
        try:
            until(lambda: not self.ours(), "the end of all", END_SECONDS)  # as they do without a brain
        except Broken:
            for pid in self.ours():
                self.probe.ask("kill", pid)

    def ours(self) -> list[int]:
        """Processes of the program, whoever started them."""
        return [pid for pid in self._of_its_name() if pid not in self._others]

    def _of_its_name(self) -> list[int]:
        return [each.pid for each in self.probe.processes() if each.name.lower() == self._image]

    # ---- its window --------------------------------------------------------------------------

    def window(self, title: str = TITLE) -> TopWindow:
        """Its window, as soon as it is there."""
        return until(lambda: self.probe.window(title), f"a window called {title!r}")

    def ready(self) -> TopWindow:
        """Its window, as soon as it has its place and waits for a goal."""
        return until(lambda: self.probe.window(f"{TITLE} ready"), "the window, ready for a goal")

    def say(self, window: TopWindow, goal: str) -> str:
        """Paste a goal into the window and press Enter; the log of the run that began. Raises Broken.

        Windows names the window as the one in front before it has handled a click that misses it (it may still
        move): then the keys reach something else, no run begins, and the goal is given again.
        """
        before = self.runs()
        self._leave_first_page(window)
        self.probe.ask("paste_text", goal)
        deadline = time.monotonic() + SECONDS
        while True:
            self.click_until(window, INPUT, lambda: self._in_front(window), "the window with the keyboard")
            self._press_with_ctrl("a")
            self._press_with_ctrl("v")
            self.person.press("enter")
            try:
                return self.new_run(before, AGAIN_SECONDS)
            except Broken:
                self.machine.screenshot(file_name(f"{self.name}-{self.scene}-no-run-began"))
                if time.monotonic() > deadline:
                    raise

    def _press_with_ctrl(self, letter: str) -> None:
        """Press a letter once Windows knows that Ctrl is down: a window that has just got the keyboard may take it earlier."""
        self.person.press("ctrl", letter, held=lambda: until(lambda: CTRL in self.probe.held(), "Ctrl down"))

    def _leave_first_page(self, window: TopWindow) -> None:
        """Skip what a first start shows in place of the chat, once: the program remembers it."""
        if not self._welcomed():
            self.click_until(window, SKIP, self._welcomed, "the first page skipped, and that remembered")

    def click_until(self, window: TopWindow, at: Point, reached: Callable[[], object], what: str) -> None:
        """Click `at` in the window, which is measured as CLOSE_BUTTON is, until `reached`.

        A window that says it is ready may still move to its place, and shows the first page only after its
        first painting: a click before that meets something else.
        """
        deadline = time.monotonic() + SECONDS
        while True:
            place = next((w.place for w in self.probe.windows() if w.window == window.window), window.place)
            x, y = (place.right if at.x < 0 else place.x), (place.bottom if at.y < 0 else place.y)
            self.person.click(Point(x + at.x, y + at.y))
            try:
                until(reached, what, AGAIN_SECONDS)
            except Broken:
                if time.monotonic() > deadline:
                    raise Broken(f"not within {SECONDS:.0f} s: {what}") from None
            else:
                return

    def _in_front(self, window: TopWindow) -> bool:
        return bool(self.probe.ask("foreground") == window.window)

    def _welcomed(self) -> bool:
        saved = self.probe.ask("files", self.probe.ask("local_data"), r"desktop-agent\window.ini")
        return any("welcomed=true" in self.probe.ask("read", each) for each in saved)

    def click_close(self, window: TopWindow) -> None:
        """Click the cross, and see the window go."""
        self.click_until(window, CLOSE_BUTTON, lambda: not self._there(window), "the window gone")

    def _there(self, window: TopWindow) -> bool:
        return any(each.window == window.window for each in self.probe.windows())

    # ---- its runs ----------------------------------------------------------------------------

    def runs(self) -> list[str]:
        """Logs of all runs, the newest last."""
        local = self.probe.ask("local_data")
        return list(self.probe.ask("files", local, rf"{RUNS}\*\events.jsonl"))

    def read(self, log: str) -> Run:
        """A log, without a line that is being written."""
        lines = self.probe.ask("read", log).split("\n")[:-1]
        return Run(str(PureWindowsPath(log).parent), tuple(json.loads(line) for line in lines))

    def new_run(self, before: Sequence[str], seconds: float = SECONDS) -> str:
        """The log of the run that began since `runs()` was `before`."""
        return until(lambda: next(iter(set(self.runs()) - set(before)), None), "the log of a run", seconds)

    def until_over(self, log: str, seconds: float = SECONDS) -> Run:
        """The run once it is over or waits for somebody."""

        def over() -> Run | None:
            run = self.read(log)
            return run if run.state[0] in (*OVER, "waiting_for_user", "paused") else None

        return until(over, "the end of the run", seconds)

    # ---- what it holds -----------------------------------------------------------------------

    def hands(self) -> Hands | None:
        """The shared block of its hand, once there are a hand and a guard."""
        ours = self.ours()
        newest_first = reversed(self.probe.hands())  # a process may have the number of one that is gone
        return next((h for h in newest_first if h.hand and h.guard and h.brain in ours), None)

    def until_free(self, seconds: float) -> list[int]:
        """Wait until nothing is held; the virtual keys that stay down."""
        with suppress(Broken):
            until(lambda: not self.probe.held(), "nothing held", seconds)
        return self.probe.held()

    # ---- notepad -----------------------------------------------------------------------------

    def notepad(self) -> TopWindow:
        """Notepad's window, as soon as it is there."""
        return until(lambda: next((w for w in self.probe.windows() if w.kind == NOTEPAD), None), "notepad")

    def close_notepads(self) -> None:
        """End every notepad: the next scenario begins with none."""
        for each in self.probe.processes():
            if each.name.lower() == "notepad.exe":
                self.probe.ask("kill", each.pid)
        until(lambda: not any(w.kind == NOTEPAD for w in self.probe.windows()), "the end of notepad")


@contextmanager
def lab(machine: Machine, program: Sequence[str], name: str) -> Iterator[Lab]:
    """Everything a scenario needs."""
    with inside(machine) as probe, human(machine) as person:
        yield Lab(machine, program, name, probe, person)
