"""A user's desktop with work on it, an agent at work there, and each way in which its run can end."""

from __future__ import annotations

import os
import select
import signal
import subprocess
import sys
import tempfile
import threading
import time
from contextlib import ExitStack, closing, suppress
from pathlib import Path
from random import Random
from typing import IO, Literal, NamedTuple, Self, TypeAlias, cast, get_args

import msgspec

from benchmarks.report import ROOT, BenchmarkError
from benchmarks.trace_parts.snapshot import Eye, Snapshot, differences
from benchmarks.trace_parts.worker import Batch, Job
from desktop_agent.platforms.host import Peer
from desktop_agent.platforms.x11.clipboard.icccm import SelectionContent, SelectionForm, SelectionWindow
from desktop_agent.platforms.x11.clipboard.server import Server
from desktop_agent.platforms.x11.connection import Display
from desktop_agent.platforms.x11.windows.ewmh import EwmhWindows
from tests.support.private_desk import Desk
from tests.support.waiting import until

Way: TypeAlias = Literal[
    "done", "done unnamed", "esc", "error", "kill brain", "kill hand", "kill guard", "kill all"
]
WAYS: tuple[Way, ...] = get_args(Way)
USERS = "what the user had copied"
NOTES = "my notes"
CALM_SECONDS = 3.0
"""By when everything of it has been put back: a process that does so may have to start on a busy machine."""
STILL = ("windows: ", "pointer: ")
"""After a stop of any kind nothing moves any more: windows and pointer stay as they were then."""


TYPES_LONG: Batch = ({"op": "type", "text": "añ漢 more " * 300}, {"op": "wait", "seconds": 20})
HOLDS_LONG: Batch = ({"op": "key_down", "key": "shift"}, {"op": "wait", "seconds": 20})
"""What a run is at when it is ended, half of them each."""
PUT_BACK = ("pointer: shape", "keyboard: ", "clipboard: ", "settings: ", "files: ")
"""And what may still be put back then."""


class Seen(NamedTuple):
    """What a run left: of the run itself by comparison with before it, and what still moved after a stop."""

    way: Way
    left: list[str]
    moved: list[str]


class Stage:
    """The desk: the user's notes in front, an editor behind, a minimised terminal, something on the clipboard."""

    def __init__(self, desk: Desk) -> None:
        self.desk = desk
        self._stack = ExitStack()

    def __enter__(self) -> Self:
        desk = self.desk
        self._temporary = Path(self._stack.enter_context(tempfile.TemporaryDirectory(prefix="trace-")))
        data = self._stack.enter_context(tempfile.TemporaryDirectory(prefix="trace-data-"))
        self._runs = Path(data, "runs")
        self._display = Display(desk.environment)
        self._stack.callback(self._display.close)
        self._windows = EwmhWindows(self._display)
        self._away = self._opened("put away", "xterm", "-T", "put away")
        self._editor = self._opened("Mousepad", "mousepad")
        self._notes = self._opened(NOTES, "xterm", "-T", NOTES, "-geometry", "60x16+30+30")
        self._eye = Eye(desk.environment, self._temporary)
        self._stack.callback(self._eye.close)
        self._minimise(self._away)
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def _opened(self, title: str, *command: str) -> int:
        """Start a program; its window, once it is the active one."""
        self.desk.launch(*command)

        def active() -> int:
            window = self._windows.active()
            return window if window and title in self._windows.describe(window).title else 0

        return until(active, f"an active window {title!r}")

    def _minimise(self, window: int) -> None:
        from desktop_agent.platforms.x11.windows.ewmh import client_message

        message = client_message(window, self._display.atom("WM_CHANGE_STATE"), 3)
        self._display.core.SendEvent(False, self._display.root, 0x180000, message)
        self._display.sync()
        until(lambda: self._display.numbers(window, "WM_STATE")[:1] == [3], "the window is minimised")

    # ---- one run -----------------------------------------------------------------------------

    def play(self, way: Way, chance: Random) -> Seen:
        """One run that ends in this way, and what it left."""
        self._put_in_order()
        before = self._eye.look()
        with Brain(self.desk, self._temporary, self._runs) as brain:
            brain.say(self._job(way, chance))
            brain.hear("pids")
            at_end = self._end(brain, way, chance)
        but = self._changed_by_the_goal(way) if at_end is None else STILL
        end = time.monotonic() + CALM_SECONDS
        while left := differences(before, self._eye.look(), but):
            if time.monotonic() > end:
                break
            select.select([], [], [], 0.05)
        moved = [] if at_end is None else differences(at_end, self._eye.look(), PUT_BACK)
        return Seen(way, left, moved)

    def _put_in_order(self) -> None:
        """The user has the notes in front, the pointer somewhere, and has copied something."""
        self._windows.activate(self._notes)
        until(lambda: self._windows.active() == self._notes, "the notes are in front")
        self._display.core.WarpPointer(0, self._display.root, 0, 0, 0, 0, 200, 150)
        self._display.sync()
        copied = SelectionWindow(self.desk.environment)
        server = Server(
            copied, SelectionContent((SelectionForm("UTF8_STRING", "UTF8_STRING", 8, USERS.encode()),))
        )
        if not server.take():
            raise BenchmarkError("nothing can be copied")
        threading.Thread(target=_serve, args=(copied, server), daemon=True).start()

    def _changed_by_the_goal(self, way: Way) -> tuple[str, ...]:
        """The editor that the goal names stays in front, and its title tells that it was changed."""
        named = ("windows: in front", "windows: stacking order", "windows: keyboard focus")
        return (f"windows: window {self._editor:#x}", *(named if way == "done" else ()))

    def _job(self, way: Way, chance: Random) -> Job:
        bounds = self._windows.describe(self._editor).bounds
        x, y = bounds.x + bounds.width - 60, bounds.y + bounds.height - 60
        goal = "Write the words again" if way == "done unnamed" else "Write the words in Mousepad"
        work: tuple[Batch, ...] = (
            ({"op": "click", "x": x, "y": y}, _keys("ctrl", "a"), {"op": "type", "text": "grüße 漢字 "}),
            (_keys("ctrl", "a"), _keys("ctrl", "c")),
            (_keys("ctrl", "End"), _keys("ctrl", "v")),
        )
        if way in ("done", "done unnamed", "error"):
            return Job(goal, work, fails=way == "error")
        return Job(goal, (*work, chance.choice((TYPES_LONG, HOLDS_LONG))))

    def _end(self, brain: Brain, way: Way, chance: Random) -> Snapshot | None:
        """End it; the desk at that moment, None where the run may still put things in order."""
        if way in ("done", "done unnamed"):
            brain.hear("over")
            return None
        if way == "error":
            brain.hear("over")
            return self._eye.look()
        brain.hear("began", "8")
        select.select([], [], [], chance.uniform(0.0, 0.4))
        if way == "esc":
            with self.desk.target.human() as human:  # type: ignore[attr-defined]
                human.tap()
            brain.hear("over", "stopped")
        else:
            brain.kill(way.removeprefix("kill "))
        return self._eye.look()


