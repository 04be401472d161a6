"""The command that starts this program as it is installed: the packaged program, a checkout or an installed package."""

from __future__ import annotations

import sys
from pathlib import Path

from desktop_agent.support.operating_system import WINDOWS

_ROOT = Path(__file__).resolve().parents[3]


def launch_command(*arguments: str) -> list[str]:
    """The argv that starts it with these arguments and, on Windows, without a console window."""
    return [*_program(), *arguments]


def _program() -> list[str]:
    python = Path(sys.executable)
    if getattr(sys, "frozen", False):
        return [str(python)]
    windowless = python.with_name("pythonw.exe")
    if WINDOWS and windowless.is_file():
        python = windowless
    if (_ROOT / "run").is_file() and (_ROOT / "main.py").is_file():
        return [str(python), str(_ROOT / "main.py")] if WINDOWS else [str(_ROOT / "run")]
    script = python.with_name("desktop-agent")
    return [str(script)] if script.is_file() else [str(python), "-m", "desktop_agent"]
