"""The record of one finding of the doctor, and the findings on a system that the agent cannot work on yet."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, TypeAlias

import msgspec

from desktop_agent.startup.installation.known_system import ADVICE, name

State: TypeAlias = Literal["ok", "missing", "broken"]


_PARTS = {
    "the screen": "taking pictures of it",
    "mouse and keyboard": "moving, clicking and typing",
    "Esc": "hearing it while another program has the keyboard",
    "elements": "reading the windows' elements",
}
"""What a system must have been taught, and nobody has for this one: all of it untested."""


class Check(msgspec.Struct, frozen=True):
    """One thing that was examined, and its state.

    `mend` says in one sentence what to do when it is not ok. The agent cannot work while a `needed` one is
    not ok; the others are optional.
    """

    name: str
    state: State
    detail: str
    mend: str = ""
    needed: bool = False


def checks() -> Sequence[Check]:
    """One finding for each part, all needed."""
    return [
        Check(part, "missing", f"{what} is not built for {name()} yet", ADVICE, needed=True)
        for part, what in _PARTS.items()
    ]
