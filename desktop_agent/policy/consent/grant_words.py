"""Says in one sentence for people what a permission opens, and that its time is over."""

from __future__ import annotations

import math

from desktop_agent.protocol.permission import INPUT_KINDS, InputKind, Level, Rules

_DOES: dict[str, tuple[InputKind, ...]] = {
    "run commands": ("commands",),
    "open things": ("open",),
    "open things and run commands": (
        "open",
        "commands",
    ),
    "use the mouse": ("pointer",),
    "use the mouse and run commands": (
        "pointer",
        "commands",
    ),
    "use the mouse and open things": (
        "pointer",
        "open",
    ),
    "use the mouse, open things and run commands": (
        "pointer",
        "open",
        "commands",
    ),
    "use the keyboard": ("keyboard",),
    "use the keyboard and run commands": (
        "keyboard",
        "commands",
    ),
    "use the keyboard and open things": (
        "keyboard",
        "open",
    ),
    "use the keyboard, open things and run commands": (
        "keyboard",
        "open",
        "commands",
    ),
    "use mouse and keyboard": (
        "pointer",
        "keyboard",
    ),
    "use mouse and keyboard and run commands": (
        "pointer",
        "keyboard",
        "commands",
    ),
    "use mouse and keyboard and open things": (
        "pointer",
        "keyboard",
        "open",
    ),
    "use mouse and keyboard, open things and run commands": (
        "pointer",
        "keyboard",
        "open",
        "commands",
    ),
}
_ASKS: dict[Level, str] = {
    "restricted": "asking before what may do harm",
    "full": "asking only about texts that it read",
}


def opens(level: Level, limits: Rules, left: float | None) -> str:
    """What a permission opens, in one sentence. `left` are the seconds it has, None for the whole run."""
    if level == "simulation_only":
        return "The agent only looks and touches nothing."
    when = "For this run" if left is None else f"For {_length(left)}"
    does = next(words for words, kinds in _DOES.items() if set(kinds) == set(limits.inputs or INPUT_KINDS))
    asks, where = _ASKS[level], " / ".join(limits.applications)
    if where:
        return f"{when} the agent may {does} in {where} ({asks}); it asks before everything else."
    if limits.limited:
        return f"{when} the agent may {does} ({asks}); it asks before everything else."
    return f"{when} the agent may {does} ({asks})."


def is_over(limits: Rules) -> str:
    """That the time of a permission is over, and what that means."""
    length = _length(limits.minutes * 60)
    return f"The permission for {length} is over: from now on the agent asks before everything it does."


def _length(seconds: float) -> str:
    """As in `10 minutes`; whole minutes, rounded up, from two of them on."""
    if seconds == 60:
        return "one minute"
    return f"{math.ceil(seconds)} seconds" if seconds < 120 else f"{math.ceil(seconds / 60)} minutes"
