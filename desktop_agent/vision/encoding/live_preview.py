"""Makes a live preview: small JPEGs of a screen, a few per second, only when it changed."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

from desktop_agent.protocol.errors import Stopped, TargetError
from desktop_agent.protocol.geometry import Rect
from desktop_agent.protocol.stop_flag import StopFlag
from desktop_agent.vision.capture.capture_pace import CapturePace, Pace, machine_load
from desktop_agent.vision.capture.frame import Frame
from desktop_agent.vision.encoding.encode import preview


class PreviewCache:
    """Previews of frame after frame, their longest edge at most `edge` pixels; an unchanged frame is not encoded again."""

    def __init__(self, edge: int) -> None:
        self._edge = edge
        self._last: tuple[str, bytes] = ("", b"")

    def of(self, frame: Frame) -> bytes:
        """A JPEG of the frame; the same object as last time for an equal frame."""
        if frame.digest != self._last[0]:
            self._last = (frame.digest, preview(frame, self._edge))
        return self._last[1]


class LivePreview:
    """Grabs on a thread of its own until closed and calls `tell(region, JPEG)` there for each change.

    On a busy machine they become fewer, smaller, and of less (`CapturePace`). The first grab is one pause after the start: a run begins with a look, which brings its own picture.
    `per_second` is 1 to 5 (ValueError otherwise). A failed grab is tried again in silence: the agent, which acts
    on the screen, reports what is wrong with it.
    """

    def __init__(
        self,
        grab: Callable[[Pace], Frame],
        tell: Callable[[Rect, bytes], None],
        per_second: float,
        load: Callable[[], float] = machine_load,
    ) -> None:
        if not 1 <= per_second <= 5:
            raise ValueError(f"a preview has 1 to 5 frames a second, not {per_second:g}")
        self._grab, self._tell = grab, tell
        self._pace = CapturePace(per_second, load)
        self._end = StopFlag()
        self._thread = threading.Thread(target=self._work, name="preview", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def close(self) -> None:
        """End the thread; `tell` is not called afterwards."""
        self._end.set("the preview was closed")
        if self._thread.is_alive():
            self._thread.join()

    def _work(self) -> None:
        shown = ""
        try:
            while True:
                self._end.wait(self._pace.pause)
                shown = self._show(shown)
        except Stopped:
            return

    def _show(self, shown: str) -> str:
        began, pace = time.monotonic(), self._pace.now
        try:
            frame = self._grab(pace)
        except TargetError:
            return shown
        picture = preview(frame, pace.edge) if frame.digest != shown else b""
        self._pace.taken(time.monotonic() - began)
        if picture and not self._end.is_set():
            self._tell(frame.region, picture)
        return frame.digest
