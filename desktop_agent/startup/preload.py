"""Imports in a thread the modules that the first painting does not need (planner, numpy, pillow), and prints the marks of a benchmark."""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Callable

from desktop_agent.protocol.agent_events import FeedEvent, LookTaken
from desktop_agent.protocol.stop_flag import StopFlag
from desktop_agent.startup import onefile
from desktop_agent.support import plugins
from desktop_agent.vision.capture.frame import Frame
from desktop_agent.vision.observation import Element

_VARIABLE = "DESKTOP_AGENT_MARKS"


def read_words(frame: Frame, stop: StopFlag) -> tuple[Element, ...]:
    """`vision.ocr.tesseract.read_words`, imported when it is first called. Raises Stopped."""
    from desktop_agent.vision.ocr import tesseract

    return tesseract.read_words(frame, stop)


def painted() -> None:
    """Mark the first painting, then import the rest in a thread while the user thinks of a goal."""
    mark_painted()
    _begin()


def when_looked() -> Callable[[FeedEvent], None]:
    """A feed listener that imports the rest in a thread after the first look: a run that is under way must not wait for it."""
    begun = threading.Event()

    def hear(event: FeedEvent) -> None:
        if isinstance(event, LookTaken) and not begun.is_set():
            begun.set()
            _begin()

    return hear


def _begin() -> None:
    threading.Thread(target=_import_late, name="preload", daemon=True).start()


def _import_late() -> None:
    import desktop_agent.ui.history.history_window
    import desktop_agent.vision.encoding.incremental_encoder
    import desktop_agent.vision.ocr.tesseract
    import desktop_agent.vision.settling.polling  # noqa: F401

    offline = plugins.find("llm", "offline")
    if offline is not None:
        offline.warm_up()
    onefile.remove_leftovers()


# ---- when it was there: one line on stderr each for a benchmark that set DESKTOP_AGENT_MARKS ---------


def mark(name: str) -> None:
    """Print `mark NAME SECONDS`, in seconds of the monotonic clock, which all processes share."""
    if os.environ.get(_VARIABLE):
        sys.stderr.write(f"mark {name} {time.monotonic():.6f}\n")
        sys.stderr.flush()


def mark_painted() -> None:
    """Mark the first painting of the window."""
    mark("window_painted")


class FirstLook:
    """Feed listener that marks the first observation."""

    def __init__(self) -> None:
        self._seen = False

    def __call__(self, event: FeedEvent) -> None:
        if isinstance(event, LookTaken) and not self._seen:
            self._seen = True
            mark("first_observation")
