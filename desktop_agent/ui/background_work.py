"""Runs work in threads for a window, and hands what comes of it to the UI thread."""

from __future__ import annotations

import logging
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache, partial
from typing import Any, TypeVar

from PySide6.QtCore import QObject, Qt, Signal

from desktop_agent.protocol.errors import DesktopAgentError
from desktop_agent.redaction.redactor import redactor
from desktop_agent.support.language import tr, tr_sentence

T = TypeVar("T")
THREADS = 4
SOON, _USUAL = 0.0005, sys.getswitchinterval()
"""Seconds after which a thread that computes gives way."""

_log = logging.getLogger(__name__)
_lock = threading.Lock()
_threads: set[threading.Thread] = set()


def _drop(*_: object) -> None:
    """What is not asked for is not told."""


class BackgroundWork(QObject):
    """Runs pieces of work, at most `threads` at a time, the others in their order; to be made in the UI thread.

    What comes of a piece is told in the UI thread, and to no one after `close` or once the parent is gone. The end of
    the program waits for pieces of a BackgroundWork with `lasting`, such as a file that is being written.
    """

    def __init__(
        self, parent: QObject | None = None, *, threads: int = THREADS, lasting: bool = False
    ) -> None:
        super().__init__(parent)
        self._most, self._lasting = threads, lasting
        self._waiting: deque[Callable[[], None]] = deque()
        self._working: set[threading.Thread] = set()
        self._closed = False
        self._gone = threading.Event()
        self.destroyed.connect(self._gone.set)
        self._mailbox = _mailbox()

    def run(
        self,
        work: Callable[[], T],
        done: Callable[[T], object] = _drop,
        failed: Callable[[str, str], object] = _drop,
    ) -> None:
        """Call `work` in a thread, then `done(result)` or `failed(message, advice)`, clean texts; returns at once."""
        if self._closed:
            return
        with _lock:
            self._waiting.append(partial(self._piece, work, done, failed))
            if len(self._working) >= self._most:
                return
            thread = threading.Thread(target=self._work, name="background", daemon=not self._lasting)
            self._working.add(thread)
            _threads.add(thread)
        thread.start()

    def close(self, seconds: float = 0.0) -> None:
        """Begin and tell nothing more; waits at most so long for what is under way."""
        self._closed = True
        with _lock:
            self._waiting.clear()
            working = tuple(self._working)
        end = time.monotonic() + seconds
        for each in working:
            each.join(max(0.0, end - time.monotonic()))

    def _work(self) -> None:
        while True:
            with _lock:
                if not self._waiting:
                    self._working.discard(threading.current_thread())
                    _threads.discard(threading.current_thread())
                    return
                piece = self._waiting.popleft()
            with _interpreter_shared():
                piece()

    def _piece(
        self,
        work: Callable[[], T],
        done: Callable[[T], object],
        failed: Callable[[str, str], object],
    ) -> None:
        try:
            tell = partial(done, work())
        except DesktopAgentError as error:
            tell = self._failure(failed, error.message, error.advice)
        except Exception as error:  # noqa: BLE001 - the boundary of a thread: the user must hear of it
            _log.exception("work in the background failed")
            tell = self._failure(failed, str(error) or type(error).__name__, tr("The log has the details."))
        self._mailbox.posted.emit(partial(self._tell, tell))

    @staticmethod
    def _failure(failed: Callable[[str, str], object], message: str, advice: str) -> partial[object]:
        return partial(failed, *(redactor().clean(tr_sentence(each)) for each in (message, advice)))

    def _tell(self, tell: Callable[[], object]) -> None:
        if not self._closed and not self._gone.is_set():
            tell()


class _Mailbox(QObject):
    """Carries calls to the UI thread. It lasts as long as the process: no thread meets one that is gone."""

    posted = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self.posted.connect(self._call, Qt.ConnectionType.QueuedConnection)

    def _call(self, call: Callable[[], None]) -> None:
        call()


@cache
def _mailbox() -> _Mailbox:
    return _Mailbox()


_sharing = 0


@contextmanager
def _interpreter_shared() -> Iterator[None]:
    """While it lasts, a thread that computes gives way to others ten times as soon as usual.

    What Qt calls in Python while it handles one event, a dozen of our methods, each has to get the interpreter: with
    the usual 5 ms for each the window would stall.
    """
    global _sharing
    with _lock:
        _sharing += 1
        sys.setswitchinterval(SOON)
    try:
        yield
    finally:
        with _lock:
            _sharing -= 1
            if not _sharing:
                sys.setswitchinterval(_USUAL)


def wait_for_background() -> None:
    """Wait until no work is under way or waiting: for tests."""
    while _threads:
        for each in tuple(_threads):
            each.join()


class LatestTask(QObject):
    """One piece of work at a time; newer work takes the place of older, whose result is dropped.

    Signals: `done(result)`; `failed(message)` in words for the user, without secrets; `busy(bool)`.
    """

    done = Signal(object)
    failed = Signal(str)
    busy = Signal(bool)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._background = BackgroundWork(self)
        self._number = 0

    def run(self, work: Callable[[], Any]) -> None:
        """Call `work` in a thread; returns at once."""
        self._number += 1
        self.busy.emit(True)
        self._background.run(work, partial(self._succeed, self._number), partial(self._fail, self._number))

    def forget(self) -> None:
        """Drop the result of what is under way."""
        self._number += 1
        self.busy.emit(False)

    def _succeed(self, number: int, result: object) -> None:
        if number == self._number:
            self.busy.emit(False)
            self.done.emit(result)

    def _fail(self, number: int, message: str, advice: str) -> None:
        if number == self._number:
            self.busy.emit(False)
            self.failed.emit(f"{message} {advice}".strip())
