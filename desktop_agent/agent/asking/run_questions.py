"""Questions that a run asks of its own accord: before a camera's picture leaves, when the provider warns of a call, and whether a numeric policy may work a screen.

On a screen the accessibility tree tells where passwords and private windows are, and they are hidden before anything
leaves. A camera sees a room and a screen without a tree: only the user can tell what may be shown.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

from desktop_agent.policy.consent.asked_rows import rows_of_operation
from desktop_agent.policy.facts.op_text import exact
from desktop_agent.policy.facts.place import Place
from desktop_agent.protocol.agent_events import ApprovalAsked, AskedRow
from desktop_agent.protocol.dialects.base import ToolCall
from desktop_agent.protocol.errors import Refused, TargetError
from desktop_agent.protocol.geometry import Point
from desktop_agent.protocol.ops import Op
from desktop_agent.protocol.permission import Level
from desktop_agent.targets.base import Target
from desktop_agent.vision.elements.describe import one_line

CAMERA_WHY = "Nothing in a camera's picture can be hidden beforehand: neither passwords nor what lies beside the screen."


WARNING_WHY = "What the screen shows may have led the model astray. After a no nothing of it is done."
WARNING_REFUSED = "The user said no, because the provider warned of it."
_WORDS = 500


EMBEDDED = "display"
"""The target whose screen is one of our own, with nothing of the user's on it."""


def camera_card(server: str, picture: bytes) -> ApprovalAsked:
    """The question whether a picture like this (a JPEG), and those that follow in this run, may go to `server`."""
    return ApprovalAsked(
        id=hashlib.sha256(f"camera\n{server}".encode()).hexdigest(),
        words=f"Show what the camera sees to {server}, during this run",
        exact=(f"pictures of the camera to {server}",),
        window="",
        why=CAMERA_WHY,
        lasting=False,
        picture=picture,
        rows=(AskedRow("Goes to", server, "host"),),
    )


def camera_refused(server: str) -> TargetError:
    """What ends the run after a no."""
    return TargetError(
        f"The camera's picture was not shown to {server}.", "Say yes, or choose a model on this computer."
    )


# Some providers check with every call of their own computer tool whether the screen led the model astray, and leave it
# to the human whether it is done all the same.
def warning_card(
    provider: str, call: ToolCall, operations: Sequence[Op], points: Sequence[Point | None]
) -> ApprovalAsked:
    """The question whether the call's operations, which begin at `points`, are done although the provider warns of them."""
    warnings = tuple(one_line(each, _WORDS) for each in call.warnings)
    return ApprovalAsked(
        id=hashlib.sha256("\n".join((provider, call.id, *warnings)).encode()).hexdigest(),
        words=f"Go on although {provider} warns of it: {'; '.join(warnings)}",
        exact=tuple(exact(op, at) for op, at in zip(operations, points, strict=True)),
        window="",
        why=WARNING_WHY,
        lasting=False,
        rows=(
            *(AskedRow("Warning", each, "content") for each in warnings),
            *(
                row
                for op, at in zip(operations, points, strict=True)
                for row in rows_of_operation(op, at, Place())
            ),
        ),
    )


def policy_asks(target: Target, level: Level) -> bool:
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


def policy_card(policy: str, place: str, picture: bytes) -> ApprovalAsked:
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


def policy_refused(policy: str) -> Refused:
    """What ends the run after a no."""
    return Refused(f"{policy} was not let to work here.", "Say yes, or use --target display.")
