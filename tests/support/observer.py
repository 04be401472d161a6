"""An observer in a process of its own: every input event of a display, in order, on one clock.

Its figures are those of a bystander: XInput2 raw events, which the X server sends for every key,
button and motion with the device it came from, whoever made it. What the app says plays no part.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from enum import IntEnum
from typing import IO, NamedTuple, Self, cast

from benchmarks.report import ROOT, BenchmarkError
from tests.support.watching import FORM, MARK

SECONDS = 20.0
_CHUNK = FORM.size * 1024


class Kind(IntEnum):
    """The kinds of records, by their numbers in XInput2."""

    KEY_PRESS = 13
    KEY_RELEASE = 14
    BUTTON_PRESS = 15
    BUTTON_RELEASE = 16
    MOTION = 17


class Record(NamedTuple):
    """One event. `at` is `time.monotonic()` at its receipt, in seconds; `server_time` the X server's
    clock when it happened, in milliseconds; `detail` the keycode or button number; `sourceid` the
    device, and `injected` is true when that is one of the XTEST devices."""

    at: float
    server_time: int
    kind: Kind
    detail: int
    sourceid: int
    injected: bool


class Observer:
    """Watches the display that `environment` leads to until `close`. Raises BenchmarkError when it cannot."""

    def __init__(self, environment: Mapping[str, str]) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.support.watching"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            cwd=ROOT,
            env={**os.environ, **environment},
        )
        self._ask = cast(IO[bytes], self._process.stdin)
        self._answers = cast(IO[bytes], self._process.stdout)
        self._records: list[Record] = []
        self._marks = 0
        self._ended = False
        self._changed = threading.Condition()
        head = self._answers.readline()
        if not head:
            self.close()
            raise BenchmarkError("the observer did not start (its words are above)")
        self.devices: dict[int, str] = {int(id_): name for id_, name in json.loads(head).items()}
        """Names of the input devices by their sourceid."""
        self._injecting = frozenset(id_ for id_, name in self.devices.items() if "XTEST" in name)
        self._reader = threading.Thread(target=self._read, name="observer", daemon=True)
        self._reader.start()

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def count(self) -> int:
        """How many records there are by now; a place to look `since`."""
        return len(self._records)

    def since(self, index: int = 0) -> list[Record]:
        """The records from `index` on, as far as they have come."""
        with self._changed:
            return self._records[index:]

    def sync(self, index: int = 0) -> list[Record]:
        """The records from `index` on, with everything the X server has processed before this call."""
        with self._changed:
            wanted = self._marks + 1
            self._write(b"?")
            self._await(lambda: self._marks >= wanted, "the observer's answer", SECONDS)
            return self._records[index:]

    def until(
        self, found: Callable[[Sequence[Record]], bool], what: str, index: int = 0, seconds: float = SECONDS
    ) -> list[Record]:
        """Wait until `found` is true of the records from `index` on, and return them."""
        with self._changed:
            self._await(lambda: found(self._records[index:]), what, seconds)
            return self._records[index:]

    def until_count(self, count: int, seconds: float = SECONDS) -> None:
        """Wait until there are so many records."""
        with self._changed:
            self._await(lambda: len(self._records) >= count, f"{count} events", seconds)

    def clear(self) -> None:
        """Forget all records."""
        with self._changed:
            self._records.clear()

    def _await(self, condition: Callable[[], bool], what: str, seconds: float) -> None:
        """Wait for a condition; to be called while `_changed` is held."""
        deadline = time.monotonic() + seconds
        while not condition():
            left = deadline - time.monotonic()
            if self._ended or left <= 0:
                raise BenchmarkError("the observer ended" if self._ended else f"{what} did not come")
            self._changed.wait(left)

    def _write(self, request: bytes) -> None:
        try:
            self._ask.write(request)
            self._ask.flush()
        except OSError as error:
            raise BenchmarkError("the observer ended") from error

    def _read(self) -> None:
        rest = b""
        while piece := os.read(self._answers.fileno(), _CHUNK):
            rest += piece
            whole = len(rest) - len(rest) % FORM.size
            with self._changed:
                for values in FORM.iter_unpack(rest[:whole]):
                    self._take(*values)
                self._changed.notify_all()
            rest = rest[whole:]
        with self._changed:
            self._ended = True
            self._changed.notify_all()

    def _take(self, at: int, server_time: int, detail: int, sourceid: int, kind: int) -> None:
        if kind == MARK:
            self._marks += 1
            return
        injected = sourceid in self._injecting
        self._records.append(Record(at / 1e9, server_time, Kind(kind), detail, sourceid, injected))

    def close(self) -> None:
        """End the process."""
        self._ask.close()
        try:
            self._process.wait(SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
