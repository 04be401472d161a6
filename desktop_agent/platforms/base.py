"""The faces of a system's own ways: what injects, what watches and releases, what keeps the clipboard.

One package for each system beside this file has them; nothing above asks which system it is on.
What is released after a crash is named by codes, which are the target's own: `Input.codes` gives them
before each press, shared memory keeps them, and the `Releaser` of the same target takes them.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import Literal, Protocol, TypeAlias, get_args

import msgspec

from desktop_agent.protocol.errors import OffReason
from desktop_agent.protocol.geometry import Geometry, Point, Rect
from desktop_agent.protocol.input_events import (
    Button,
    ButtonDown,
    ButtonUp,
    InputEvent,
    KeyDown,
    KeyUp,
    Text,
    Wheel,
)

Means: TypeAlias = Literal["mouse", "keyboard"]
"""What a human took over with."""
MEANS: tuple[Means, ...] = get_args(Means)
BUTTONS: tuple[Button, ...] = get_args(Button)
"""The buttons, each at the place of its made-up code."""


class WindowInfo(msgspec.Struct, frozen=True):
    """A top-level window: its title, process id (0 when unknown), application name and screen bounds.

    `program` is the file name of its process, "" when unknown; `foreign` says that the process belongs
    to another user or has more rights than we have. `hosts_shell` says that it runs a shell in a terminal of its
    own, whatever it is called. All three are known of single windows that are asked for.
    """

    title: str
    pid: int = 0
    application: str = ""
    bounds: Rect = Rect(0, 0, 0, 0)
    program: str = ""
    foreign: bool = False
    hosts_shell: bool = False


class Shown(msgspec.Struct, frozen=True):
    """A window and the screen rectangles in which it can be seen (at least; never less)."""

    window: WindowInfo
    areas: tuple[Rect, ...]


class StandingWindow(msgspec.Struct, frozen=True):
    """A managed window by the system's own id, and whether it is minimised."""

    id: int
    pid: int
    title: str
    application: str
    minimised: bool

    @property
    def key(self) -> tuple[int, int]:
        """Tells it from others, also from a later one with the same id."""
        return self.id, self.pid


class Standing(msgspec.Struct, frozen=True):
    """How the managed windows stand: from front to back, and the id of the active one (0 for none)."""

    windows: tuple[StandingWindow, ...]
    active: int

    @property
    def front(self) -> StandingWindow | None:
        """The active window."""
        return next((each for each in self.windows if each.id == self.active), None)

    def without(self, pids: Collection[int]) -> Standing:
        """The same without the windows of these processes."""
        left = tuple(each for each in self.windows if each.pid not in pids)
        return Standing(left, self.active if any(each.id == self.active for each in left) else 0)

    def order(self, but: Collection[tuple[int, int]]) -> list[tuple[int, int, bool]]:
        """Keys and minimised states from front to back, without those of the windows with the keys `but`."""
        return [(*each.key, each.minimised) for each in self.windows if each.key not in but]


