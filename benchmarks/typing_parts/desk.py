"""The private desktop with somebody who presses the few keys that belong to no text."""

from __future__ import annotations

import os
import re
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

from desktop_agent.platforms.base import Input
from desktop_agent.platforms.x11.connection import Display
from desktop_agent.platforms.x11.input.drain_wait import DrainWait
from desktop_agent.protocol.input_events import ButtonDown, ButtonUp, KeyDown, KeyUp, Move
from desktop_agent.targets import display
from desktop_agent.targets._embedded import EmbeddedDisplay
from tests.support.waiting import until

START_SECONDS = 90.0
T = TypeVar("T")


class Desk:
    """An embedded display, its programs, and single keys on it. `folder` is for the programs' files."""

    def __init__(self, target: EmbeddedDisplay, folder: Path) -> None:
        self.target, self.folder = target, folder
        self._keys: Input = display.attach(target.address())

    @property
    def environment(self) -> dict[str, str]:
        return {**os.environ, **self.target.environment}

    def launch(self, title: str, *argv: str) -> int:
        """Start a program and return when a window of that title (a regular expression) is active."""
        pid = self.target.launch(list(argv))
        self.await_window(title)
        return pid

    def await_window(self, title: str) -> None:
        def active() -> bool:
            first = next(iter(self.target.windows()), None)
            return first is not None and bool(re.search(title, first.title)) and not first.bounds.empty

        until(active, f"the window {title!r}", START_SECONDS)

    def title(self) -> str:
        """Of the active window."""
        return next((window.title for window in self.target.windows()), "")

    def press(self, *keys: str) -> None:
        """Together, as a combination."""
        for key in keys:
            self._keys.emit(KeyDown(key))
        for key in reversed(keys):
            self._keys.emit(KeyUp(key))

    def await_reader(self) -> None:
        """Return when the application in front has read what was sent to it, if it tells."""
        connection = Display(self.target.environment)
        try:
            DrainWait(connection).wait(START_SECONDS)
        finally:
            connection.close()

    def click_window(self) -> None:
        """In the middle of the active window."""
        middle = self.target.windows()[0].bounds.center
        for event in (Move(middle.x, middle.y), ButtonDown("left"), ButtonUp("left")):
            self._keys.emit(event)

    def layout(self, *names: str) -> None:
        """Change the keyboard's layout, as a user does: `us`, or layout and variant."""
        subprocess.run(["setxkbmap", "-option", "", *names], env=self.environment, check=True)

    def key_map(self) -> bytes:
        """All of the server's key map."""
        connection = Display(self.target.environment)
        try:
            reply = connection.core.GetKeyboardMapping(8, 248).reply()
            return b"".join(keysym.to_bytes(4, "little") for keysym in reply.keysyms)
        finally:
            connection.close()

    def held(self) -> int:
        """How many keys and buttons are down."""
        connection = Display(self.target.environment)
        try:
            keys = bytes(connection.core.QueryKeymap().reply().keys)
            mask = int(connection.core.QueryPointer(connection.root).reply().mask)
        finally:
            connection.close()
        return sum(byte.bit_count() for byte in keys) + (mask & 0x1F00).bit_count()

    def end(self, pid: int) -> None:
        """End a program and return when it is gone."""
        os.kill(pid, signal.SIGKILL)
        until(lambda: not Path(f"/proc/{pid}").exists(), f"the end of process {pid}")

    def close(self) -> None:
        self._keys.close()


@contextmanager
def desk(folder: Path) -> Iterator[Desk]:
    """A new desktop; all of it ends with the context."""
    target = display.create(display.Options())
    target.start()
    try:
        made = Desk(target, folder)
        try:
            yield made
        finally:
            made.close()
    finally:
        target.stop()
