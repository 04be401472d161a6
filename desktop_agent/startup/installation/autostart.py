"""Starts the program at log-on, quietly: a .desktop file in the user's autostart folder, on Windows a value of the Run key."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager

from desktop_agent.protocol.errors import DesktopAgentError
from desktop_agent.startup.installation import desktop_entry
from desktop_agent.startup.installation.launch_command import launch_command
from desktop_agent.support.operating_system import LINUX, WINDOWS

QUIETLY = "--quietly"


def switch_on() -> str:
    """Start at log-on from now on; returns the command. Raises DesktopAgentError where that cannot be had."""
    argv = launch_command(QUIETLY)
    with _told():
        if WINDOWS:
            from desktop_agent.platforms.windows import run_at_logon

            run_at_logon.put(desktop_entry.NAME, subprocess.list2cmdline(argv))
        else:
            desktop_entry.write(desktop_entry.autostart_file(), argv, ("X-GNOME-Autostart-enabled=true",))
    return command()


def switch_off() -> bool:
    """Start at log-on no more; True when it did. Raises DesktopAgentError."""
    with _told():
        if WINDOWS:
            from desktop_agent.platforms.windows import run_at_logon

            return run_at_logon.take_out(desktop_entry.NAME)
        was = bool(command())
        desktop_entry.autostart_file().unlink(missing_ok=True)
        return was


def command() -> str:
    """What is started at log-on, "" for nothing, also where the desktop's own settings have switched it off."""
    if WINDOWS:
        from desktop_agent.platforms.windows import run_at_logon

        return run_at_logon.command_of(desktop_entry.NAME)
    try:
        lines = desktop_entry.autostart_file().read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError):
        return ""
    values = dict(line.split("=", 1) for line in lines if "=" in line)
    off = values.get("Hidden") == "true" or values.get("X-GNOME-Autostart-enabled") == "false"
    return "" if off else values.get("Exec", "")


@contextmanager
def _told() -> Iterator[None]:
    """Turn what the system says against it into words for the user; refuse where no way is known."""
    if not (WINDOWS or LINUX):
        raise DesktopAgentError("Starting at log-on is not built for this system.", "Start it by hand.")
    try:
        yield
    except OSError as error:
        advice = "Give yourself the right to write there."
        raise DesktopAgentError(f"That cannot be changed: {error}.", advice) from error
