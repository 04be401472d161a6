"""The display there is: the desktop the user sits at."""

from __future__ import annotations

import os
from collections.abc import Mapping

import msgspec

from desktop_agent.platforms import host
from desktop_agent.platforms.base import Input, InputWatch, Releaser, SessionWatch
from desktop_agent.protocol.errors import TargetError
from desktop_agent.targets.base import Address
from desktop_agent.targets.faces import Desktop

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


def create(options: Options) -> Desktop:
    """The target for this platform. Raises TargetError where there is none."""
    host.desktop()  # raises where it cannot be worked
    if host.WINDOWS:
        from desktop_agent.targets._windows import WindowsScreen

        return WindowsScreen()
    from desktop_agent.targets._x11 import AttachedScreen

    return AttachedScreen("local", session(os.environ, options.display))


def attach(address: Address) -> Input:
    """What injects, in the hand's process. Raises TargetError."""
    return host.desktop().attach(address.environment)


def watch(address: Address) -> InputWatch:
    """What watches, in the guard's process. Raises TargetError."""
    return host.desktop().watch(address.environment)


def releaser(address: Address) -> Releaser:
    """What releases when the guard is gone, in the hand's process. Raises TargetError."""
    return host.desktop().releaser(address.environment)


def is_over(address: Address, place: int) -> bool:
    """Whether the display that had this number has certainly ended."""
    return host.desktop().is_over(address.environment, place)


def session_watch(address: Address) -> SessionWatch | None:
    """What tells whether the session is locked, away, or filled by something full screen, in the guard's process."""
    return host.desktop().session_watch(address.environment)


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
