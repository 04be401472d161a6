"""A real shell in a pseudo terminal as a desktop in memory: keys go into it, and its screen is told as a camera's reader would."""

from __future__ import annotations

import contextlib
import fcntl
import os
import pty
import re
import signal
import struct
import termios
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import pyte

from desktop_agent.extras.camera.targets._filmed import CAMERA, _terminal_element
from desktop_agent.platforms.base import WindowInfo
from desktop_agent.protocol.geometry import Rect
from desktop_agent.protocol.input_events import InputEvent, KeyDown, KeyUp, Text
from desktop_agent.protocol.terminal_state import Activity, TerminalState
from desktop_agent.targets.faces import ReadsTerminal
from desktop_agent.vision.capture.frame import Frame
from desktop_agent.vision.observation import Element
from tests.support.memory_desk import MemoryTarget

_KEYS = {"enter": "\r", "tab": "\t", "backspace": "\x7f", "escape": "\x1b"}
_PROMPT = re.compile(r"^(.*?[$#%>])\s*$")
_QUIET = 0.03
"""Seconds without a new byte from which on the shell counts as at rest."""


class Shell:
    """A shell in a pseudo terminal, with the screen that it draws."""

    def __init__(
        self, folder: Path, argv: Sequence[str], columns: int, rows: int, environment: Mapping[str, str]
    ) -> None:
        self.screen = pyte.Screen(columns, rows)
        self._stream = pyte.ByteStream(self.screen)
        self._lines: tuple[str, ...] | None = None
        self.lock = threading.Lock()
        self.last = time.monotonic()
        self.pid, self._master = pty.fork()
        if not self.pid:
            os.chdir(folder)
            os.execvpe(
                argv[0],
                list(argv),
                {
                    "PATH": os.environ["PATH"],
                    "TERM": "xterm",
                    "LC_ALL": "C.UTF-8",
                    "HOME": str(folder),
                    **environment,
                },
            )
        fcntl.ioctl(self._master, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        self._reader = threading.Thread(target=self._read, name="shell's screen", daemon=True)
        self._reader.start()

    def _read(self) -> None:
        with contextlib.suppress(OSError):
            while data := os.read(self._master, 65_536):
                with self.lock:
                    self._stream.feed(data)
                    self._lines = None
                    self.last = time.monotonic()

    def write(self, text: str) -> None:
        self.last = time.monotonic()
        os.write(self._master, text.encode())

    @property
    def lines(self) -> tuple[str, ...]:
        """The rows of the screen down to the last that is not empty; put together once for each change of it."""
        with self.lock:
            if self._lines is None:
                rows = (each.rstrip() for each in self.screen.display)
                self._lines = tuple("\n".join(rows).rstrip("\n").split("\n"))
            return self._lines

    @property
    def cursor(self) -> tuple[int, int]:
        return self.screen.cursor.y, self.screen.cursor.x

    def close(self) -> None:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.pid, signal.SIGKILL)
        with contextlib.suppress(ChildProcessError):
            os.waitpid(self.pid, 0)
        self._reader.join(2)
        os.close(self._master)


class ShellTarget(MemoryTarget, ReadsTerminal):
    """The shell as a target; `lost` tells keys that get lost."""

    kind = "shell_desk"
    title = "A terminal in memory"
    files_elsewhere = True

    def __init__(
        self,
        folder: Path,
        *,
        argv: Sequence[str] = ("bash", "--norc", "--noprofile", "-i"),
        columns: int = 80,
        rows: int = 24,
        prompt: str = "user$ ",
        lost: Callable[[str], bool] = lambda _: False,
    ) -> None:
        super().__init__()
        self.shell = Shell(folder, argv, columns, rows, {"PS1": prompt})
        self.window = WindowInfo(self.title, 0, CAMERA, self.input.layout.bounds, self.title)
        self.input.windows = [(self.input.layout.bounds, 0)]
        self.input.after = self._press
        self._lost = lost
        self._down: set[str] = set()
        self._frames = 0

    def _press(self, event: InputEvent) -> None:
        match event:
            case Text(chunk):
                for char in chunk:
                    if not self._lost(char):
                        self.shell.write(char)
            case KeyDown(key):
                self._down.add(key)
                if "ctrl" in self._down and len(key) == 1:
                    self.shell.write(chr(ord(key) & 31))
                elif key in _KEYS and not self._lost(key):
                    self.shell.write(_KEYS[key])
                elif len(key) == 1:
                    self.shell.write(key)
            case KeyUp(key):
                self._down.discard(key)

    def come_to_rest(self, seconds: float) -> bool | None:
        end = time.monotonic() + min(seconds, 0.5)
        waiting = threading.Event()
        while time.monotonic() < end:
            left = self.shell.last + _QUIET - time.monotonic()
            if left <= 0:
                return True
            waiting.wait(left)
        return False

    def draw(self, area: Rect) -> bytes:
        shade = hash(self.shell.lines) % 251
        return bytes([shade]) * (area.width * area.height * 4)

    @property
    def things(self) -> Sequence[Element]:
        shown = TerminalState(self.shell.lines)
        return (_terminal_element(shown, self.input.layout.bounds, self.title),)

    @things.setter
    def things(self, value: Sequence[Element]) -> None:
        pass

    def terminal(self, frame: Frame) -> TerminalState:
        del frame
        lines, cursor = self.shell.lines, self.shell.cursor
        self._frames += 1
        found = _PROMPT.match(lines[-1]) if cursor[0] == len(lines) - 1 else None
        prompt = found[1] if found else ""
        activity: Activity = "idle" if found else "unknown"
        return TerminalState(
            lines if lines != ("",) else (),
            prompt,
            cursor,
            activity,
            "",
            0.97,
            self._frames,
            time.monotonic(),
            "glyphs",
        )

    def stop(self) -> None:
        self.shell.close()
