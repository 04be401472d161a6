"""Refuses, in words, to start on a system that the program has not been built for."""

from __future__ import annotations

import platform

from desktop_agent.protocol.errors import DesktopAgentError
from desktop_agent.support import operating_system

ADVICE = "Use Linux with X11, or Windows 10 or 11."
_NAMES = {"Darwin": "macOS"}


def name() -> str:
    """This system as its users call it."""
    said = platform.system()
    return _NAMES.get(said, said or "this system")


def require_known_system() -> None:
    """Raises DesktopAgentError elsewhere than on Linux and Windows."""
    if not (operating_system.LINUX or operating_system.WINDOWS):
        raise DesktopAgentError(
            f"Seeing and acting on {name()} is not built yet (desktop-agent doctor lists what is missing).",
            ADVICE,
        )
