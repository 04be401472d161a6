"""Questions of a start before it has a window: about settings that widen what may be done, and about the agent that is open on this screen already."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from functools import partial
from typing import TextIO

from desktop_agent.protocol.instance_request import InstanceRequest
from desktop_agent.startup import single_instance
from desktop_agent.startup.settings_confirmation import Ask
from desktop_agent.support.language import later

THERE = later("The agent is open on this screen already: two would fight over mouse and keyboard.")
WORDS: dict[str, str] = {
    "done": later("Its window has been shown."),
    "no window": later("It runs without a window: look at the terminal it was started in."),
    "no answer": later("It does not answer: end it, then start again."),
}


def ask_running_instance(screen: str, request: InstanceRequest) -> bool:
    """Ask the agent that is open there; says why when it cannot be done."""
    answer = single_instance.ask(screen, request)
    if answer != "done":
        print(f"desktop-agent: {WORDS[answer]}", file=sys.stderr)
    return answer == "done"


def offer_in_terminal(screen: str, terminal: TextIO | None) -> None:
    """Print that the agent is open; where somebody can answer at `terminal`, offer to show its window."""
    print(f"desktop-agent: {THERE}", file=sys.stderr)
    if terminal is None:
        print("Use its window, or end it first.", file=sys.stderr)
        return
    print("Show its window? [Y/n] ", end="", file=sys.stderr, flush=True)
    if terminal.readline().strip().lower() in ("", "y", "yes"):
        print(WORDS[single_instance.ask(screen, "show")], file=sys.stderr)


def offer_in_window(screen: str) -> None:
    """Say the same in a message window."""
    from desktop_agent.ui.shell.second_start_window import run_message  # Qt is loaded only for the window

    run_message(THERE, lambda: single_instance.ask(screen, "show"), WORDS)


def question_asker(windowed: bool, terminal: TextIO | None) -> Ask | None:
    """What asks at this start; None where nobody can answer."""
    if windowed:
        return question_in_window
    return partial(question_in_terminal, terminal) if terminal is not None else None


def question_in_terminal(terminal: TextIO, about: str, lines: Sequence[str]) -> bool:
    """Print the question and read the answer; anything but yes is a no."""
    listed = "".join(f"  {line}\n" for line in lines)
    sys.stderr.write(f"desktop-agent: {about}\n{listed}Use it? [y/N] ")
    sys.stderr.flush()
    return terminal.readline().strip().lower() in ("y", "yes")


def question_in_window(about: str, lines: Sequence[str]) -> bool:
    """Ask in a window of our own, and wait for the answer."""
    from desktop_agent.ui.shell.settings_question_window import (
        run_question,
    )  # Qt is loaded only for the window

    return run_question(about, lines)