class KeyDestination(msgspec.Struct, frozen=True):
    """Where a key goes: the exact window with the focus (a control or a whole window, by the system's own id, 0 for
    none), and whether another program takes all keys instead (a menu that is open, a grab)."""

    window: int
    grabbed: bool = False


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
        """The top-level window under the point, by the ids of `HasScene.scene`; 0 when that cannot be told."""
        del point
        return 0

    def focus_window(self) -> int:
        """The top-level window that has the keyboard focus, 0 when that cannot be told."""
        return 0

    def key_destination(self) -> KeyDestination | None:
        """Where a key pressed now would go, as exactly as the system tells; None when it does not."""
        return None

    def describe_destination(self, destination: KeyDestination) -> str:
        """Words for what takes the keys there."""
        return f"window {destination.window}"

    def pointer_grabbed(self) -> bool:
        """Would a press now go to a program that has taken the pointer without showing a menu? False where that cannot be told."""
        return False

    hints_of: int = 0
    """The process whose hints on the screen `pixels` looks beneath: the brain. 0 for none."""

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
        """The codes of what the event presses, as the `Releaser` of this target takes them; () when it leaves nothing down.

        Keys and texts: 0 to 255. Buttons, and a wheel where it is turned by buttons that are down for a moment: 0 to 63.
        """

    def spare_codes(self) -> tuple[int, ...]:
        """Key codes whose mapping this input changes while typing; after a crash the `Releaser` unmaps them."""
        return ()

    def double_click_seconds(self) -> float:
        """From press to press: what comes later is no double click for any application.

        X11 has no such setting for all: GTK and Qt take 0.4 s, Chromium, Tk and LibreOffice 0.5 s.
        """
        return 0.5

    def pass_time(self, seconds: float) -> bool:
        """Let so much of the place's own time pass at once, where it has one (a simulation); False where only real time passes."""
        del seconds
        return False

    def check_with(self, check: Callable[[int], None]) -> None:
        """`check(typed)` is to be called within an event that takes a while, before more of it goes out.

        It raises to end the event there; what the event has pressed is to be released then. `typed`
        is how many characters of a text are out. An input whose events are all over at once need
        not call it.
        """
        del check

    def tell_of_grabs(self, tell: Callable[[bool], None]) -> None:
        """`tell(True)` is to be called before every other program has to wait for this input, `tell(False)` once none has to.

        Whoever is told ends a process that keeps the others waiting, so it must be called without fail.
        An input that never makes anybody wait need not call it.
        """
        del tell

    def escapes(self) -> Sequence[bool]:
        """The presses of ESC since the last call, true for those of the device that this input presses keys with.

        Each press that the system took before the last event was accepted is among them: that is
        what makes a stop exact. Always empty on systems that cannot report it.
        """
        return ()

    def human_used(self) -> Means | None:
        """What the human used since the last call (never ESC), as exactly in time as `escapes`; None when nothing.

        Always None where the system cannot tell it on this way; the guard sees the human there, too.
        """
        return None

    def rest(self, seconds: float) -> bool:
        """Wait so long, or until the system has something to tell, an ESC perhaps; then True.

        False, at once, where that cannot be waited for.
        """
        del seconds
        return False

    def prepare(self, text: str) -> None:
        """`text` is about to come in chunks: map its unknown characters in one go. Optional."""

    def hurry(self) -> None:
        """From now on `close` is not to wait for applications that have not read their input: the human has stopped us."""

    def close(self) -> None:
        """Put back what was changed (keyboard mapping) and let go of the connection."""


class Releaser(ABC):
    """Releases what another process holds down, by a way to the system of its own. Every method raises TargetError."""

    @abstractmethod
    def release(self, keys: Sequence[int], buttons: Sequence[int]) -> bool:
        """Release keys and buttons by the codes that `Input.codes` gave; True when all of them are up."""

    def unmap(self, codes: Sequence[int]) -> int:
        """Take away the meaning that typing gave to `Input.spare_codes`, where it gives any; how many had one."""
        del codes
        return 0

    def place(self) -> int:
        """A number (64 bits) of the very display this is: one started later under the same name has another.

        0 where that cannot be told.
        """
        return 0


class EscapeSink(Protocol):
    """Takes what a watch sees of ESC and tells the human's from the hand's own. Called from the watch's threads."""

    @property
    def busy(self) -> bool:
        """Does a batch run, so that there is something to stop?"""

    def pressed(self, *, from_own_device: bool) -> None:
        """An ESC press was reported; `from_own_device` when by the device that the hand injects with."""

    def snapshot(self, codes: frozenset[int]) -> tuple[int, bool]:
        """To be taken before and after looking whether one of these key codes is down; see `down`."""

    def down(self, before: tuple[int, bool], after: tuple[int, bool]) -> bool:
        """ESC was down between two snapshots: True when that is the human's."""


class HumanSink(Protocol):
    """Takes the human's input (never the hand's own, nor ESC). Called from the watch's threads."""

    @property
    def holding_button(self) -> bool:
        """Does the hand hold a button down, as in a drag?"""

    def seen(self, means: Means, owner: Callable[[], int]) -> None:
        """The human pressed, scrolled, or moved farther than a resting hand does.

        `owner()` asks for the process id of the window that the input goes to, 0 when unknown.
        """


class InputWatch(Releaser):
    """Watches the real input of a place, for the guard's process: ESC by every way there is, and the human."""

    @abstractmethod
    def watch_human(self, human: HumanSink) -> bool:
        """Report the human's input, at the latest from `watch_escape` on; False where it cannot be told from the hand's."""

    @abstractmethod
    def watch_escape(
        self, escapes: EscapeSink, interval: Callable[[], float], beat: Callable[[], None]
    ) -> None:
        """Begin to report ESC, in threads. Raises TargetError when the system refuses.

        `beat` is called each time it has been looked for, at least every `interval()` seconds: the
        hand acts only while somebody looks.
        """

    @abstractmethod
    def watching(self) -> bool:
        """False when the display is gone."""


