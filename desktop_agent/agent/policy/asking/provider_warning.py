"""Asks before a call is carried out of which the model's provider warns.

Some providers check with every call of their own computer tool whether the screen led the model astray, and leave it
to the human whether it is done all the same.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

from desktop_agent.agent.op_text import exact
from desktop_agent.agent.policy.asking.asked_rows import rows_of_operation
from desktop_agent.agent.policy.place import Place
from desktop_agent.protocol.agent_events import ApprovalAsked, AskedRow
from desktop_agent.protocol.dialects.base import ToolCall
from desktop_agent.protocol.geometry import Point
from desktop_agent.protocol.ops import Op
from desktop_agent.vision.elements.describe import one_line

WHY = "What the screen shows may have led the model astray. After a no nothing of it is done."
REFUSED = "The user said no, because the provider warned of it."
_WORDS = 500


def card(
    provider: str, call: ToolCall, operations: Sequence[Op], points: Sequence[Point | None]
) -> ApprovalAsked:
    """The question whether the call's operations, which begin at `points`, are done although the provider warns of them."""
    warnings = tuple(one_line(each, _WORDS) for each in call.warnings)
    return ApprovalAsked(
        id=hashlib.sha256("\n".join((provider, call.id, *warnings)).encode()).hexdigest(),
        words=f"Go on although {provider} warns of it: {'; '.join(warnings)}",
        exact=tuple(exact(op, at) for op, at in zip(operations, points, strict=True)),
        window="",
        why=WHY,
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
