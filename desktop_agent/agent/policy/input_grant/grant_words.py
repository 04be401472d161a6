"""Says in one sentence for people what a permission opens, and that its time is over."""

from __future__ import annotations

import math

from desktop_agent.protocol.permission import INPUT_KINDS, GrantLimits, InputKind, Level

_MOUSE: dict[frozenset[InputKind], str] = {
    frozenset(("pointer",)): "use the mouse",
    frozenset(("keyboard",)): "use the keyboard",
    frozenset(("pointer", "keyboard")): "use mouse and keyboard",
}
_ASKS: dict[Level, str] = {
    "restricted": "asking before what may do harm",
    "full": "asking only about texts that it read",
}


def opens(level: Level, limits: GrantLimits, left: float | None) -> str:
    """What a permission opens, in one sentence. `left` are the seconds it has, None for the whole run."""
    if level == "simulation_only":
        return "The agent only looks and touches nothing."
    when = "For this run" if left is None else f"For {_length(left)}"
    where = f" in {' / '.join(limits.applications)}" if limits.applications else ""
    words = f"{when} the agent may {_what(limits)}{where} ({_ASKS[level]})"
    return f"{words}; it asks before everything else." if limits.limited else f"{words}."


def is_over(limits: GrantLimits) -> str:
    """That the time of a permission is over, and what that means."""
    length = _length(limits.minutes * 60)
    return f"The permission for {length} is over: from now on the agent asks before everything it does."


def _what(limits: GrantLimits) -> str:
    kinds = frozenset(limits.inputs or INPUT_KINDS)
    parts = [
        _MOUSE.get(kinds & {"pointer", "keyboard"}, ""),
        "open things" * ("open" in kinds),
        "run commands" * ("commands" in kinds),
    ]
    *first, last = filter(None, parts)
    return f"{', '.join(first)} and {last}" if first else last


def _length(seconds: float) -> str:
    """As in `10 minutes`; whole minutes, rounded up, from two of them on."""
    if seconds == 60:
        return "one minute"
    return f"{math.ceil(seconds)} seconds" if seconds < 120 else f"{math.ceil(seconds / 60)} minutes"
