"""Turns the difference between two ticks of a policy into operations for the hand."""

from __future__ import annotations

from desktop_agent.extras.ticks.numeric_policy import Tick
from desktop_agent.protocol import keys, ops
from desktop_agent.protocol.keys import is_modifier
from desktop_agent.protocol.ops import Op

NOTHING_HELD = Tick(x=-1, y=-1)
"""Before the first tick, and after everything was let go: the pointer is wherever it is."""


def named(tick: Tick) -> Tick:
    """The tick with its keys by their usual names. Raises Refused for one that there is not."""
    return Tick(
        tick.x, tick.y, tick.buttons, frozenset(map(keys.canonical, tick.keys)), tick.value, tick.done
    )


def operations_between(before: Tick, now: Tick) -> tuple[Op, ...]:
    """Move first, then let go of what is not held any more, then press: modifiers before other keys, keys before buttons."""
    made: list[Op] = []
    if (now.x, now.y) != (before.x, before.y):
        made.append(ops.Move(now.x, now.y))
    made += (ops.MouseUp(button) for button in sorted(before.buttons - now.buttons))
    made += (ops.KeyUp(key) for key in _ordered(before.keys - now.keys, modifiers_last=True))
    made += (ops.KeyDown(key) for key in _ordered(now.keys - before.keys))
    made += (ops.MouseDown(button) for button in sorted(now.buttons - before.buttons))
    return tuple(made)


def _ordered(names: frozenset[str], *, modifiers_last: bool = False) -> list[str]:
    return sorted(names, key=lambda key: (is_modifier(key) == modifiers_last, key))
