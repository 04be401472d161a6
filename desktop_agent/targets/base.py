"""A target: a place with a screen and inputs.

Adding one is one new file `targets/NAME.py` (or a module of an installed package), with its name in
`--target NAME` and these things in it:

    class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True)   its `[target.NAME]` table in config.toml
    def create(options: Options) -> Target                                   what the brain observes, not started yet

A target whose input is real is used from three processes, and `Target.address()` must be enough to reach it
from the other two. They call, in the module of the address's kind:

    def attach(address: Address) -> Input            in the hand: what injects
    def watch(address: Address) -> InputWatch        in the guard: what sees ESC and the human, and cleans up after a death
    def releaser(address: Address) -> Releaser       in the hand, for when the guard has died: what releases

where the place may end before they do:

    def is_over(address: Address, place: int) -> bool   before cleaning up: whether what `Releaser.place` told of is gone

and, where it is the human's own session, which may be locked or show something full screen:

    def session_watch(address: Address) -> SessionWatch | None    in the guard: what tells of that

`Input.codes` names what is held by codes of the target's own, which its watch and releaser understand. The guard
must be up at once: the module and what `watch` loads import nothing slow (no picture, no model); `create` may.

A target where nothing real can be pressed needs no process to guard: it is a `faces.Simulated`, has
`inline_input()`, and its module none of the three functions.

`Target` is the required face: `kind`, `title` and five methods (`start`, `stop`, `address`, `geometry`, `observe`), and
flags that are right for most. All else is an optional face in `targets/faces.py`, which a target has by inheriting it:
HasElements, HasElementHandles, HasWindows, HasScene, HasWindowOrder, ShowsOwnWindows, ReadsTerminal (what is there to
see), TellsActivity, TellsBusy, HasOwnClock (when it has settled), HasHome, HasPrograms, HasClipboard (what is kept
there), HasHintSurface, HasVncServer, Rests, WorkedOverWire. Without them a run works by pictures alone.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import msgspec

from desktop_agent.platforms.base import (
    Input,
    InputWatch,
    Releaser,
    SessionWatch,
)
from desktop_agent.protocol.errors import TargetError
from desktop_agent.protocol.geometry import Geometry, Rect
from desktop_agent.support import plugins

if TYPE_CHECKING:
    from desktop_agent.vision.capture.frame import Frame


class Address(msgspec.Struct, frozen=True):
    """What another process needs to reach the target's inputs: the target's kind and environment variables.

    `secrets` are more of them, which stand in no file and no repr: the processes that need them get them as variables.
    """

    kind: str
    environment: dict[str, str] = {}
    secrets: dict[str, str] = {}

    def __repr__(self) -> str:
        return f"Address({self.kind!r}, {self.environment!r})"


def attach(address: Address) -> Input:
    """What injects at an address, from the module of its kind. Raises ConfigError or TargetError."""
    found: Input = _offered(address, "attach")
    return found


def watch(address: Address) -> InputWatch:
    """What the guard watches at an address with, and cleans up with. Raises ConfigError or TargetError."""
    found: InputWatch = _offered(address, "watch")
    return found


def session_watch(address: Address) -> SessionWatch | None:
    """What tells the guard whether the human's session can be seen and worked; None for a place of the program's own."""
    module = plugins.load("target", address.kind)
    return module.session_watch(address) if hasattr(module, "session_watch") else None


def releaser(address: Address) -> Releaser:
    """What releases at an address what somebody else holds. Raises ConfigError or TargetError."""
    found: Releaser = _offered(address, "releaser")
    return found


def is_over(address: Address, place: int) -> bool:
    """Whether the very place that had this number (`Releaser.place`) has certainly ended, and all held in it with it.

    Raises ConfigError or TargetError.
    """
    module = plugins.load("target", address.kind)
    return hasattr(module, "is_over") and bool(module.is_over(address, place))


def _offered(address: Address, what: str) -> Any:
    module = plugins.load("target", address.kind)
    if not hasattr(module, what):
        raise TargetError(
            f"The target {address.kind!r} cannot be worked by a hand of its own: it has no `{what}`.",
            "Choose another target.",
        )
    return getattr(module, what)(address)


class Target(ABC):
    """The observing half and the life of the place, used by the brain."""

    kind: str
    title: str
    """What people call it, like `This desktop`."""
    simulated: bool = False
    """True for a place where nothing real can be reached (`faces.Simulated`)."""
    screenless: bool = False
    """True where there is nothing to see and nothing to press: a model is offered no operation for it."""
    filmed: bool = False
    """True for a place that is seen through a camera: no tree tells what to hide, so the user is asked before a picture leaves."""

    doubtful: bool = False
    """True where a picture may be blank, or of other windows than the tree tells of: on desktops of systems that may refuse one."""
    files_elsewhere: bool = False
    """True for a place with other files than this computer's: a look at ours would prove nothing of what is done there."""
    may_look: Callable[[], None] = staticmethod(lambda: None)
    """Raises Off while nothing may be seen: `observe` and those of `HasElements` call it before they look."""

    @property
    def harmless(self) -> bool:
        """May input be given there without judging it? So it is where nothing real can be reached, unless that is rehearsed."""
        return self.simulated

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
        """Capture the whole desktop or a region of it, own windows masked. Raises what `may_look` raises, TargetError."""

    @abstractmethod
    def stop(self) -> None:
        """Let go of the place and end what `start` began; safe to call twice."""
