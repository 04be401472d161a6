"""The pictures of a camera as they come: never one that was taken before it was asked for.

A thread of its own takes every picture off the camera at once, so that none waits in a buffer and grows old; it
unpacks only those that somebody waits for.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import pairwise
from statistics import median
from typing import TYPE_CHECKING, Any

from desktop_agent.extras.camera.filming.camera_source import (
    STALLED,
    CameraOptions,
    PictureSource,
    kind_of,
    open_source,
    shown,
)
from desktop_agent.protocol.errors import DesktopAgentError, TargetError
from desktop_agent.protocol.geometry import Size

if TYPE_CHECKING:
    from numpy.typing import NDArray

LOST_AFTER = 1.5
"""Seconds after a camera is gone (its connection is closed, its device fails) until callers are told."""
_TICK = 0.05
"""Seconds between two looks at whether the caller was stopped."""
_AGAIN, _LATEST_AGAIN = 0.2, 2.0
"""Seconds between attempts to open a camera that is gone: at first, and after a while."""
_USUAL = 1 / 15
"""Seconds between pictures until it has been measured."""
_SLOWEST = 0.5


@dataclass(frozen=True)
class CapturedFrame:
    """One picture of a camera: rows, columns, blue green red, not to be written to.

    `number` counts the camera's pictures from 1, also those nobody asked for; `time` is when it arrived, in seconds of
    the monotonic clock.
    """

    pixels: NDArray[Any] = field(repr=False)
    number: int
    time: float

    @property
    def size(self) -> Size:
        return Size(self.pixels.shape[1], self.pixels.shape[0])


class CameraStream:
    """A camera that is read all the time, from a device number, /dev/video path, video file or address."""

    def __init__(self, source: str | int, options: CameraOptions | None = None) -> None:
        """Raises ConfigError for a source that is none. Opening happens on the thread: `frame_after` tells of failure."""
        self.source = str(source)
        self.kind = kind_of(self.source)
        self._options = options or CameraOptions()
        self._news = threading.Condition()
        self._end = threading.Event()
        self._wanted: float | None = None
        self._latest: CapturedFrame | None = None
        self._gap = 0.0
        self._number = 0
        self._sign = time.monotonic()
        self._failure: DesktopAgentError | None = None
        self._failed_since: float | None = None
        self._ended = False
        self._arrivals: deque[float] = deque(maxlen=16)
        self._backlog = 0
        self._source: PictureSource | None = None
        self._thread = threading.Thread(target=self._run, name="camera", daemon=True)
        self._thread.start()

    @property
    def interval(self) -> float:
        """Seconds between two pictures, as measured."""
        times = list(self._arrivals)
        gaps = [b - a for a, b in pairwise(times)]
        return min(_SLOWEST, median(gaps)) if gaps else _USUAL

    def frame_after(self, moment: float, seconds: float, check: Callable[[], None]) -> CapturedFrame:
        """A picture whose exposure began after `moment` (monotonic clock), within `seconds`.

        `check` is called while waiting and raises Stopped. Raises TargetError when the camera is gone or too slow.
        """
        deadline = time.monotonic() + seconds
        while True:
            check()
            with self._news:
                if (found := self._latest) is not None and self._is_after(found.time, moment, self._gap):
                    return found
                self._wanted = moment if self._wanted is None else min(self._wanted, moment)
                self._complain(deadline)
                self._news.wait(max(0.0, min(_TICK, deadline - time.monotonic())))

    def _is_after(self, arrival: float, moment: float, gap: float) -> bool:
        """Was a picture that arrived then exposed after the moment? Those under way at that time were not, or in part.

        One that came `gap` seconds after its predecessor may have been exposed right after it.
        """
        return arrival - self._options.delay * max(self.interval, gap) > moment

    def _complain(self, deadline: float) -> None:
        """Raise what is wrong, if it has been wrong for long enough."""
        now = time.monotonic()
        name = shown(self.source)
        if self._ended:
            raise TargetError(f"The video file {name} has ended.", "Begin again, or let it loop.")
        failure, since = self._failure, self._failed_since
        if failure is not None and (self._number == 0 or (since is not None and now - since > LOST_AFTER)):
            raise type(failure)(failure.message, failure.advice)
        if self._number and now - self._sign > STALLED:
            raise self._gone()
        if now >= deadline:
            raise TargetError(
                f"The camera {name} sent no {'new ' if self._number else ''}picture in time.",
                "Check that it is not used by another program; fewer or smaller pictures are faster.",
            )

    def _gone(self) -> TargetError:
        return TargetError(
            f"The camera {shown(self.source)} sends no pictures any more.",
            "Check its cable or its program; once it is back, start again.",
        )

    def close(self) -> None:
        """Let the camera go; waits until its thread has ended."""
        self._end.set()
        with self._news:
            self._news.notify_all()
            interrupt = getattr(self._source, "interrupt", None)
        if interrupt is not None:
            interrupt()
        self._thread.join()

    # ---- on the camera's thread -------------------------------------------------------------------------

    def _run(self) -> None:
        pause = _AGAIN
        while not self._end.is_set():
            try:
                source = open_source(self.source, self._options)
            except DesktopAgentError as error:
                self._fail(error)
            except Exception as error:  # noqa: BLE001 - the boundary of the thread
                self._fail(
                    TargetError(f"The camera {shown(self.source)} failed: {error}.", "Check its driver.")
                )
            else:
                before = self._number
                with self._news:
                    self._source = source
                try:
                    self._drain(source)
                except Exception as error:  # noqa: BLE001 - the boundary of the thread
                    self._fail(
                        TargetError(f"The camera {shown(self.source)} failed: {error}.", "Check its driver.")
                    )
                finally:
                    with self._news:
                        self._source = None
                    source.close()
                if self._ended:
                    return
                if self._number > before:
                    pause = _AGAIN
            if self._end.wait(pause):
                return
            pause = min(_LATEST_AGAIN, pause * 1.5)

    def _fail(self, error: DesktopAgentError) -> None:
        with self._news:
            self._failure = error
            if self._failed_since is None:
                self._failed_since = max(self._sign, 0.0) if self._number else time.monotonic()
            self._news.notify_all()

    def _drain(self, source: PictureSource) -> None:
        """Take every picture until there is none."""
        self._arrivals.clear()
        self._backlog = 0
        while not self._end.is_set():
            if (pause := getattr(source, "wait", 0.0)) and self._end.wait(pause):
                return
            if not source.grab():
                break
            now = time.monotonic()
            gap = now - self._arrivals[-1] if self._arrivals else 0.0
            late = self._was_waiting(now)
            with self._news:
                self._number, self._sign = self._number + 1, now
                self._failure = self._failed_since = None
                wanted = self._wanted
            if wanted is None or late or not self._is_after(now, wanted, gap):
                continue
            if (picture := source.picture()) is not None:
                self._publish(picture, now, gap)
        if self.kind == "file" and not self._end.is_set() and not self._options.loop:
            with self._news:
                self._ended = self._number > 0
                self._news.notify_all()
        if not self._end.is_set() and self.kind != "file":
            self._fail(self._gone())

    def _was_waiting(self, now: float) -> bool:
        """Does a picture come from a jam? After a gap those follow close together that were taken during it."""
        usual, last = self.interval, self._arrivals[-1] if self._arrivals else now
        gap = now - last
        self._arrivals.append(now)
        if len(self._arrivals) < 4:
            return False
        if gap > 2.5 * usual:
            self._backlog = 1
            return True
        jammed = self._backlog and gap < 0.5 * usual
        self._backlog = int(bool(jammed))
        return bool(jammed)

    def _publish(self, picture: NDArray[Any], arrival: float, gap: float) -> None:
        picture.flags.writeable = False
        with self._news:
            self._gap = gap
            self._latest = CapturedFrame(picture, self._number, arrival)
            self._wanted = None
            self._news.notify_all()
