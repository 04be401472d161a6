"""What is missing on a system that the agent cannot work on yet: on macOS, say."""

from __future__ import annotations

from collections.abc import Sequence

from desktop_agent.doctor.check import Check
from desktop_agent.startup.installation.known_system import ADVICE, name

_PARTS = {
    "the screen": "taking pictures of it",
    "mouse and keyboard": "moving, clicking and typing",
    "Esc": "hearing it while another program has the keyboard",
    "elements": "reading the windows' elements",
}
"""What a system must have been taught, and nobody has for this one: all of it untested."""


def checks() -> Sequence[Check]:
    """One finding for each part, all needed."""
    return [
        Check(part, "missing", f"{what} is not built for {name()} yet", ADVICE, needed=True)
        for part, what in _PARTS.items()
    ]
