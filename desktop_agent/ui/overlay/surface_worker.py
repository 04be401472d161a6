"""Works the surface of the hints on a thread of its own, so that the window never waits for the screen."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping

from desktop_agent.platforms.base import HintPicture, HintSurface

END_SECONDS = 2.0


class SurfaceWorker:
    """Opens the surface, shows what was asked for last, and closes it at the end; for one run.

    `tell(why)` is called on the thread when there can be no hints: then everything asked for is ignored.
    """

    def __init__(
        self, surface: HintSurface, tell: Callable[[str], None], after: SurfaceWorker | None = None
    ) -> None:
        """It begins when `after`, the one of the run before, has ended."""
        self._surface, self._tell, self._after = surface, tell, after
        self._news = threading.Condition()
        self._wanted: tuple[object, Mapping[str, HintPicture]] | None = None
        self._ended = False
        self._thread = threading.Thread(target=self._work, name="hints", daemon=True)
        self._thread.start()

    def show(self, screens: object, pictures: Mapping[str, HintPicture]) -> None:
        """Show exactly these soon; returns at once. The surface is opened anew where `screens` are others than before."""
        with self._news:
            self._wanted = (screens, pictures)
            self._news.notify()

    def close(self) -> None:
        """Remove everything; safe to call twice."""
        with self._news:
            self._ended = True
            self._news.notify()

    def join(self) -> None:
        """Wait until all is removed, END_SECONDS at most."""
        self._thread.join(END_SECONDS)

    def _work(self) -> None:
        if self._after is not None:
            self._after.join()
            self._after = None
        opened: object = None
        while (wanted := self._next()) is not None:
            screens, pictures = wanted
            if screens != opened:
                self._surface.close()
                opened = screens
                if why := self._surface.open():
                    self._tell(why)
                    break
            self._surface.show(pictures)
        self._surface.close()

    def _next(self) -> tuple[object, Mapping[str, HintPicture]] | None:
        """What is to be shown next; None at the end."""
        with self._news:
            self._news.wait_for(lambda: self._ended or self._wanted is not None)
            wanted, self._wanted = self._wanted, None
            return None if self._ended else wanted
