"""Parts of computer actions as operations: points, keys, modifiers held meanwhile, waits. Nothing is guessed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from desktop_agent.protocol import keys
from desktop_agent.protocol.dialects._tool_calls import Operation, Unusable
from desktop_agent.protocol.errors import Refused
from desktop_agent.protocol.reply import short

LONGEST_WAIT = 30
MAX_SECONDS = 300
MAX_REPEATS = 50


def known_fields(given: Mapping[str, Any], known: Iterable[str]) -> dict[str, Any]:
    """What is given and not null. Raises Unusable for a field that is not known: it may change what is meant."""
    unknown = sorted(set(given) - set(known))
    if unknown:
        raise Unusable(f"unknown field {short(unknown[0])}")
    return {name: value for name, value in given.items() if value is not None}


def integer(value: object, name: str, least: int, most: int) -> int:
    """A whole number within bounds. Raises Unusable."""
    if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
        raise Unusable(f"{name}: expected a whole number from {least} to {most}")
    return value


def seconds(value: object, name: str) -> float:
    """A time within bounds. Raises Unusable."""
    if not isinstance(value, int | float) or isinstance(value, bool) or not 0 <= value <= MAX_SECONDS:
        raise Unusable(f"{name}: expected seconds from 0 to {MAX_SECONDS}")
    return float(value)


def text(value: object, name: str) -> str:
    """A text that is not empty. Raises Unusable."""
    if not isinstance(value, str) or not value:
        raise Unusable(f"{name}: expected a text")
    return value


def point(value: object, name: str) -> Operation:
    """`[x, y]` as fields of an operation. Raises Unusable."""
    x, y = numbers(value, name, 2)
    return {"x": x, "y": y}


def numbers(value: object, name: str, count: int) -> list[int]:
    """So many pixels. Raises Unusable."""
    if not isinstance(value, list) or len(value) != count:
        raise Unusable(f"{name}: expected {count} whole numbers")
    return [integer(each, name, 0, 65_535) for each in value]


def combination(names: Sequence[str]) -> list[str]:
    """Keys that are pressed together, by their canonical names (see `keys.together`).

    Raises Unusable for an unknown key, and for one that is named twice: that is no combination.
    """
    if not all(isinstance(name, str) and name for name in names):
        raise Unusable("a key has no name")
    try:
        found = list(keys.together(names))
    except Refused as error:
        raise Unusable(str(error)) from error
    if not found or len(set(found)) != len(found):
        raise Unusable("expected a key, or different keys that are pressed together")
    return found


def plus_joined(combo: str) -> list[str]:
    """The names in a combination like `ctrl+s`; a plus sign at its end is the key."""
    if combo.endswith("+"):
        before = combo[:-1]
        return [*(before[:-1].split("+") if before.endswith("+") else ()), "+"] if before != "" else ["+"]
    return combo.split("+")


def modifiers(names: Sequence[str]) -> list[str]:
    """Modifiers by their canonical names. Raises Unusable for any other key."""
    found = combination(names) if names else []
    for each in found:
        if not keys.is_modifier(each):
            raise Unusable(f"{each} is no modifier")
    return found


def while_held(held: Sequence[str], operations: Sequence[Operation]) -> list[Operation]:
    """The operations with keys pressed before them and released after them."""
    down = [{"op": "key_down", "key": key} for key in held]
    up = [{"op": "key_up", "key": key} for key in reversed(held)]
    return [*down, *operations, *up]


def waits(duration: float) -> list[Operation]:
    """Waiting so many seconds, in parts that an operation allows."""
    parts = [LONGEST_WAIT] * int(duration // LONGEST_WAIT)
    rest = duration - LONGEST_WAIT * len(parts)
    return [{"op": "wait", "seconds": each} for each in (*parts, *((rest,) if rest or not parts else ()))]
