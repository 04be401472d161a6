"""Drops what was typed at a terminal before a question was asked there: it is no answer to it."""

from __future__ import annotations

import contextlib
from typing import Any, TextIO

from desktop_agent.support.operating_system import WINDOWS


def forget_typed_ahead(terminal: TextIO) -> None:
    """Drop what waits to be read at a terminal; a pipe or a file keeps what it has."""
    with contextlib.suppress(OSError, ValueError):  # it is gone, or has no descriptor
        if not terminal.isatty():
            return
        if WINDOWS:
            _forget_keys()
        else:
            import termios

            termios.tcflush(terminal.fileno(), termios.TCIFLUSH)


def _forget_keys() -> None:
    import msvcrt  # is there on Windows only

    runtime: Any = msvcrt
    while runtime.kbhit():
        runtime.getwch()
