"""The display there is: the desktop the user sits at."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping

import msgspec

from desktop_agent.platforms.base import DesktopModule, Input, InputWatch, Releaser
from desktop_agent.protocol.errors import TargetError
from desktop_agent.targets.base import Address, Target

# What leads a program to the user's session, besides the display itself.
SESSION_VARIABLES = (
    "DISPLAY",
    "XAUTHORITY",
    "DBUS_SESSION_BUS_ADDRESS",
    "AT_SPI_BUS_ADDRESS",
    "XDG_RUNTIME_DIR",
    "XDG_CURRENT_DESKTOP",
    "XDG_DATA_DIRS",
    "XDG_CONFIG_DIRS",
    "HOME",
    "PATH",
)


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`[target.local]`: an X display other than the one of the environment, as in `:1`."""

    display: str = ""


def create(options: Options) -> Target:
    """The target for this platform. Raises TargetError where there is none."""
    if sys.platform == "win32":
        from desktop_agent.targets._windows import WindowsScreen

        return WindowsScreen()
    _require_x11()
    from desktop_agent.targets._x11 import AttachedScreen

    return AttachedScreen("local", session(os.environ, options.display))


def attach(address: Address) -> Input:
    """What injects, in the hand's process. Raises TargetError."""
    return _desktop().attach(address.environment)


def watch(address: Address) -> InputWatch:
    """What watches, in the guard's process. Raises TargetError."""
    return _desktop().watch(address.environment)


def releaser(address: Address) -> Releaser:
    """What releases when the guard is gone, in the hand's process. Raises TargetError."""
    return _desktop().releaser(address.environment)


def session(environ: Mapping[str, str], display: str = "") -> dict[str, str]:
    """The variables that lead to the desktop's session. Raises TargetError where there is no display."""
    found = {name: environ[name] for name in SESSION_VARIABLES if environ.get(name)}
    if display:
        found["DISPLAY"] = display
    if "DISPLAY" not in found:
        raise TargetError(
            "There is no X11 display here (DISPLAY is not set).",
            "Start it inside an X11 desktop session, or use the embedded display: --target display.",
        )
    return found


def _desktop() -> DesktopModule:
    """The parts of this system for hand and guard. Raises TargetError where there are none."""
    if sys.platform == "win32":
        from desktop_agent.platforms.windows import desktop as windows_desktop

        return windows_desktop
    _require_x11()
    from desktop_agent.platforms.x11 import desktop

    return desktop


def _require_x11() -> None:
    if sys.platform in ("win32", "darwin"):
        raise TargetError(
            f"Working the desktop of {sys.platform} is not possible yet.", "Run it on Linux with X11."
        )
