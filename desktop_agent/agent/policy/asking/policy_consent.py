"""Asks once whether a numeric policy may work a real screen: its ticks cannot be judged or asked about one by one."""

from __future__ import annotations

import hashlib

from desktop_agent.protocol.agent_events import ApprovalAsked, AskedRow
from desktop_agent.protocol.errors import Refused
from desktop_agent.protocol.permission import Level
from desktop_agent.targets.base import Target

EMBEDDED = "display"
"""The target whose screen is one of our own, with nothing of the user's on it."""


def is_needed(target: Target, level: Level) -> bool:
    """Must the user be asked before a policy works this target? Raises Refused where no yes is enough."""
    if target.harmless:
        return False
    if level == "simulation_only":
        raise Refused("This level only looks.", "Set permission = “restricted” for the embedded display.")
    if target.filmed:
        raise Refused("What a camera shows cannot be worked tick by tick.", "Choose another model.")
    if target.kind == EMBEDDED:
        return False
    if level != "full":
        raise Refused(
            f"A numeric policy presses thirty times a second, which nobody can judge: not in {target.title}.",
            "Use --target display, or --permission full and say yes.",
        )
    return True


def card(policy: str, place: str, picture: bytes) -> ApprovalAsked:
    """The question whether the policy may have mouse and keyboard of this place during this run."""
    return ApprovalAsked(
        id=hashlib.sha256(f"ticks\n{policy}\n{place}".encode()).hexdigest(),
        words=f"Let {policy} use mouse and keyboard without further questions, during this run",
        exact=(f"whatever {policy} presses in {place}",),
        window="",
        why="What such a policy presses is neither judged nor asked about; Esc stops it at any moment.",
        lasting=False,
        picture=picture,
        rows=(AskedRow("Works in", place),),
    )


def refused(policy: str) -> Refused:
    """What ends the run after a no."""
    return Refused(f"{policy} was not let to work here.", "Say yes, or use --target display.")
