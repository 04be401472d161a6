"""Calls the guide in the background for the first page, so that the window never waits; and holds what is under way."""

from __future__ import annotations

import threading
from collections.abc import Callable
from functools import partial
from typing import TypeVar

from PySide6.QtCore import QObject, Signal

from desktop_agent.protocol.errors import DesktopAgentError
from desktop_agent.protocol.stop_flag import StopFlag
from desktop_agent.redaction.redactor import redactor
from desktop_agent.support.language import tr_sentence
from desktop_agent.ui.background_work import BackgroundWork
from desktop_agent.ui.bridge import Bridge
from desktop_agent.ui.welcome.welcome_guide import EscapeSeen, Practice, WelcomeGuide

T = TypeVar("T")
CLOSE_SECONDS = 3.0
"""How long the end of what is under way is waited for when the window closes."""


class WelcomeCalls(QObject):
    """What the guide is asked, and its answers as signals, in the UI thread.

    `found(name, Finding)`; `leaves(words)`; `judged(KeyVerdict)`; `watching(problem)`, "" when Esc is watched in every
    application; `seen()` when it was pressed there; `practising(Bridge, Practice)`; `unready(message, advice)` when no
    practice run can begin; `examples(tuple[str, ...])`.
    """

    found = Signal(str, object)
    leaves = Signal(str)
    judged = Signal(object)
    watching = Signal(str)
    seen = Signal()
    practising = Signal(object, object)
    unready = Signal(str, str)
    examples = Signal(tuple)

    def __init__(self, guide: WelcomeGuide, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.guide = guide
        self._background = BackgroundWork(self)
        self._lock = threading.Lock()
        self._key_stop = StopFlag()
        self._number = 0
        self._watch: EscapeSeen | None = None
        self._bridges: list[Bridge] = []

    # ---- asking ------------------------------------------------------------------------------

    def look(self) -> None:
        """Look for everything; `found` tells each as soon as it is known."""
        for subject in self.guide.subjects:
            self._run(partial(self._look, subject.name), partial(self.found.emit, subject.name))
        self.ask_leaves()

    def _look(self, name: str) -> object:
        return redactor().scrub(self.guide.look(name))

    def ask_leaves(self) -> None:
        """Ask what leaves this computer now."""
        self._run(self.guide.leaves, self.leaves.emit)

    def ask_examples(self) -> None:
        """Ask for goals that work with what is chosen now."""
        self._run(self.guide.examples, self.examples.emit)

    def keep_key(self, name: str, secret: str) -> None:
        """Keep and try a key; `judged` follows."""
        stop = self._key_stop = StopFlag()
        self._run(partial(self.guide.keep_key, name, secret, stop), self.judged.emit)

    def cancel_key(self) -> None:
        """Give the trial of a key up; `judged` follows all the same."""
        self._key_stop.set()

    # ---- Esc -----------------------------------------------------------------------------------

    def watch_escape(self) -> None:
        """Watch for Esc in every application until `unwatch_escape`."""
        self.unwatch_escape()
        self._run(partial(self._begin_watch, self._number), self._tell_watch)

    def unwatch_escape(self) -> None:
        """End the watch, in a thread."""
        with self._lock:
            self._number += 1
            watch, self._watch = self._watch, None
        if watch is not None:
            self._run(watch.close)

    def _begin_watch(self, number: int) -> str | None:
        """Begin the watch; the problem, "" for none, None when it is no longer wanted."""
        try:
            watch = self.guide.watch_escape(lambda: self._escaped(number))
        except DesktopAgentError as error:
            return redactor().clean(tr_sentence(error.message)) if number == self._number else None
        with self._lock:
            wanted = number == self._number
            if wanted:
                self._watch = watch
        if wanted:
            return ""
        watch.close()
        return None

    def _tell_watch(self, problem: str | None) -> None:
        if problem is not None:
            self.watching.emit(problem)

    def _escaped(self, number: int) -> None:
        if number == self._number:
            self.seen.emit()

    # ---- the practice run ------------------------------------------------------------------------

    def practise(self) -> None:
        """Build an agent for a practice run; `practising` or `unready` follows."""
        self._run(self.guide.practice, self._practise)

    def _practise(self, practice: Practice) -> None:
        bridge = Bridge(practice.port, self)
        self._bridges.append(bridge)
        self.practising.emit(bridge, practice)

    # ---- the end -----------------------------------------------------------------------------------

    def close(self) -> None:
        """End everything that is under way, and wait for it a little."""
        self.cancel_key()
        self.unwatch_escape()
        for bridge in self._bridges:
            bridge.close()
        self._background.close(CLOSE_SECONDS)

    def _run(self, work: Callable[[], T], done: Callable[[T], object] = lambda _: None) -> None:
        self._background.run(work, done, self.unready.emit)
