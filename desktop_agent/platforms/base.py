"""The faces of a system's own ways: what injects, what keeps the clipboard, and what a window is told as.

One package for each system beside this file has them; nothing above asks which system it is on.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext

import msgspec

from desktop_agent.protocol.geometry import Geometry, Point, Rect
from desktop_agent.protocol.input_events import InputEvent


class WindowInfo(msgspec.Struct, frozen=True):
    """A top-level window: its title, process id (0 when unknown), application name and screen bounds.

    `program` is the file name of its process, "" when unknown; `foreign` says that the process belongs
    to another user or has more rights than we have. Both are known of single windows that are asked for.
    """

    title: str
    pid: int = 0
    application: str = ""
    bounds: Rect = Rect(0, 0, 0, 0)
    program: str = ""
    foreign: bool = False


class Shown(msgspec.Struct, frozen=True):
    """A window and the screen rectangles in which it can be seen (at least; never less)."""

    window: WindowInfo
    areas: tuple[Rect, ...]


class Input(ABC):
    """The injecting half, used only by the hand."""

    @abstractmethod
    def emit(self, event: InputEvent) -> None:
        """Inject one event and return when the system has accepted it. Raises TargetError."""

    @abstractmethod
    def geometry(self) -> Geometry:
        """The screens as they are now. Raises TargetError when the display is gone."""

    @abstractmethod
    def pointer(self) -> Point:
        """Where the pointer is."""

    @abstractmethod
    def owner_at(self, point: Point) -> int:
        """Process id of the top-level window under the point, 0 when unknown or none."""

    @abstractmethod
    def focus_owner(self) -> int:
        """Process id of the window that has the keyboard focus, 0 when unknown or none."""

    def window_at(self, point: Point) -> int:
        """The top-level window under the point, by the ids of `Target.scene`; 0 when that cannot be told."""
        del point
        return 0

    def focus_window(self) -> int:
        """The top-level window that has the keyboard focus, 0 when that cannot be told."""
        return 0

    def pixels(self, area: Rect) -> bytes:
        """What shows in a small rectangle of the screen, as in a Frame; b"" when that cannot be told."""
        del area
        return b""

    def still(self) -> AbstractContextManager[None]:
        """While this lasts (for some events only) no other program opens, moves or draws a window, where that can be had."""
        return nullcontext()

    @abstractmethod
    def open(self, what: str) -> str:
        """Open an application, file or address; returns what was opened, in words. Raises Refused when nothing fits."""

    @abstractmethod
    def codes(self, event: InputEvent) -> tuple[int, ...]:
        """Platform keycodes (0-255) the event presses, for the ledger; () for pointer events."""

    def spare_codes(self) -> tuple[int, ...]:
        """Keycodes whose mapping this input changes while typing; whoever cleans up after a crash unmaps them."""
        return ()

    def double_click_seconds(self) -> float:
        """From press to press: what comes later is no double click for any application.

        X11 has no such setting for all: GTK and Qt take 0.4 s, Chromium, Tk and LibreOffice 0.5 s.
        """
        return 0.5

    def check_with(self, check: Callable[[int], None]) -> None:
        """`check(typed)` is to be called within an event that takes a while, before more of it goes out.

        It raises to end the event there; what the event has pressed is to be released then. `typed`
        is how many characters of a text are out. An input whose events are all over at once need
        not call it.
        """
        del check

    def escapes(self) -> Sequence[bool]:
        """The presses of ESC since the last call, true for those of the device that this input presses keys with.

        Each press that the system took before the last event was accepted is among them: that is
        what makes a stop exact. () for ever where the system does not tell.
        """
        return ()

    def rest(self, seconds: float) -> bool:
        """Wait so long, or until the system has something to tell, an ESC perhaps; then True.

        False, at once, where that cannot be waited for.
        """
        del seconds
        return False

    def prepare(self, text: str) -> None:
        """`text` is about to come in chunks: map its unknown characters in one go. Optional."""

    def close(self) -> None:
        """Put back what was changed (keyboard mapping) and let go of the connection."""


class Change(msgspec.Struct, frozen=True):
    """Somebody took the clipboard: whose it is since, and when (milliseconds of the system's clock)."""

    owner: int = 0
    time: int = 0


class Clipboard(ABC):
    """The clipboard of a place; its content is never shown or logged. Every method raises TargetError."""

    @abstractmethod
    def save(self) -> bytes | None:
        """What is on it, in every form that can be had in a short time; None when it cannot be had."""

    @abstractmethod
    def last(self) -> Change:
        """Who took it last since this object was made."""

    @abstractmethod
    def wait_for_change(self, before: Change, seconds: float) -> Change:
        """The last change, as soon as it is another one than `before`, at most after so many seconds."""

    @abstractmethod
    def restore(self, saved: bytes) -> None:
        """Put back what was saved; it stays also when this program ends."""

    @abstractmethod
    def close(self) -> None:
        """Let go of the connection."""
