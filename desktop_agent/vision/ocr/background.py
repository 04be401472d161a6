"""Runs OCR on a background thread: a caller waits for a limited time, and finds the finished words on a later call."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable

from desktop_agent.protocol.errors import Stopped
from desktop_agent.protocol.stop_flag import StopFlag
from desktop_agent.vision.capture.frame import Frame
from desktop_agent.vision.observation import Element

ReadWords = Callable[[Frame, StopFlag], tuple[Element, ...]]

log = logging.getLogger(__name__)


class BackgroundOcr:
    """Runs one OCR job at a time: another picture cancels the job before, a stop cancels it at once."""

    def __init__(self, read: ReadWords) -> None:
        self._read = read
        self._lock = threading.Lock()
        self._job: _Job | None = None

    def __call__(self, frame: Frame, stop: StopFlag, seconds: float | None = None) -> tuple[Element, ...]:
        """The words of a frame, or () when they take longer than `seconds` (None waits without limit).

        After () the job goes on; a later call with an equal picture gets its words. Raises Stopped as soon as
        `stop` is set.
        """
        job = self._job_for(frame)
        forget = stop.on_set(job.halt.set)
        try:
            job.done.wait(seconds)
        finally:
            if job.done.is_set():
                forget()
        stop.check()
        return job.words if job.done.is_set() else ()

    def _job_for(self, frame: Frame) -> _Job:
        with self._lock:
            old = self._job
            if old is not None and not old.halt.is_set() and old.shows(frame):
                return old
            self._job = _Job(frame)
        if old is not None:
            old.halt.set("another picture is read")
        threading.Thread(target=self._job.work, args=(self._read,), name="words", daemon=True).start()
        return self._job

    def close(self) -> None:
        """Cancel the running job."""
        if self._job is not None:
            self._job.halt.set("nobody waits for the words")


class _Job:
    """The OCR of one picture: `words` are there when `done` is set; `halt` cancels."""

    def __init__(self, frame: Frame) -> None:
        self._frame = frame
        self.halt = StopFlag()
        self.done = threading.Event()
        self.words: tuple[Element, ...] = ()

    def shows(self, frame: Frame) -> bool:
        return (self._frame.region, self._frame.digest) == (frame.region, frame.digest)

    def work(self, read: ReadWords) -> None:
        try:
            self.words = read(self._frame, self.halt)
        except Stopped:
            return
        except Exception:  # thread boundary; a look goes on without the words
            log.exception("the words of a picture could not be read")
        finally:
            self.done.set()
