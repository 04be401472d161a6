"""The commands that change or tell how the program is set up on this machine: autostart, desktop-entry, licences."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence

from desktop_agent.protocol.errors import DesktopAgentError
from desktop_agent.startup.exit_code import DONE, FAILED
from desktop_agent.support.operating_system import LINUX


def run(name: str, words: Sequence[str]) -> int:
    """Run the command of that name; returns the exit code."""
    try:
        sys.stdout.write(f"{_COMMANDS[name](words)}\n")
    except DesktopAgentError as error:
        sys.stderr.write(f"desktop-agent: {error}\n")
        return FAILED
    return DONE


def _autostart(words: Sequence[str]) -> str:
    from desktop_agent.startup.installation import autostart

    wish = _choice("autostart", "Start quietly at log-on, or not.", ("on", "off", "status"), words)
    if wish == "off":
        return "It starts at log-on no more." if autostart.switch_off() else "It did not start at log-on."
    command = autostart.switch_on() if wish == "on" else autostart.command()
    return f"It starts at log-on: {command}" if command else "It does not start at log-on."


def _desktop_entry(words: Sequence[str]) -> str:
    from desktop_agent.startup.installation import desktop_entry

    wish = _choice("desktop-entry", "Show it among the programs, or not.", ("install", "remove"), words)
    if not LINUX:
        raise DesktopAgentError(
            "Entries of this kind are for Linux.", "On Windows the installer makes one in the Start menu."
        )
    try:
        if wish == "install":
            return f"It is among the programs now: {desktop_entry.install()}"
        return "It is not among the programs any more." if desktop_entry.remove() else "It was not there."
    except OSError as error:
        raise DesktopAgentError(f"That cannot be changed: {error}.", "Look at the rights there.") from error


def _licences(words: Sequence[str]) -> str:
    from desktop_agent.startup.installation import licences

    parser = argparse.ArgumentParser(prog="desktop-agent licences", description="The licences of all parts.")
    parser.parse_args(list(words))
    return licences.text()


def _choice(command: str, description: str, choices: Sequence[str], words: Sequence[str]) -> str:
    parser = argparse.ArgumentParser(prog=f"desktop-agent {command}", description=description)
    parser.add_argument("wish", choices=choices)
    return str(parser.parse_args(list(words)).wish)


_COMMANDS: dict[str, Callable[[Sequence[str]], str]] = {
    "autostart": _autostart,
    "desktop-entry": _desktop_entry,
    "licences": _licences,
}
NAMES = tuple(_COMMANDS)
