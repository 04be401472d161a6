"""A private display with a terminal over all of it, whose text changes on demand, and a small one in front."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.observing import screenful
from benchmarks.report import ROOT
from desktop_agent.protocol.geometry import Size
from desktop_agent.protocol.stop_flag import StopFlag
from desktop_agent.targets._embedded import EmbeddedDisplay
from tests.support.waiting import until

BACKGROUND = 0x3B6EA5
_FONT = ("-fa", "DejaVu Sans Mono", "-fs", "10")
FEW = 24  # lines of text
_QUIET = 0.12  # seconds without a change


class Stage:
    """The display, and what shows on it."""

    def __init__(self, desk: EmbeddedDisplay, pipe: Path, size: Size) -> None:
        self.desk, self.size = desk, size
        self.columns, self.rows = size.width // 8 - 1, size.height // 18
        self._path, self._orders, self._pages, self._typed = pipe, -1, 0, 0
        self._lines: list[list[str]] = []

    def open(self) -> None:
        """Start the programs; returns when they show."""
        command = [sys.executable, screenful.__file__, str(self._path)]
        self.desk.launch(["xterm", "-T", "whole", "-fullscreen", *_FONT, "-e", *command])
        self._wait_for("whole")
        self._orders = os.open(self._path, os.O_WRONLY)
        small = ["-T", "small", "-geometry", "80x16-0-0", "-e", "less", str(ROOT / "project.md")]
        self.desk.launch(["xterm", *small])
        self._wait_for("small")
        self.change_all()

    def _wait_for(self, title: str) -> None:
        until(lambda: any(window.title == title for window in self.desk.windows()), f"a window {title!r}")

    def change_all(self) -> None:
        """Another page of words; returns when it stands still."""
        self._page(self.rows)

    def show_few(self) -> None:
        """Another page, with lines over the upper part of the screen only: none is behind the small window."""
        self._page(FEW)

    def _page(self, rows: int) -> None:
        self._pages += 1
        self._lines = screenful.words(self._pages, self.columns, rows)
        self._order(f"page {self._pages} {self.columns} {rows}")

    def change_little(self) -> None:
        """One more word at the end of it."""
        self._typed += 1
        self._order(screenful.WORDS[self._typed % len(screenful.WORDS)])

    def words(self) -> list[str]:
        """What the page shows."""
        return [word for line in self._lines for word in line]

    def _order(self, what: str) -> None:
        before = self.desk.observe().pixels
        os.write(self._orders, f"{what}\n".encode())
        until(lambda: self.desk.observe().pixels != before, f"{what} to show")
        self._rest()

    def _rest(self) -> None:
        """Until two pictures that far apart are equal."""
        stop = StopFlag()
        last = b""
        while (now := self.desk.observe().pixels) != last:
            last = now
            stop.wait(_QUIET)

    def close(self) -> None:
        if self._orders >= 0:
            os.close(self._orders)


@contextmanager
def stage(size: Size) -> Iterator[Stage]:
    """Raises TargetError, BenchmarkError."""
    with TemporaryDirectory() as folder:
        pipe = Path(folder) / "orders"
        os.mkfifo(pipe)
        desk = EmbeddedDisplay(size, BACKGROUND)
        desk.start()
        shown = Stage(desk, pipe, size)
        try:
            shown.open()
            yield shown
        finally:
            shown.close()
            desk.stop()
