"""Checks the Windows desktop: whether it can be captured, and whether hand and guard start on it."""

from __future__ import annotations

from collections.abc import Sequence

from desktop_agent.doctor.check import Check
from desktop_agent.protocol.errors import DesktopAgentError


def checks() -> Sequence[Check]:
    """The desktop, and whether hand and guard start and end on it. Nothing is moved."""
    return [desktop(), hands()]


def desktop() -> Check:
    """Its monitors, and a picture of it."""
    from desktop_agent.targets._windows import WindowsScreen

    try:
        screen = WindowsScreen()
        screen.start()
        monitors = screen.geometry().monitors
        screen.observe()
        screen.stop()
    except DesktopAgentError as error:
        return Check("display", "broken", error.message, error.advice, needed=True)
    sizes = " + ".join(f"{each.width}x{each.height}" for each in monitors)
    return Check("display", "ok", f"{sizes}, can be captured", needed=True)


def hands() -> Check:
    """Hand and guard as a run would start them."""
    from desktop_agent.hand.client import Hands
    from desktop_agent.targets.base import Address

    hand = Hands(Address("local"), on_stop=lambda _: None)
    try:
        hand.start()
    except DesktopAgentError as error:
        return Check("hand", "broken", error.message, error.advice, needed=True)
    finally:
        hand.close()
    return Check("hand", "ok", "hand and guard start, and Esc is watched", needed=True)
