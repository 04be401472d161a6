"""Measures how long the UI thread does not get round to anything, from outside what it works on."""

from __future__ import annotations

import faulthandler
import tempfile
import threading
import time

from PySide6.QtCore import QObject, Qt, QTimer

EVERY_MS = 5
SLOW = 0.05
# Functions that are named of a place, the innermost first.
DEEP = 4


class StallWatch(QObject):
    """Counts from `start` to `stop` how late a timer of the UI thread is, in seconds.

    A thread beside it looks on: it sees a stall that has not ended yet, and where in the code the UI thread is then.
    """

    def __init__(self) -> None:
        super().__init__()
        self.stalls: list[float] = []
        self.worked: list[float] = []
        """Processor time of the UI thread between two ticks: what a stall would be on a machine with nothing else to do."""
        self.where: dict[str, float] = {}
        self._last = self._worked = 0.0
        self._over = threading.Event()
        self._ui = threading.get_ident()
        self._timer = QTimer(self, interval=EVERY_MS, timerType=Qt.TimerType.PreciseTimer)
        self._timer.timeout.connect(self._tick)
        self._thread: threading.Thread | None = None

    def start(self) -> None:
        self._last, self._worked = time.monotonic(), time.thread_time()
        self._over.clear()
        self._timer.start()
        self._thread = threading.Thread(target=self._look_on, daemon=True)
        self._thread.start()

    def stop(self) -> None:
        self._tick()
        self._timer.stop()
        self._over.set()
        if self._thread is not None:
            self._thread.join()

    def _tick(self) -> None:
        now, worked = time.monotonic(), time.thread_time()
        self.worked.append(worked - self._worked)
        self._worked = worked
        self.stalls.append(max(0.0, now - self._last - EVERY_MS / 1000))
        self._last = now

    def _look_on(self) -> None:
        while not self._over.wait(EVERY_MS / 1000):
            late = time.monotonic() - self._last - EVERY_MS / 1000
            if late > SLOW:
                place = self._place()
                self.where[place] = max(late, self.where.get(place, 0.0))

    def _place(self) -> str:
        """The functions that the UI thread is in; written by C code, as frames of a thread that runs cannot be walked."""
        with tempfile.TemporaryFile() as file:
            faulthandler.dump_traceback(file, all_threads=True)
            file.seek(0)
            told = file.read().decode(errors="replace")
        ours = told.partition(f"0x{self._ui:016x}")[2].partition("\n\n")[0]
        return " < ".join(line.rpartition(" in ")[2] for line in ours.splitlines()[1 : 1 + DEEP])