class Brain:
    """The worker's process, spoken with in lines."""

    def __init__(self, desk: Desk, temporary: Path, runs: Path) -> None:
        environment = {**os.environ, **desk.environment, "TMPDIR": str(temporary)}
        self._process = subprocess.Popen(
            [sys.executable, "-m", "benchmarks.trace_parts.worker", str(runs)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=ROOT, env=environment, bufsize=0,
        )  # fmt: skip
        self._temporary = temporary
        self._in, self._out = cast(IO[bytes], self._process.stdin), cast(IO[bytes], self._process.stdout)
        self._pids = {"brain": self._process.pid}
        self._peers = {"brain": Peer(self._process.pid)}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        """Its orderly end, if it lives; then every process of it has ended."""
        with suppress(BrokenPipeError):
            self._in.close()
        self._process.wait(60)
        self._out.close()
        for name, peer in self._peers.items():
            if not peer.wait(30):
                raise BenchmarkError(f"the {name} did not end")

    def say(self, job: Job) -> None:
        self._in.write(msgspec.json.encode(job) + b"\n")

    def hear(self, word: str, *rest: str) -> list[str]:
        """Skip lines until one begins so; remembers the processes."""
        while True:
            words = self._out.readline().decode().split()
            if not words:
                raise BenchmarkError("the brain ended or fell silent")
            if words[0] == "pids":
                others = zip(("hand", "guard", "watcher"), map(int, words[1:]), strict=True)
                self._pids |= {name: pid for name, pid in others if pid}
                self._peers |= {name: Peer(pid) for name, pid in self._pids.items() if name != "brain"}
            if words[: 1 + len(rest)] == [word, *rest]:
                return words
            if words[0] in ("over", "asked"):
                raise BenchmarkError(f"it ended too early: {' '.join(words)}")

    def kill(self, whom: str) -> None:
        """SIGKILL one of its processes, or all of them, stopped first so that none lets go for another."""
        chosen = list(self._peers) if whom == "all" else [whom]
        for sign in (signal.SIGSTOP, signal.SIGKILL) if whom == "all" else (signal.SIGKILL,):
            for name in chosen:
                os.kill(self._pids[name], sign)
        if whom == "all":
            for name in chosen:
                self._peers[name].wait(30)
            subprocess.run(
                [sys.executable, "-c", "from desktop_agent.hand.left_over import clean_up_left_over as s; s()"],
                check=True, cwd=ROOT, env={**os.environ, "TMPDIR": str(self._temporary)},
            )  # fmt: skip


def _serve(copied: SelectionWindow, server: Server) -> None:
    """Serve what was copied until another owns the clipboard."""
    from xcffib import ConnectionException

    with suppress(ConnectionException), closing(copied):
        server.run()


def _keys(*names: str) -> dict[str, object]:
    return {"op": "key_combo", "keys": list(names)}
