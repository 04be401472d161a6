"""A model's reply: decoded strictly, or refused with the list of every error and its path."""

from __future__ import annotations

from typing import Annotated

import msgspec

from desktop_agent.protocol.ops import Op

MAX_REPLY_BYTES = 1_000_000
MAX_ACTIONS = 16
MAX_STEPS = 20


class Reply(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a model says in one turn: words for the user, the plan, and a short batch of operations."""

    notes: Annotated[str, msgspec.Meta(max_length=4_000)] = ""
    high_level: Annotated[
        tuple[Annotated[str, msgspec.Meta(min_length=1, max_length=300)], ...],
        msgspec.Meta(max_length=MAX_STEPS),
    ] = ()
    actions: Annotated[tuple[Op, ...], msgspec.Meta(max_length=MAX_ACTIONS)] = ()
    step: Annotated[int, msgspec.Meta(ge=1, le=MAX_STEPS)] | None = None
