"""A target: a place with a screen and inputs.

Adding one is one new file `target/NAME.py` with an `Options` struct (its `[target.NAME]` table in
config.toml), `create(options: Options) -> Target` and, when it can be acted on through a hand
process, `attach(address: Address) -> Input`. A target is used from two processes: the brain
observes it, the hand emits into it, so `address()` must be enough to attach from the hand.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING

import msgspec

from desktop_agent.protocol.geometry import Geometry, Point, Rect
from desktop_agent.protocol.input_events import InputEvent

if TYPE_CHECKING:
    from desktop_agent.protocol.activity import Activity
    from desktop_agent.protocol.scene import Scene
    from desktop_agent.vision.capture.frame import Frame
    from desktop_agent.vision.observation import Element


class Address(msgspec.Struct, frozen=True):
    """What another process needs to attach to the target's inputs: the target kind and environment variables."""

    kind: str
    environment: dict[str, str] = {}


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


class Target(ABC):
    """The observing half and the life of the place, used by the brain."""

    kind: str
    title: str
    """What people call it, like `This desktop`."""
    simulated: bool = False
    """True for a place where nothing real can be reached."""

    @abstractmethod
    def start(self) -> None:
        """Bring the place up (an embedded display) or attach to it. Raises TargetError with advice."""

    @abstractmethod
    def address(self) -> Address:
        """How the hand attaches."""

    @abstractmethod
    def geometry(self) -> Geometry:
        """The screens as they are now. Raises TargetError when the display is gone."""

    @abstractmethod
    def observe(self, region: Rect | None = None) -> Frame:
        """Capture the whole desktop or a region of it, own windows masked. Raises TargetError."""

    def elements(self) -> Sequence[Element]:
        """Named elements showing on the screen, in reading order; empty when there is no accessibility."""
        return ()

    def windows(self) -> Sequence[WindowInfo]:
        """Top-level windows, the active one first."""
        return ()

    def showing(self, chosen: Callable[[WindowInfo], bool]) -> Sequence[Shown]:
        """The chosen windows, with the menus and dialogs that belong to them, and where they can be seen."""
        return [
            Shown(each, (each.bounds,)) for each in self.windows() if chosen(each) and not each.bounds.empty
        ]

    def unread(self) -> Collection[str]:
        """Names of the applications that did not tell all their elements to the last `elements()` in time."""
        return ()

    def clipboard(self) -> Clipboard | None:
        """Its clipboard, to keep what the user has on it; None where there is none to keep. Raises TargetError."""
        return None

    def window_at(self, point: Point) -> WindowInfo | None:
        """The topmost window at a point, our own included, as it is now; None on the bare desktop."""
        return next((window for window in self.windows() if window.bounds.contains(point)), None)

    def focused_window(self) -> WindowInfo | None:
        """The window that gets what is typed, our own included, as it is now; None when there is none."""
        return next(iter(self.windows()), None)

    def elements_of(self, pid: int) -> Sequence[Element]:
        """The elements of one process, read now."""
        return [each for each in self.elements() if each.pid == pid]

    def program_for(self, name: str) -> str:  # noqa: ARG002 - nothing is known here
        """File name of the program that `open` would start for an application's name, "" when it cannot be
        told; "terminal" for whatever runs in one, "folder/" for a folder that is there."""
        return ""

    def pointer(self) -> Point | None:
        """Where the pointer is, None when it cannot be told."""
        return None

    def scene(self) -> Scene | None:
        """Which window is where at this moment; None when that cannot be told."""
        return None

    def activity(self) -> Activity | None:
        """What tells where it draws and whether it works; None where only pictures can be compared. Raises TargetError."""
        return None

    def busy(self) -> bool:
        """Has the program in front yet to take what was done, where `activity` does not tell? False when unknown."""
        return False

    def protect(self, pids: Sequence[int]) -> None:
        """Processes whose windows are left out of what is seen (painted over in frames, dropped from elements)."""

    def give_focus_back(self) -> None:
        """If a protected window has the keyboard focus, activate the last other window, if there is one."""

    @abstractmethod
    def stop(self) -> None:
        """Let go of the place and end what `start` began; safe to call twice."""
