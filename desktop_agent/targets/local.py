"""The display there is: the desktop the user sits at."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping

import msgspec

from desktop_agent.platforms.base import Input
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
    """The injecting half, in the hand's process. Raises TargetError."""
    if sys.platform == "win32":
        return _windows_input()
    _require_x11()
    from desktop_agent.platforms.x11.input.input import X11Input

    return X11Input(address.environment)


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


def _windows_input() -> Input:
    from desktop_agent.platforms.windows.input.uipi_input import UipiInput
    from desktop_agent.platforms.windows.scheduling import wait_finely
    from desktop_agent.platforms.windows.user32 import User32

    wait_finely()
    user32 = User32()
    user32.see_every_pixel()
    return UipiInput(user32)


def _require_x11() -> None:
    if sys.platform in ("win32", "darwin"):
        raise TargetError(
            f"Working the desktop of {sys.platform} is not possible yet.", "Run it on Linux with X11."
        )
