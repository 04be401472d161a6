"""How another process of this program is started: from its source, or from the packaged program itself."""

from __future__ import annotations

import sys


def command(role: str, *arguments: str) -> list[str]:
    """The words that start a process with a role of its own (see `__main__`)."""
    if getattr(sys, "frozen", False):  # set by PyInstaller: the program is its own interpreter
        return [sys.executable, role, *arguments]
    return [sys.executable, "-m", "desktop_agent", role, *arguments]
