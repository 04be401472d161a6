"""`doctor --deep`: checks that take mouse and keyboard of the desktop for about half a minute."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from typing import TextIO

from desktop_agent.doctor.check import Check
from desktop_agent.doctor.deep import input_checks, place_checks, vision_checks
from desktop_agent.doctor.deep.fixture import Bench, set_up
from desktop_agent.protocol.errors import DesktopAgentError
from desktop_agent.startup import windows_console
from desktop_agent.targets import local

ASK = (
    "This takes mouse and keyboard for about half a minute: a window opens, text is typed into it, the\n"
    "pointer goes to the corners of every monitor, and Esc is pressed. Leave both alone meanwhile.\n"
    "Begin?"
)
NOBODY = "Nobody is here to say yes: add --yes to let it take mouse and keyboard."


def agreed(terminal: TextIO | None) -> bool:
    """Whether the user agrees, asked at the terminal or in a message box; False where nobody can be asked."""
    if terminal is None:
        answer = windows_console.ask_yes_no(ASK)
        if answer is None:
            print(NOBODY, file=sys.stderr)
        return bool(answer)
    print(f"{ASK} [y/N] ", end="", file=sys.stderr, flush=True)
    return terminal.readline().strip().lower() in ("y", "yes")


def checks() -> Sequence[Check]:
    """Every finding; the checks end where the desktop or the hand cannot be used."""
    return list(_checks())


def _checks() -> Iterator[Check]:
    try:
        target = local.create(local.Options())
        target.start()
    except DesktopAgentError as error:
        yield Check("this desktop", "broken", error.message, error.advice, needed=True)
        return
    yield from _tried("rights", lambda: [place_checks.rights(target)])
    target.stop()
    yield from _tried("key store entry", lambda: [place_checks.key_store()])
    try:
        with set_up() as bench:
            yield from _worked(bench)
    except DesktopAgentError as error:
        yield Check("hand and window", "broken", error.message, error.advice, needed=True)


def _worked(bench: Bench) -> Iterator[Check]:
    yield from _tried("elements", lambda: [vision_checks.elements(bench)])
    yield from _tried("own windows", lambda: [vision_checks.capture(bench)])
    yield from _tried("monitors", lambda: place_checks.monitors(bench))
    yield from _tried("typing", lambda: [input_checks.typing(bench)])
    yield from _tried("Esc", lambda: input_checks.escape(bench))
    yield from _tried("hand killed", lambda: [input_checks.release(bench)])


def _tried(name: str, part: Callable[[], Sequence[Check]]) -> Sequence[Check]:
    """The findings of one part; an error in it becomes a finding, so that the others are still tried."""
    try:
        return part()
    except DesktopAgentError as error:
        return [Check(name, "broken", error.message, error.advice, needed=True)]
