"""What the agent that is open on a screen can be asked from outside, by its own user."""

from __future__ import annotations

from typing import Literal, TypeAlias, get_args

InstanceRequest: TypeAlias = Literal["show", "history", "settings", "stop"]
REQUESTS: tuple[InstanceRequest, ...] = get_args(InstanceRequest)
