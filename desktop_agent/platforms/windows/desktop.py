"""The parts of a Windows session for the processes of hand and guard; see `platforms.base.DesktopModule`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from desktop_agent.platforms.windows.input.uipi_input import UipiInput
    from desktop_agent.platforms.windows.input_watch.escape_watch import WindowsWatch
    from desktop_agent.platforms.windows.input_watch.release import WindowsReleaser
    from desktop_agent.platforms.windows.session_state import WindowsSessionWatch


def attach(environment: Mapping[str, str]) -> UipiInput:
    """What injects into the session of this process, the only one there can be. Raises TargetError."""
    del environment
    from desktop_agent.platforms.windows.host_process import wait_finely
    from desktop_agent.platforms.windows.input.uipi_input import UipiInput
    from desktop_agent.platforms.windows.user32 import User32

    wait_finely()
    user32 = User32()
    user32.see_every_pixel()
    return UipiInput(user32)


def watch(environment: Mapping[str, str]) -> WindowsWatch:
    """What watches. Raises TargetError."""
    del environment
    from desktop_agent.platforms.windows.host_process import wait_finely
    from desktop_agent.platforms.windows.input_watch.escape_watch import WindowsWatch
    from desktop_agent.platforms.windows.user32 import User32

    wait_finely()
    user32 = User32()
    user32.see_every_pixel()
    return WindowsWatch(user32)


def releaser(environment: Mapping[str, str]) -> WindowsReleaser:
    """What releases. Raises TargetError."""
    del environment
    from desktop_agent.platforms.windows.input_watch.release import WindowsReleaser
    from desktop_agent.platforms.windows.user32 import User32

    return WindowsReleaser(User32())


def is_over(environment: Mapping[str, str], place: int) -> bool:
    """Whether the display has ended: never, it is Windows itself."""
    del environment, place
    return False


def session_watch(environment: Mapping[str, str]) -> WindowsSessionWatch:
    """What tells whether the session is locked, away, or shows a presentation."""
    del environment
    from desktop_agent.platforms.windows.session_state import WindowsSessionWatch

    return WindowsSessionWatch()
