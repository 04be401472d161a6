"""Takes pictures for a policy with what is private painted over, and looks again and again for what that is.

A picture alone does not tell a password field or a secret: the elements do, and reading them may take longer than a
tick. So a thread of its own reads them; a tick waits for a reading only when windows have come or changed their names
since the last one, when that is too old, or when something hidden may have moved (`PrivacyFilter.preview`).
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import partial

from desktop_agent.agent.looking.privacy_filter import FilteredLook, PrivacyFilter
from desktop_agent.protocol.errors import CannotAct, DesktopAgentError, Stopped
from desktop_agent.protocol.geometry import Rect
from desktop_agent.protocol.stop_flag import StopFlag
from desktop_agent.targets.base import Target
from desktop_agent.targets.faces import windows_of
from desktop_agent.vision.capture.frame import Frame

LOOK_SECONDS = 0.5
"""Between two looks for what is to be hidden."""
MAX_AGE = 2.0
"""Seconds after which a look is too old for a picture to be given away by it."""


class MaskedFrames:
    """Pictures of a target, or of a region of it, without what is private."""

    def __init__(self, target: Target, privacy_filter: PrivacyFilter, region: Rect | None) -> None:
        self._target, self._filter = target, privacy_filter
        self._capture = partial(target.observe, region)
        self._known: frozenset[tuple[int, str]] = frozenset()
        self._looked = 0.0
        self._error: DesktopAgentError | None = None

    @contextmanager
    def kept_current(self) -> Iterator[None]:
        """Look now, and again every half second until the end. Raises TargetError."""
        self._look()
        end = StopFlag()
        thread = threading.Thread(target=self._keep_looking, args=(end,), name="masks", daemon=True)
        thread.start()
        try:
            yield
        finally:
            end.set("the run is over")
            thread.join()

    def grab(self) -> Frame:
        """A picture of this moment. Raises TargetError, also of a look that failed meanwhile."""
        if self._error is not None:
            raise self._error
        frame = self._filter.preview(self._capture)
        fresh = time.monotonic() - self._looked < MAX_AGE
        return frame if fresh and self._windows() == self._known else self._look().frame

    def _look(self) -> FilteredLook:
        began, windows = time.monotonic(), self._windows()
        seen = self._filter.look(self._capture)
        self._known, self._looked = windows, began
        return seen

    def _windows(self) -> frozenset[tuple[int, str]]:
        return frozenset((each.pid, each.title) for each in windows_of(self._target).windows())

    def _keep_looking(self, end: StopFlag) -> None:
        try:
            while True:
                end.wait(LOOK_SECONDS)
                with suppress(CannotAct):  # a pause: the next picture tells where it cannot be seen
                    self._look()
        except Stopped:
            return
        except DesktopAgentError as error:  # told where the next picture is wanted
            self._error = error
