"""Asks before the first picture of a camera goes to a model on another computer.

On a screen the accessibility tree tells where passwords and private windows are, and they are hidden before anything
leaves. A camera sees a room and a screen without a tree: only the user can tell what may be shown.
"""

from __future__ import annotations

import hashlib

from desktop_agent.protocol.agent_events import ApprovalAsked, AskedRow
from desktop_agent.protocol.errors import TargetError

WHY = "Nothing in a camera's picture can be hidden beforehand: neither passwords nor what lies beside the screen."


def card(server: str, picture: bytes) -> ApprovalAsked:
    """The question whether a picture like this (a JPEG), and those that follow in this run, may go to `server`."""
    return ApprovalAsked(
        id=hashlib.sha256(f"camera\n{server}".encode()).hexdigest(),
        words=f"Show what the camera sees to {server}, during this run",
        exact=(f"pictures of the camera to {server}",),
        window="",
        why=WHY,
        lasting=False,
        picture=picture,
        rows=(AskedRow("Goes to", server, "host"),),
    )


def refused(server: str) -> TargetError:
    """What ends the run after a no."""
    return TargetError(
        f"The camera's picture was not shown to {server}.", "Say yes, or choose a model on this computer."
    )
