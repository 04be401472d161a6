"""Tells what has changed at a place between a yes and the moment of sending: what the yes rested on."""

from __future__ import annotations

import re
from collections.abc import Iterator

from desktop_agent.agent.policy.key_effects import presses_enter
from desktop_agent.agent.policy.place import Place, is_address_bar
from desktop_agent.protocol.ops import Op

# What a title says beside the name of what the window shows: unread messages, unsaved changes.
_COUNTERS = re.compile(r"\A[(\[]\d+[+)\]]*\s*|[*●•]+\s*|\s*[*●•]+\Z")
_STATES = frozenset(("checked", "pressed", "password", "indeterminate"))
_LAST_LINES = 6
"""Lines at the end of a terminal's text that are compared: the prompt, and the question above it."""
_SCHEME = re.compile(r"\A[a-z][a-z0-9+.-]*://|/\Z")
_LONG = 200


def changes(op: Op, then: Place, now: Place) -> str:
    """What is not as it was for `op`, in words: `the page is now “https://b.example”, it was “…”`; "" for nothing.

    Compared are the process and program, the origin, the element (its role, name, value and state, where a link leads), what the
    dialog or the prompt asks, the label at a point, and for Enter the buttons it may press; the window's title
    too, but for a page, which changes it at will and is told by its origin.
    """
    return "; ".join(_changes(op, then, now))


def _changes(op: Op, then: Place, now: Place) -> Iterator[str]:
    before, after = (then.program or then.application, now.program or now.application)
    if (then.known, then.pid, before) != (now.known, now.pid, after):
        yield (
            _now("the program", after, before) if before != after else "it is another window of that program"
        )
        return
    if (then.origin, then.in_page) != (now.origin, now.in_page):
        yield _now("the page", now.origin, then.origin)
    if not then.origin and _title(then) != _title(now):
        yield _now("the window", now.window, then.window)
    if (then.role, then.name) != (now.role, now.name):
        yield _now("what it would reach", _element(now), _element(then))
    elif then.states & _STATES != now.states & _STATES:
        yield _now(
            "its state", " ".join(sorted(now.states & _STATES)), " ".join(sorted(then.states & _STATES))
        )
    if then.leads_to != now.leads_to:
        yield _now("where the link leads", now.leads_to, then.leads_to)
    if _path(then) != _path(now):
        yield _now("the file", _path(now), _path(then))
    if _value(then) != _value(now):
        yield _now("what stands there", _end(_value(now)), _end(_value(then)))
    yield from _texts_around(op, then, now)


def _texts_around(op: Op, then: Place, now: Place) -> Iterator[str]:
    if then.dialog[1:] != now.dialog[1:]:  # its title comes first, and was compared
        yield _now("the text around it", *_differing(now.dialog, then.dialog))
    elif set(then.nearby) != set(now.nearby):
        yield _now("the text beside it", *_differing(now.nearby, then.nearby))
    if op.traits.pointer and then.words != now.words:
        yield _now("the label", *_differing(now.words, then.words))
    if presses_enter(op) and set(then.buttons) != set(now.buttons):
        yield _now("the buttons beside it", *_differing(now.buttons, then.buttons))


def _now(what: str, now: str, then: str) -> str:
    return f"{what} is now {_quoted(now)}, it was {_quoted(then)}"


def _quoted(text: str) -> str:
    flat = " ".join(text.split())
    return f"“{flat[:_LONG]}{'…' if len(flat) > _LONG else ''}”" if flat else "empty"


def _differing(now: tuple[str, ...], then: tuple[str, ...]) -> tuple[str, str]:
    """The entries that only one of both has; all of them when only their order differs."""
    new = [each for each in now if each not in then]
    gone = [each for each in then if each not in now]
    return (" ".join(new), " ".join(gone)) if new or gone else (" ".join(now), " ".join(then))


def _path(place: Place) -> str:
    return f"{place.file.action} {place.file.path}" if place.file is not None else ""


def _element(place: Place) -> str:
    return f"{place.role} {place.name}".strip()


def _title(place: Place) -> str:
    return _COUNTERS.sub("", place.window)


def _value(place: Place) -> str:
    """What the element holds: of a terminal its last lines, of an address bar what it shows with and without focus."""
    if place.role == "terminal":
        return "\n".join([line for line in place.value.splitlines() if line.strip()][-_LAST_LINES:])
    return _SCHEME.sub("", place.value) if is_address_bar(place) else place.value


def _end(text: str) -> str:
    return text if len(text) <= _LONG else f"…{text[-_LONG:]}"
