"""Why nothing may be seen or pressed for now, as a set of reasons, and the words for them."""

from __future__ import annotations

from enum import IntFlag

from desktop_agent.protocol.errors import Off

GO_ON = "then press Resume"


class OffReason(IntFlag):
    """A set of reasons; empty while everything may be seen and pressed."""

    LOCKED = 1
    AWAY = 2
    SECURE = 4
    FULL_SCREEN = 8


_WORDS = {
    OffReason.LOCKED: ("the screen is locked", f"Unlock it, {GO_ON}."),
    OffReason.AWAY: ("this session is not the one in front of the screen", f"Come back to it, {GO_ON}."),
    OffReason.SECURE: (
        "the system itself asks for a permission or a password",
        f"Answer it yourself, {GO_ON}.",
    ),
    OffReason.FULL_SCREEN: (
        "something of yours fills the whole screen",
        "Leave the full screen, then press Resume; or press Resume to let me see it and work in it.",
    ),
}


def off_error(reasons: int) -> Off:
    """The error for a set of reasons that is not empty: its first reason in words, and what to do."""
    first = next(each for each in OffReason if each & reasons)
    what, advice = _WORDS[first]
    return Off(f"I neither look nor act: {what}.", advice)
