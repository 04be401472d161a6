"""Refuses input that Windows would silently drop: into windows of higher integrity than ours (UIPI).

While such a window has the keyboard focus, our hooks get no input events either, so Esc would not be seen.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from itertools import chain

from desktop_agent.platforms.windows.desktop_state import check_desktop
from desktop_agent.platforms.windows.input import sendinput_records
from desktop_agent.platforms.windows.input.input import PIECE, WindowsInput
from desktop_agent.platforms.windows.integrity_level import (
    foreground_has_more_rights,
    has_more_rights,
    program_of,
)
from desktop_agent.platforms.windows.user32 import User32
from desktop_agent.protocol.errors import Refused, TargetError
from desktop_agent.protocol.geometry import Point
from desktop_agent.protocol.input_events import ButtonDown, ButtonUp, InputEvent, KeyUp, Move, Wheel

KNOWN_SECONDS = 1.0
"""How long a window's integrity check is cached."""
TRIES, PAUSE = 10, 0.005
MESSAGES, ANSWER_SECONDS, CATCH_UP, LONGEST = 4, 0.2, 0.03, 2.0
"""Messages that a program fetches per character at most; seconds it gets to answer one, to deliver a character
after fetching it, and to catch up in total. Needed for emoji: Qt inserts a character of two UTF-16 units at once,
ahead of letters that it has yet to deliver."""
_INSTEAD = (
    "Do that part yourself, start that program without administrator rights, or work in another window."
)


class UipiCheck:
    """Checks before and after every event whether Windows delivers it.

    `desktop` raises CannotAct when the session accepts no input; `above` tells whether a process has higher
    integrity than ours; `program` gives its file name for the message.
    """

    def __init__(
        self,
        user32: User32,
        desktop: Callable[[], None] = check_desktop,
        above: Callable[[int], bool] = has_more_rights,
        program: Callable[[int], str] = program_of,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._user32 = user32
        self._desktop, self._above, self._program, self.clock = desktop, above, program, clock
        self._known: dict[tuple[int, int], float] = {}
        self._from: Point | None = None
        self._lost = False
        """True when Windows will drop the release being checked."""

    def check(self, event: InputEvent) -> None:
        """Call before an event. Raises CannotAct or Refused; never for a release, which is always tried."""
        if isinstance(event, KeyUp | ButtonUp):
            # Checked before, not after: a delivered click may itself bring such a window to the front.
            self._lost = foreground_has_more_rights(self._user32, self._above)
            return
        self._desktop()
        self._check_rights(self._user32.foreground(), "with the keyboard")
        if isinstance(event, Move):
            self._from = self._user32.pointer()
        elif isinstance(event, ButtonDown | Wheel):
            self._check_rights(self._user32.window_at(self._user32.pointer()), "under the pointer")

    def verify(self, event: InputEvent) -> None:
        """Call after an event. Raises Refused when the pointer did not move: Windows dropped the event.

        Raises TargetError for a release that Windows has dropped: that key or button is still down.
        """
        if isinstance(event, Move) and self._stayed(Point(event.x, event.y)):
            raise Refused("Cannot act here: Windows did not move the pointer.", _INSTEAD)
        if isinstance(event, KeyUp | ButtonUp) and self._lost:
            raise TargetError("Windows let nothing go: a window with more rights is in front.", _INSTEAD)

    def _stayed(self, meant: Point) -> bool:
        if meant == self._from:
            return False
        for _ in range(TRIES):
            if self._user32.pointer() != self._from:
                return False
            threading.Event().wait(PAUSE)
        return True

    def _check_rights(self, window: int, where: str) -> None:
        if not window:
            return
        pid, now = self._user32.owner(window), self.clock()
        if now - self._known.get((window, pid), float("-inf")) < KNOWN_SECONDS:
            return
        if pid and self._above(pid):
            name = self._program(pid) or "a program"
            raise Refused(
                f"Cannot act here: the window {where} belongs to {name}, which has more rights than this program.",
                _INSTEAD,
            )
        self._known = {each: then for each, then in self._known.items() if now - then < KNOWN_SECONDS}
        self._known[window, pid] = now


class UipiInput(WindowsInput):
    """WindowsInput that refuses events which Windows would drop, and keeps emoji in order while typing."""

    def __init__(self, user32: User32, reach: UipiCheck | None = None) -> None:
        super().__init__(user32)
        self._reach = reach or UipiCheck(user32)
        self._waiting = 0

    def emit(self, event: InputEvent) -> None:
        self._reach.check(event)
        super().emit(event)
        self._reach.verify(event)

    def _type(self, chunk: str) -> None:
        start = 0
        for piece in pieces(chunk):
            self._check(start)
            if needs_pair(piece):
                self._let_catch_up(start)
            self._user32.send(tuple(chain.from_iterable(map(sendinput_records.character, piece))))
            start += len(piece)
            self._waiting += len(piece)

    def _let_catch_up(self, typed: int) -> None:
        """Wait until the program has fetched everything typed so far: it answers between any two messages.

        A busy program may take seconds, so the stop check runs meanwhile, which also renews our heartbeat.
        """
        window, end = self._user32.foreground(), self._reach.clock() + LONGEST
        for _ in range(MESSAGES * self._waiting):
            self._check(typed)
            if self._reach.clock() > end or not self._user32.answers(window, ANSWER_SECONDS):
                break
        self._waiting = 0
        threading.Event().wait(CATCH_UP)


def needs_pair(piece: str) -> bool:
    """True when the text has a character of two UTF-16 units (a surrogate pair), as most emoji are."""
    return any(ord(char) > 0xFFFF for char in piece)


def pieces(chunk: str) -> Iterator[str]:
    """The text cut into what is sent between two stop checks: PIECE characters, or one surrogate pair alone."""
    plain = ""
    for char in chunk:
        if needs_pair(char) or len(plain) == PIECE:
            yield from filter(None, (plain,))
            plain = ""
        if needs_pair(char):
            yield char
        else:
            plain += char
    yield from filter(None, (plain,))
