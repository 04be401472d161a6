"""An embedded display: a desktop of our own, where none is or where none may be touched."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import msgspec

from desktop_agent.platforms import host
from desktop_agent.platforms.base import DesktopModule, Input, InputWatch, Releaser
from desktop_agent.platforms.sandbox_manifest import Megabytes, Processes
from desktop_agent.protocol.errors import ConfigError, TargetError
from desktop_agent.protocol.geometry import Size
from desktop_agent.support import paths
from desktop_agent.targets.base import Address

if TYPE_CHECKING:
    from desktop_agent.targets._embedded import EmbeddedDisplay

Pixels = Annotated[int, msgspec.Meta(ge=320, le=16_384)]
Colour = Annotated[str, msgspec.Meta(pattern="^#[0-9a-fA-F]{6}$")]


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`[target.display]`: size in pixels, the colour behind the windows, and whether people can watch and work it by VNC.

    `boxed`: its programs run in a bubblewrap sandbox, where `workspace` is their home (a whole path, "" for `workspace` in the
    program's data folder). A box has no network, or with `network = "listed"` one of what is in `allowed`. In megabytes: the `memory`
    of one process, the largest `file`, and all its `home`; one whose home grows larger is ended.
    """

    width: Pixels = 1280
    height: Pixels = 800
    background: Colour = "#3b6ea5"
    viewers: bool = False
    boxed: bool = False
    processes: Processes = 512
    memory: Megabytes = 4_096
    file: Megabytes = 1_024
    home: Megabytes = 4_096
    workspace: str = ""
    network: Literal["off", "listed"] = "off"
    allowed: tuple[str, ...] = ()


def create(options: Options) -> EmbeddedDisplay:
    """The display, not started yet. Raises TargetError where there cannot be one, ConfigError for a path that is not whole."""
    _require_x11()
    if options.boxed:
        return _boxed(options)
    from desktop_agent.targets._embedded import EmbeddedDisplay

    size = Size(options.width, options.height)
    return EmbeddedDisplay(size, int(options.background[1:], 16), viewers=options.viewers)


def _boxed(options: Options) -> EmbeddedDisplay:
    from desktop_agent.platforms.allowed_network.allow_list import AllowList
    from desktop_agent.platforms.posix.bubblewrap import BoxLimits, require_home
    from desktop_agent.targets._boxed import BoxedDisplay

    workspace = Path(options.workspace).expanduser() if options.workspace else paths.data() / "workspace"
    if not workspace.is_absolute():
        raise ConfigError(
            f"The folder {options.workspace!r} is not a whole path.", "Set `workspace` in [target.display]."
        )
    require_home(workspace)
    allowed = AllowList(options.allowed)
    return BoxedDisplay(
        Size(options.width, options.height),
        int(options.background[1:], 16),
        workspace,
        viewers=options.viewers,
        allowed=allowed if options.network == "listed" else None,
        limits=BoxLimits(options.processes, options.memory, options.file, options.home),
    )


def attach(address: Address) -> Input:
    """What injects, in the hand's process. Raises TargetError."""
    return _desktop().attach(address.environment)


def watch(address: Address) -> InputWatch:
    """What watches, in the guard's process. Raises TargetError."""
    return _desktop().watch(address.environment)


def releaser(address: Address) -> Releaser:
    """What releases when the guard is gone, in the hand's process. Raises TargetError."""
    return _desktop().releaser(address.environment)


def is_over(address: Address, place: int) -> bool:
    """Whether the display that had this number has certainly ended."""
    return _desktop().is_over(address.environment, place)


def _desktop() -> DesktopModule:
    _require_x11()
    from desktop_agent.platforms.x11 import desktop

    return desktop


def _require_x11() -> None:
    if not host.HAS_X11:
        raise TargetError(
            f"There is no embedded display on {host.NAME}.", "Work the display there is: --target local."
        )
