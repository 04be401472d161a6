"""The agent minds the user's session: it pauses when that is locked or sleeps, and ends with it."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from desktop_agent.agent.session import AgentSession

if TYPE_CHECKING:
    from desktop_agent.platforms.windows.session_events import Change

ENDING_SECONDS = 4.0
"""Windows ends a program that takes five."""
PAUSES: dict[Change, str] = {
    "locked": "The screen was locked, so I wait. Unlock it, then press Resume.",
    "disconnected": "The remote session was disconnected, so I wait. Connect again, then press Resume.",
    "asleep": "The computer went to sleep, so I wait. Press Resume when you want me to go on.",
}
ENDING = "your session ends"


@contextmanager
def attended(agent: AgentSession) -> Iterator[None]:
    """While it lasts the agent heeds what the system says of the session; elsewhere signals say it."""
    if sys.platform != "win32":
        yield
        return
    from desktop_agent.platforms.windows.session_events import SessionEvents

    events = SessionEvents(lambda change: heed(agent, change))
    events.start()
    try:
        yield
    finally:
        events.close()


def heed(agent: AgentSession, change: Change) -> None:
    """Pause, or end: then the run is stopped, what is held let go and the log closed before this returns."""
    if change == "ending":
        agent.stop(ENDING)
        agent.quit()
        agent.over.wait(ENDING_SECONDS)
    else:
        agent.pause_because(PAUSES[change])
