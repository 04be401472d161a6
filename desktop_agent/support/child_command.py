"""How another process of this program is started: from its source, or from the packaged program itself."""

from __future__ import annotations

import sys

WITHOUT_CONSOLE = 0x0800_0000 if sys.platform == "win32" else 0
"""Creation flags of every process we start: on Windows none opens a console window (CREATE_NO_WINDOW)."""


def set_up_again() -> str:
    """What to do when a part of this program is missing or broken."""
    if getattr(sys, "frozen", False):
        return "Get the program again, and replace this one with it."
    return f"Delete the folder .venv and start {'run.cmd' if sys.platform == 'win32' else './run'} again."


def command(role: str, *arguments: str) -> list[str]:
    """The words that start a process with a role of its own (see `__main__`)."""
    if getattr(sys, "frozen", False):  # set by PyInstaller: the program is its own interpreter
        return [sys.executable, role, *arguments]
    return [sys.executable, "-m", "desktop_agent", role, *arguments]
