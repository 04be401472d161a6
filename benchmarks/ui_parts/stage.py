"""The program's own window on a private display, with an agent that says what a scenario makes it say."""

from __future__ import annotations

import os
import queue
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QEvent, QEventLoop, QTimer
from PySide6.QtWidgets import QApplication

from benchmarks.report import BenchmarkError
from benchmarks.ui_parts.stall_watch import StallWatch
from desktop_agent.agent.port import AgentInfo, AgentPort, StepMode
from desktop_agent.protocol.agent_events import FeedEvent, StandingGrant
from desktop_agent.targets import display
from desktop_agent.ui.run_window import WindowOptions, make_app, open_window
from desktop_agent.ui.shell.window import Window

SECONDS = 120.0
_INFO = AgentInfo(target="This desktop", model="offline", step_mode="off", max_steps=1_000, key_found=True)


class TellingPort(AgentPort):
    """Its thread tells the events that it is given; what it is told has no effect."""

    def __init__(self) -> None:
        self._events: queue.SimpleQueue[FeedEvent | None] = queue.SimpleQueue()
        self._listeners: list[Callable[[FeedEvent], None]] = []

    def tell(self, *events: FeedEvent) -> None:
        for event in events:
            self._events.put(event)

    def serve(self) -> None:
        while (event := self._events.get()) is not None:
            for listener in self._listeners:
                listener(event)

    def subscribe(self, listener: Callable[[FeedEvent], None]) -> None:
        self._listeners.append(listener)

    def quit(self) -> None:
        self._events.put(None)

    @property
    def info(self) -> AgentInfo:
        return _INFO

    def _nothing(self, *_: object, **__: object) -> None:
        """No agent is there to hear it."""

    def set_step_mode(self, mode: StepMode) -> None:
        self._nothing(mode)

    send = resume_run = new_conversation = approve = skip = pause = resume = stop = reset = _nothing
    edit = promise_to_show = shown = not_shown = take_back = _nothing

    def standing(self) -> tuple[StandingGrant, ...]:
        return ()


class UiStage:
    """The open window, its port, and the watch over the UI thread; made by `staged`."""

    def __init__(self, app: QApplication, window: Window, port: TellingPort, quick: bool) -> None:
        self.app, self.window, self.port, self.quick = app, window, port, quick
        self.watch = StallWatch()
        self.counted = 0

    def spin(self, seconds: float) -> None:
        """Let the window work for a while, as its own event loop would."""
        loop = QEventLoop()
        QTimer.singleShot(round(seconds * 1000), loop.quit)
        loop.exec()

    def until(self, condition: Callable[[], bool], what: str) -> None:
        """Let the window work until the condition holds. Raises BenchmarkError after SECONDS."""
        deadline = time.monotonic() + SECONDS
        while not condition():
            if time.monotonic() > deadline:
                raise BenchmarkError(f"not within {SECONDS:g} s: {what}")
            self.spin(0.01)

    @contextmanager
    def watched(self) -> Iterator[None]:
        """What is done in here counts."""
        self.watch.start()
        try:
            yield
        finally:
            self.watch.stop()


@contextmanager
def staged(quick: bool) -> Iterator[UiStage]:
    """A window shown on a private display; closed afterwards."""
    app = make_app()
    port = TellingPort()
    with tempfile.TemporaryDirectory() as folder:
        window, bridge = open_window(port, WindowOptions(Path(folder), theme="light"))
        stage = UiStage(app, window, port, quick)
        try:
            stage.until(lambda: window.windowHandle().isExposed(), "the window shown")
            stage.spin(0.5)
            yield stage
        finally:
            window.close()
            bridge.close()
            window.deleteLater()
            QCoreApplication.sendPostedEvents(window, QEvent.Type.DeferredDelete)


@contextmanager
def private_display() -> Iterator[None]:
    """A display of our own for Qt; one application for all scenarios."""
    target = display.create(display.Options(width=1280, height=900))
    target.start()
    os.environ.update(target.environment)
    try:
        yield
    finally:
        if (app := QApplication.instance()) is not None:
            app.shutdown()
        target.stop()
