"""What the command line said, understood."""

from __future__ import annotations

import msgspec

from desktop_agent.protocol.geometry import Rect


class Arguments(msgspec.Struct, frozen=True):
    """The command line, understood. None means: as the config says."""

    goal: str | None = None
    window: bool = True
    json: bool = False
    target: str | None = None
    model: str | None = None
    step: str | None = None
    permission: str | None = None
    region: Rect | None = None
    timeout: float | None = None
    max_steps: int | None = None
    config: str | None = None
