"""Asks before a call is carried out of which the model's provider warns.

Some providers check with every call of their own computer tool whether the screen led the model astray, and leave it
to the human whether it is done all the same.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

from desktop_agent.protocol.agent_events import ApprovalAsked, AskedRow
from desktop_agent.protocol.dialects.base import ToolCall
from desktop_agent.vision.elements.describe import one_line

WHY = "What the screen shows may have led the model astray. After a no nothing of it is done."
REFUSED = "The user said no, because the provider warned of it."
_WORDS = 500


def card(provider: str, call: ToolCall, operations: Sequence[str]) -> ApprovalAsked:
    """The question whether the call's operations (each in words) are done although the provider warns of them."""
    warnings = tuple(one_line(each, _WORDS) for each in call.warnings)
    return ApprovalAsked(
        id=hashlib.sha256("\n".join((provider, call.id, *warnings)).encode()).hexdigest(),
        words=f"Go on although {provider} warns of it: {'; '.join(warnings)}",
        exact=tuple(operations),
        window="",
        why=WHY,
        lasting=False,
        rows=tuple(AskedRow("Warning", each, "content") for each in warnings),
    )
