"""Which operating system this process runs on, for the few places that choose by it, and the refusal of one that the program was not built for."""

from __future__ import annotations

import platform
import sys

from desktop_agent.protocol.errors import DesktopAgentError

WINDOWS: bool = sys.platform == "win32"
LINUX: bool = sys.platform == "linux"

ADVICE = "Use Linux with X11, or Windows 10 or 11."
_NAMES = {"Darwin": "macOS"}


def system_name() -> str:
    """This system as its users call it."""
    said = platform.system()
    return _NAMES.get(said, said or "this system")


def require_known_system() -> None:
    """Raises DesktopAgentError elsewhere than on Linux and Windows."""
    if not (LINUX or WINDOWS):
        raise DesktopAgentError(
            f"Seeing and acting on {system_name()} is not built yet (desktop-agent doctor lists what is missing).",
            ADVICE,
        )
