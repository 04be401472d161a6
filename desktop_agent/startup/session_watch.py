"""Pauses the agent when the user's session is locked, disconnected or asleep, and stops it when the session ends."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from desktop_agent.agent.session import AgentSession
from desktop_agent.support.operating_system import WINDOWS

if TYPE_CHECKING:
    from desktop_agent.platforms.windows.session_events import Change

ENDING_SECONDS = 4.0
"""What stopping may take: Windows kills a program after five seconds."""
PAUSES: dict[Change, str] = {
    "locked": "The screen was locked, so I wait. Unlock it, then press Resume.",
    "disconnected": "The remote session was disconnected, so I wait. Connect again, then press Resume.",
    "asleep": "The computer went to sleep, so I wait. Press Resume when you want me to go on.",
}
ENDING = "your session ends"


@contextmanager
def session_watched(agent: AgentSession) -> Iterator[None]:
    """While it lasts the agent reacts to changes of the Windows session; other systems send signals instead."""
    if not WINDOWS:
        yield
        return
    from desktop_agent.platforms.windows.session_events import SessionEvents

    events = SessionEvents(lambda change: react(agent, change))
    events.start()
    try:
        yield
    finally:
        events.close()


def react(agent: AgentSession, change: Change) -> None:
    """Pause the run, or end it: then what is held is released and the log closed before this returns."""
    if change == "ending":
        agent.stop(ENDING)
        agent.quit()
        agent.over.wait(ENDING_SECONDS)
    else:
        agent.pause_because(PAUSES[change])
