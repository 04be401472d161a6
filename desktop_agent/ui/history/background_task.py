"""Runs one piece of work in a thread, so that a window never waits for files."""

from __future__ import annotations

import logging
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from PySide6.QtCore import QCoreApplication, QThread, Signal

from desktop_agent.protocol.errors import DesktopAgentError
from desktop_agent.redaction.redactor import redactor
from desktop_agent.support.language import tr

_log = logging.getLogger(__name__)
_running: set[BackgroundTask] = set()
SOON, _USUAL = 0.0005, sys.getswitchinterval()
"""Seconds after which a thread that computes gives way."""
_lock = threading.Lock()
_sharing = 0


class BackgroundTask(QThread):
    """Calls `work` once. It is kept until it has ended, whatever becomes of the window that began it.

    Signals, in the thread of who made it: `came(result)`, or `failed(message, advice)` with clean texts.
    """

    came = Signal(object)
    failed = Signal(str, str)

    def __init__(self, work: Callable[[], Any]) -> None:
        super().__init__()
        self._work = work
        self.finished.connect(self._over)

    def begin(self) -> None:
        """Start it; the end of the application waits for it."""
        _running.add(self)
        if (app := QCoreApplication.instance()) is not None:
            app.aboutToQuit.connect(self.wait)
        self.start()

    def _over(self) -> None:
        _running.discard(self)

    def run(self) -> None:
        try:
            with interpreter_shared():
                result = self._work()
        except DesktopAgentError as error:
            self._fail(error.message, error.advice)
        except Exception as error:  # noqa: BLE001 - the boundary of a thread: the user must hear of it
            _log.exception("something about earlier runs failed")
            self._fail(str(error), tr("The log has the details."))
        else:
            self.came.emit(result)

    def _fail(self, message: str, advice: str) -> None:
        self.failed.emit(redactor().clean(message), redactor().clean(advice))


@contextmanager
def interpreter_shared() -> Iterator[None]:
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


def wait_for_tasks() -> None:
    """Wait until all of them have ended: for tests, and for who ends the application himself."""
    for each in tuple(_running):
        each.wait()
