"""Ends a sub-command: an error of the program becomes a line on stderr, and an exit code."""

from __future__ import annotations

import sys
from collections.abc import Callable

from desktop_agent.protocol.errors import DesktopAgentError
from desktop_agent.startup.exit_code import FAILED, USAGE
from desktop_agent.support.terminal_text import one_line


def run_command(name: str, act: Callable[[], int], *usage: type[DesktopAgentError]) -> int:
    """Do the command of this name and return its exit code; errors of the kinds `usage` are wrong usage, others failures."""
    try:
        return act()
    except DesktopAgentError as error:
        print(f"desktop-agent {name}: {one_line(str(error))}", file=sys.stderr)
        return USAGE if isinstance(error, usage) else FAILED