class FullScreen(msgspec.Struct, frozen=True):
    """A window that fills a whole screen and can be seen: its id, its process, and the process whose window was in front before it."""

    window: int = 0
    pid: int = 0
    before: int = 0


class SessionWatch(ABC):
    """Tells whether the human's session can be seen and worked, for the guard's process. Nothing here waits."""

    @abstractmethod
    def start(self) -> None:
        """Begin to watch, in threads. Raises TargetError when the display cannot be reached."""

    @abstractmethod
    def reasons(self) -> OffReason:
        """Why it cannot be seen or worked, as known by now; never FULL_SCREEN, which the guard decides."""

    @abstractmethod
    def full_screen(self) -> FullScreen:
        """What fills a screen by now; with window 0 for nothing."""


class FrontHistory:
    """Which process's window is in front, and which was EARLIER seconds ago: a new window has several states before it fills the screen."""

    EARLIER = 1.0

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._since: list[tuple[float, int]] = [(float("-inf"), 0)]

    def before(self, now: int) -> int:
        """Note that process `now` is in front; the one that was earlier."""
        moment = self._clock()
        if self._since[-1][1] != now:
            self._since.append((moment, now))
        while len(self._since) > 1 and self._since[1][0] <= moment - self.EARLIER:
            del self._since[0]
        return self._since[0][1]


class DesktopModule(Protocol):
    """The module `desktop` of a platform: its parts for the processes of hand and guard, each loaded when asked for.

    `environment` leads to the display. Each raises TargetError when that cannot be reached.
    """

    def attach(self, environment: Mapping[str, str], /) -> Input:
        """What injects."""

    def watch(self, environment: Mapping[str, str], /) -> InputWatch:
        """What watches."""

    def releaser(self, environment: Mapping[str, str], /) -> Releaser:
        """What releases, and nothing more: it is there sooner."""

    def is_over(self, environment: Mapping[str, str], place: int, /) -> bool:
        """Whether the display that had this number (`Releaser.place`) has certainly ended. Raises nothing."""

    def session_watch(self, environment: Mapping[str, str], /) -> SessionWatch | None:
        """What tells whether the session can be seen and worked."""


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

    def stand_by(self, saved: bytes, due: Change | None) -> None:
        """Have `saved` put back should this process be killed while the clipboard is still as `due` says; None: not any more.

        Does nothing where nothing can do that.
        """

    @abstractmethod
    def restore(self, saved: bytes) -> None:
        """Put back what was saved; it stays also when this program ends."""

    @abstractmethod
    def close(self) -> None:
        """Let go of the connection."""


def made_up_codes(event: InputEvent) -> tuple[int, ...]:
    """Codes for `Input.codes` where no system gives any: the same ones for the same key or button, in the ledger's range."""
    match event:
        case KeyDown(key) | KeyUp(key):
            return (sum(map(ord, key)) % 248 + 8,)
        case Text(chunk):
            return tuple(ord(char) % 248 + 8 for char in chunk)
        case ButtonDown(button) | ButtonUp(button):
            return (BUTTONS.index(button),)
        case Wheel():
            return (len(BUTTONS),)
    return ()


class HintPicture(msgspec.Struct, frozen=True):
    """A small picture to lay over the screen: `place` in screen pixels, 4 bytes a pixel (B, G, R, alpha), premultiplied."""

    place: Rect
    pixels: bytes


class HintSurface(ABC):
    """What lies over the screen for the human alone: no click reaches it and no picture of the screen shows it.

    `open` and `close` are called by one thread, `show` too; pictures of the screen may be taken on others meanwhile.
    """

    translucent = True
    """False where a pixel is either drawn or not; then alpha below a half is nothing."""
    animated = True
    """False where the system wants no animations; known once it is open."""

    @abstractmethod
    def open(self) -> str:
        """Make it ready, with nothing on it. Returns why there can be none here, "" when all is well."""

    @abstractmethod
    def show(self, pictures: Mapping[str, HintPicture]) -> None:
        """Show exactly these, by names of the caller's; one that equals the last of its name costs nothing."""

    @abstractmethod
    def close(self) -> None:
        """Remove everything; safe to call twice. It may be opened again."""
