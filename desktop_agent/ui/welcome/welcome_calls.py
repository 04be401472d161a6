"""Calls the guide in threads for the first page, so that the window never waits; and holds what is under way."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QObject, QRunnable, QThreadPool, Signal

from desktop_agent.protocol.errors import DesktopAgentError
from desktop_agent.protocol.stop_flag import StopFlag
from desktop_agent.redaction.redactor import redactor
from desktop_agent.support.language import tr
from desktop_agent.ui.bridge import Bridge
from desktop_agent.ui.welcome.welcome_guide import EscapeSeen, Practice, WelcomeGuide

THREADS = 4
CLOSE_MS = 3_000
"""How long the end of what is under way is waited for when the window closes."""

_log = logging.getLogger(__name__)


class WelcomeCalls(QObject):
    """What the guide is asked, and its answers as signals, in the UI thread.

    `found(name, Finding)`; `leaves(words)`; `judged(KeyVerdict)`; `watching(problem)`, "" when Esc is watched in every
    application; `seen()` when it was pressed there; `practising(Bridge, goal)`; `unready(message, advice)` when no
    practice run can begin; `examples(tuple[str, ...])`.
    """

    found = Signal(str, object)
    leaves = Signal(str)
    judged = Signal(object)
    watching = Signal(str)
    seen = Signal()
    practising = Signal(object, str)
    unready = Signal(str, str)
    examples = Signal(tuple)
    _prepared = Signal(object)

    def __init__(self, guide: WelcomeGuide, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.guide = guide
        self._pool = QThreadPool(self)
        self._pool.setMaxThreadCount(THREADS)
        self._lock = threading.Lock()
        self._key_stop = StopFlag()
        self._number = 0
        self._watch: EscapeSeen | None = None
        self._bridges: list[Bridge] = []
        self._prepared.connect(self._practise)

    # ---- asking ------------------------------------------------------------------------------

    def look(self) -> None:
        """Look for everything; `found` tells each as soon as it is known."""
        for subject in self.guide.subjects:
            self._start(partial(self._look, subject.name))
        self.ask_leaves()

    def _look(self, name: str) -> None:
        self.found.emit(name, redactor().scrub(self.guide.look(name)))

    def ask_leaves(self) -> None:
        """Ask what leaves this computer now."""
        self._start(lambda: self.leaves.emit(self.guide.leaves()))

    def ask_examples(self) -> None:
        """Ask for goals that work with what is chosen now."""
        self._start(lambda: self.examples.emit(self.guide.examples()))

    def keep_key(self, name: str, secret: str) -> None:
        """Keep and try a key; `judged` follows."""
        stop = self._key_stop = StopFlag()
        self._start(lambda: self.judged.emit(self.guide.keep_key(name, secret, stop)))

    def cancel_key(self) -> None:
        """Give the trial of a key up; `judged` follows all the same."""
        self._key_stop.set()

    # ---- Esc -----------------------------------------------------------------------------------

    def watch_escape(self) -> None:
        """Watch for Esc in every application until `unwatch_escape`."""
        self.unwatch_escape()
        self._start(partial(self._begin_watch, self._number))

    def unwatch_escape(self) -> None:
        """End the watch, in a thread."""
        with self._lock:
            self._number += 1
            watch, self._watch = self._watch, None
        if watch is not None:
            self._start(watch.close)

    def _begin_watch(self, number: int) -> None:
        try:
            watch = self.guide.watch_escape(lambda: self._escaped(number))
        except DesktopAgentError as error:
            if number == self._number:
                self.watching.emit(redactor().clean(error.message))
            return
        with self._lock:
            wanted = number == self._number
            if wanted:
                self._watch = watch
        if wanted:
            self.watching.emit("")
        else:
            watch.close()

    def _escaped(self, number: int) -> None:
        if number == self._number:
            self.seen.emit()

    # ---- the practice run ------------------------------------------------------------------------

    def practise(self) -> None:
        """Build an agent for a practice run; `practising` or `unready` follows."""
        self._start(self._prepare)

    def _prepare(self) -> None:
        try:
            self._prepared.emit(self.guide.practice())
        except DesktopAgentError as error:
            clean = redactor().clean
            self.unready.emit(clean(error.message), clean(error.advice))

    def _practise(self, practice: Practice) -> None:
        bridge = Bridge(practice.port, self)
        self._bridges.append(bridge)
        self.practising.emit(bridge, practice.goal)

    # ---- the end -----------------------------------------------------------------------------------

    def close(self) -> None:
        """End everything that is under way, and wait for it a little."""
        self.cancel_key()
        self.unwatch_escape()
        for bridge in self._bridges:
            bridge.close()
        self._pool.waitForDone(CLOSE_MS)

    def _start(self, work: Callable[[], object]) -> None:
        self._pool.start(_GuideCall(self, work))


class _GuideCall(QRunnable):
    def __init__(self, calls: WelcomeCalls, work: Callable[[], object]) -> None:
        super().__init__()
        self._calls, self._work = calls, work

    def run(self) -> None:
        try:
            self._work()
        except Exception as error:  # noqa: BLE001 - the boundary of a thread: the log must hear of it
            _log.exception("the first page could not learn something")
            self._calls.unready.emit(redactor().clean(str(error)), tr("The log has the details."))
