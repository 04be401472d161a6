"""Tells whether an operation lies beyond the limits of what the permission opens. A pure function."""

from __future__ import annotations

from fnmatch import fnmatchcase

from desktop_agent.agent.policy.confusables import fold
from desktop_agent.agent.policy.place import Place
from desktop_agent.protocol.op_traits import Traits
from desktop_agent.protocol.ops import Op
from desktop_agent.protocol.permission import GrantLimits, InputKind

SINK = "beyond the grant"
_ONCE = "Your yes is for this alone; the settings, or --for, --in and --with, give more."
_NAMES: dict[InputKind, str] = {
    "pointer": "the mouse",
    "keyboard": "the keyboard",
    "open": "opening things",
    "commands": "commands and changes of files",
}


def kind_of_input(traits: Traits) -> InputKind | None:
    """What kind of input such an operation gives; None for one that only looks, waits or reads."""
    if traits.opens:
        return "open"
    if traits.keyboard:
        return "keyboard"
    if traits.pointer:
        return "pointer"
    return "commands" if traits.sink else None


def beyond(op: Op, place: Place, limits: GrantLimits, *, over: bool) -> str:
    """Why the permission does not cover `op` at `place`, with what the user can do; "" where it does.

    `over`: its time is over.
    """
    kind = kind_of_input(op.traits)
    if kind is None:
        return ""
    if over and limits.minutes:
        return f"The time of your permission is over. {_ONCE}"
    if limits.inputs and kind not in limits.inputs:
        return f"Your permission does not cover {_NAMES[kind]}. {_ONCE}"
    if limits.applications and not op.traits.crosses_applications and not _is_in(limits.applications, place):
        where = place.application or place.program or place.name or "this place"
        return f"Your permission does not cover {where}. {_ONCE}"
    return ""


def _is_in(patterns: tuple[str, ...], place: Place) -> bool:
    """Never by the name of what is opened: a file may be called like an application."""
    names = filter(None, (place.application, place.program))
    return any(fnmatchcase(fold(name), fold(pattern)) for name in names for pattern in patterns)
