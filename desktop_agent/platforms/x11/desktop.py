"""The parts of an X11 display for the processes of hand and guard; see `platforms.base.DesktopModule`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from desktop_agent.platforms.x11.input.input import X11Input
    from desktop_agent.platforms.x11.input_watch.escape_watch import X11Watch
    from desktop_agent.platforms.x11.input_watch.release import X11Releaser
    from desktop_agent.platforms.x11.session_watch import X11SessionWatch


def attach(environment: Mapping[str, str]) -> X11Input:
    """What injects. Raises TargetError."""
    from desktop_agent.platforms.x11.input.input import X11Input

    return X11Input(environment)


def watch(environment: Mapping[str, str]) -> X11Watch:
    """What watches. Raises TargetError."""
    from desktop_agent.platforms.x11.input_watch.escape_watch import X11Watch

    return X11Watch(environment)


def releaser(environment: Mapping[str, str]) -> X11Releaser:
    """What releases. Raises TargetError."""
    from desktop_agent.platforms.x11.input_watch.release import X11Releaser, open_connection

    return X11Releaser(open_connection(environment))


def is_over(environment: Mapping[str, str], place: int) -> bool:
    """Whether the display that had this number has ended."""
    from desktop_agent.platforms.x11.input_watch.release import is_over

    return is_over(environment, place)


def session_watch(environment: Mapping[str, str]) -> X11SessionWatch:
    """What tells whether the session is locked, away, or filled by something full screen."""
    from desktop_agent.platforms.x11.session_watch import X11SessionWatch

    return X11SessionWatch(environment)
