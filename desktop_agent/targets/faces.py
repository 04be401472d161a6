"""The optional faces of a target: what some places offer beside the required `Target`, asked for by type.

A target has a face by inheriting from it, and a caller asks by `isinstance`, so a target without it needs no code. Where
many callers need an answer of every place, a function at the end of this file gives that of a place without the face.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING

from desktop_agent.platforms.base import Shown
from desktop_agent.targets.base import Target

if TYPE_CHECKING:
    from desktop_agent.platforms.base import Clipboard, HintSurface, Input, Standing, WindowInfo
    from desktop_agent.platforms.vnc_server import VncServer
    from desktop_agent.protocol.app_activity import Activity
    from desktop_agent.protocol.geometry import Point
    from desktop_agent.protocol.scene import Scene
    from desktop_agent.protocol.terminal_state import TerminalState
    from desktop_agent.support.config import SimulationSettings
    from desktop_agent.vision.capture.frame import Frame
    from desktop_agent.vision.observation import Element
    from desktop_agent.wire.base import KeyboardOutput


# ---- what is there to see ----------------------------------------------------------------------


class HasElements(ABC):
    """A place that names what shows on its screen: by its accessibility tree, or by what a picture is read for."""

    @abstractmethod
    def elements(self) -> Sequence[Element]:
        """Named elements showing on the screen, in reading order. Raises what `may_look` raises, TargetError."""

    def elements_of(self, pid: int) -> Sequence[Element]:
        """The elements of one process, read now. Raises what `may_look` raises, TargetError."""
        return [each for each in self.elements() if each.pid == pid]

    def unread(self) -> Collection[str]:
        """Names of the applications that did not tell all their elements to the last `elements()` in time."""
        return ()


class HasElementHandles(HasElements):
    """A place whose elements have handles by which their programs can be asked and followed."""

    @abstractmethod
    def hurry(self, handle: str, point: Point) -> bool:
        """Have the program of the element with this handle, which shows at a point, tell its elements up to now.

        False where they are never behind what it draws, or nobody can tell; takes some hundredths of a second else.
        """

    @abstractmethod
    def link_address(self, handle: str) -> str:
        """Where the link with this handle leads, "" when that cannot be told."""

    @abstractmethod
    def follow_field(
        self, handle: str, taken: Callable[[int], None], moved: Callable[[str], None]
    ) -> AbstractContextManager[None]:
        """While this lasts `taken(n)` tells of n characters put into the element with this handle, and `moved(name)`
        of the focus gone from it. From another thread."""


class HasWindows(ABC):
    """A place that tells of its windows."""

    @abstractmethod
    def windows(self) -> Sequence[WindowInfo]:
        """Top-level windows, the active one first."""

    def showing(self, chosen: Callable[[WindowInfo], bool]) -> Sequence[Shown]:
        """The chosen windows, with the menus and dialogs that belong to them, and where they can be seen."""
        return [
            Shown(each, (each.bounds,)) for each in self.windows() if chosen(each) and not each.bounds.empty
        ]

    def window_at(self, point: Point) -> WindowInfo | None:
        """The topmost window at a point, our own included, as it is now; None on the bare desktop."""
        return next((window for window in self.windows() if window.bounds.contains(point)), None)

    def focused_window(self) -> WindowInfo | None:
        """The window that gets what is typed, our own included, as it is now; None when there is none."""
        return next(iter(self.windows()), None)

    def program_of(self, pid: int) -> str:
        """File name of the program that a process of this place runs, else the application its windows say; "" for neither."""
        return next((each.program or each.application for each in self.windows() if each.pid == pid), "")


class HasScene(ABC):
    """A place that tells how its windows lie over one another, and where the pointer is."""

    @abstractmethod
    def scene(self) -> Scene | None:
        """Which window is where at this moment; None when that cannot be told."""

    @abstractmethod
    def pointer(self) -> Point | None:
        """Where the pointer is, None when it cannot be told."""


class HasWindowOrder(ABC):
    """A place whose windows can be put back as they stood, by requests and not by input."""

    @abstractmethod
    def standing(self) -> Standing | None:
        """How the windows stand now, our own included; None where that cannot be told. Raises TargetError."""

    @abstractmethod
    def stand_as(self, before: Standing, but: Collection[tuple[int, int]]) -> None:
        """Have the windows stand as before, except for those with the keys `but`. Raises TargetError."""


class ShowsOwnWindows(ABC):
    """A place where windows of this program may stand among the others."""

    @abstractmethod
    def protect(self, pids: Sequence[int]) -> None:
        """Leave the windows of these processes out of what is seen: painted over in frames, dropped from elements."""

    @abstractmethod
    def give_focus_back(self) -> None:
        """If a protected window has the keyboard focus, activate the last other window, if there is one."""


class ReadsTerminal(ABC):
    """A place whose pictures are read for a terminal that fills the screen."""

    @abstractmethod
    def terminal(self, frame: Frame) -> TerminalState | None:
        """What the terminal in a frame of this target shows; None where none fills the screen."""


# ---- when it has settled -----------------------------------------------------------------------


class TellsActivity(ABC):
    """A place that tells by events where it draws and whether its programs work."""

    @abstractmethod
    def activity(self) -> Activity | None:
        """What tells it; None where only pictures can be compared. Raises TargetError."""


class TellsBusy(ABC):
    """A place that tells whether the program in front is still at work, where it tells of no activity."""

    @abstractmethod
    def busy(self) -> bool:
        """Has the program in front yet to take what was done?"""


class HasOwnClock(ABC):
    """A place with a clock of its own: time passes there when the agent lets it."""

    @abstractmethod
    def come_to_rest(self, seconds: float) -> bool | None:
        """Let at most so much of its time pass until it is at rest; is it now? None where only waiting tells."""


# ---- what is kept there ------------------------------------------------------------------------


class HasHome(ABC):
    """A place where whoever works has a home folder that is known."""

    @abstractmethod
    def home(self) -> Path:
        """That folder."""


class HasPrograms(HasHome):
    """A place whose programs are known by name."""

    @abstractmethod
    def program_for(self, name: str) -> str:
        """File name of the program that `open` would start for an application's name, "" when it cannot be
        told; "terminal" for whatever runs in one, "folder/" for a folder that is there."""

    @abstractmethod
    def programs_named(self, words: str) -> frozenset[str]:
        """File names of the programs that a user's words name for certain: applications by their names and
        everyday names, and what opens the files and addresses among the words. Nothing is opened."""


class HasClipboard(ABC):
    """A place with a clipboard, whose content a run keeps for the user."""

    @abstractmethod
    def clipboard(self) -> Clipboard:
        """Its clipboard. Raises TargetError."""


# ---- who else sees it, and its life ------------------------------------------------------------


class HasHintSurface(ABC):
    """The screen that the user sits at, over which hints may be shown."""

    @abstractmethod
    def hint_surface(self) -> HintSurface:
        """What shows them."""


class HasVncServer(ABC):
    """A place that a VNC server shows to people, who may work it there."""

    @abstractmethod
    def vnc_server(self) -> VncServer | None:
        """Where the server is; None before the place is started, and where no viewers are wanted."""


class Rests(ABC):
    """A place that keeps something which is only needed while it is looked at."""

    @abstractmethod
    def rest(self) -> None:
        """Let go of that; `start` brings it back. What runs there goes on."""


class WorkedOverWire(ABC):
    """A place on which nothing of ours runs: it is worked over a wire."""

    wire: str
    """The name of the wire (wire/NAME.py)."""

    @abstractmethod
    def work_over(self, wire: KeyboardOutput) -> None:
        """Work it over this wire, in place of the one of its name with its usual options. Before `start`."""


# ---- two kinds of target -----------------------------------------------------------------------


class Simulated(Target):
    """A place where nothing real can be reached: it is worked in this process, without hand and guard."""

    simulated = True

    @abstractmethod
    def inline_input(self) -> Input:
        """What injects into it, in this process; made anew whenever the hand starts, which closes it."""

    def grant(self, simulation: SimulationSettings) -> None:
        """Take what `[simulation]` grants beside input, where there is something to be granted."""
        del simulation


class Desktop(Target, HasClipboard, HasElements, HasPrograms, HasScene, HasWindows, ShowsOwnWindows):
    """The desktop of an operating system, with all that one tells of itself."""

    @property
    @abstractmethod
    def elements_missing(self) -> str:
        """Why `elements` finds nothing, "" while all is well."""


FACES: tuple[type, ...] = (
    HasElements,
    HasElementHandles,
    HasWindows,
    HasScene,
    HasWindowOrder,
    ShowsOwnWindows,
    ReadsTerminal,
    TellsActivity,
    TellsBusy,
    HasOwnClock,
    HasHome,
    HasPrograms,
    HasClipboard,
    HasHintSurface,
    HasVncServer,
    Rests,
    WorkedOverWire,
    Simulated,
)


def unclaimed(target: Target) -> tuple[str, ...]:
    """The faces that a target does not have though it defines their methods: nobody would ever call these."""
    lacking = (each for each in FACES if not isinstance(target, each))
    return tuple(each.__name__ for each in lacking if any(hasattr(type(target), name) for name in _own(each)))


def _own(face: type) -> frozenset[str]:
    """The methods that a face demands beside those of the face it is built on."""
    return frozenset(vars(face)) & getattr(face, "__abstractmethods__", frozenset[str]())


# ---- the neutral answers of a place without a face, for callers that need one everywhere ---------


def home_of(target: Target) -> Path:
    """The home folder of whoever works there: where it is not known, that of the user."""
    return target.home() if isinstance(target, HasHome) else Path.home()


def programs_of(target: Target) -> HasPrograms:
    """The programs of a place; none is known where it does not tell."""
    return target if isinstance(target, HasPrograms) else _NoPrograms(target)


def windows_of(target: Target) -> HasWindows:
    """The windows of a place; none where it does not tell of them."""
    return target if isinstance(target, HasWindows) else _NoWindows()


def scene_of(target: Target) -> Scene | None:
    """Which window is where at this moment; None when that cannot be told."""
    return target.scene() if isinstance(target, HasScene) else None


def pointer_of(target: Target) -> Point | None:
    """Where the pointer is, None when it cannot be told."""
    return target.pointer() if isinstance(target, HasScene) else None


def tree_of(target: Target) -> HasElements:
    """The elements of a place; none where it does not name what it shows."""
    return target if isinstance(target, HasElements) else _NoElements()


class _NoWindows(HasWindows):
    def windows(self) -> Sequence[WindowInfo]:
        return ()


class _NoElements(HasElements):
    def elements(self) -> Sequence[Element]:
        return ()


class _NoPrograms(HasPrograms):
    def __init__(self, target: Target) -> None:
        self._target = target

    def home(self) -> Path:
        return home_of(self._target)

    def program_for(self, name: str) -> str:  # noqa: ARG002
        return ""

    def programs_named(self, words: str) -> frozenset[str]:  # noqa: ARG002
        return frozenset()
