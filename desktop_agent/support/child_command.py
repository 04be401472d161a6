"""Builds the command line of another process of this program, from source or packaged."""

from __future__ import annotations

import subprocess
import sys

from desktop_agent.support.operating_system import WINDOWS

WITHOUT_CONSOLE: int = getattr(subprocess, "CREATE_NO_WINDOW", 0)
"""Creation flags of every process we start: on Windows none opens a console window, elsewhere 0."""


def set_up_again() -> str:
    """Advice for the user when a part of this program is missing or broken."""
    if getattr(sys, "frozen", False):
        return "Get the program again, and replace this one with it."
    return f"Delete the folder .venv and start {'run.cmd' if WINDOWS else './run'} again."


def command(role: str, *arguments: str) -> list[str]:
    """The argv of a process with this role (see `__main__`)."""
    if getattr(sys, "frozen", False):  # set by PyInstaller: the program is its own interpreter
        return [sys.executable, role, *arguments]
    return [sys.executable, "-m", "desktop_agent", role, *arguments]
