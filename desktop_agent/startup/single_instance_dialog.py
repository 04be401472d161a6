"""Tells a second start on a screen that the agent is open there, and offers to show its window; or asks what was to be asked."""

from __future__ import annotations

import sys
from typing import TextIO

from desktop_agent.protocol.instance_request import InstanceRequest
from desktop_agent.startup import single_instance
from desktop_agent.support.language import later

THERE = later("The agent is open on this screen already: two would fight over mouse and keyboard.")
WORDS: dict[str, str] = {
    "done": later("Its window has been shown."),
    "no window": later("It runs without a window: look at the terminal it was started in."),
    "no answer": later("It does not answer: end it, then start again."),
}


def ask(screen: str, request: InstanceRequest) -> bool:
    """Ask the agent that is open there; says why when it cannot be done."""
    answer = single_instance.ask(screen, request)
    if answer != "done":
        print(f"desktop-agent: {WORDS[answer]}", file=sys.stderr)
    return answer == "done"


def in_terminal(screen: str, terminal: TextIO | None) -> None:
    """Print that the agent is open; where somebody can answer at `terminal`, offer to show its window."""
    print(f"desktop-agent: {THERE}", file=sys.stderr)
    if terminal is None:
        print("Use its window, or end it first.", file=sys.stderr)
        return
    print("Show its window? [Y/n] ", end="", file=sys.stderr, flush=True)
    if terminal.readline().strip().lower() in ("", "y", "yes"):
        print(WORDS[single_instance.ask(screen, "show")], file=sys.stderr)


def in_window(screen: str) -> None:
    """Say the same in a message window."""
    from desktop_agent.ui.shell.second_start_window import run_message  # Qt is loaded only for the window

    run_message(THERE, lambda: single_instance.ask(screen, "show"), WORDS)
