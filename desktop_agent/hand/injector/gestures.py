"""Operations as sequences of raw events: clicks, drags, combinations, text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import pairwise
from math import ceil, hypot
from typing import TypeAlias

import msgspec

from desktop_agent.protocol.geometry import Point
from desktop_agent.protocol.input_events import (
    Button,
    ButtonDown,
    ButtonUp,
    InputEvent,
    KeyDown,
    KeyUp,
    Move,
    Text,
    Wheel,
)
from desktop_agent.protocol.keys import is_modifier

CHUNK = 16
"""Characters that rate, bounds and guard are asked for at once. A stop does not wait for the end of them: the input looks for it in between."""
STRIDE = 12
MAX_STRIDES = 48
DRAG_PACE = 0.008
DRAG_HOLD = 0.04
_KEYS_IN_TEXT = {"\n": "enter", "\t": "tab"}


class Delay(msgspec.Struct, frozen=True):
    """Seconds to let pass between two events."""

    seconds: float


class NewClick(msgspec.Struct, frozen=True):
    """Delays the next press until it cannot make a double click with the press before it."""

    button: Button


Step: TypeAlias = InputEvent | Delay | NewClick


def press(keys: Iterable[str]) -> Iterator[Step]:
    return (KeyDown(key) for key in keys)


def release(keys: Iterable[str]) -> Iterator[Step]:
    """Key ups in reverse order."""
    return (KeyUp(key) for key in reversed(tuple(keys)))


def click(button: Button, count: int) -> Iterator[Step]:
    """`count` clicks where the pointer is, which belong together and to no click before."""
    yield NewClick(button)
    for _ in range(count):
        yield ButtonDown(button)
        yield ButtonUp(button)


def drag(path: Iterable[Point], button: Button) -> Iterator[Step]:
    """Press at the first point, move through the others, release at the last.

    Applications begin a drag only when they have seen the pointer move in small steps, so the way
    is filled with points, and there is a moment of rest at each end.
    """
    points = tuple(path)
    yield Move(points[0].x, points[0].y)
    yield NewClick(button)
    yield ButtonDown(button)
    yield Delay(DRAG_HOLD)
    for start, end in pairwise(points):
        yield from _stroke(start, end)
    yield Delay(DRAG_HOLD)
    yield ButtonUp(button)


def _stroke(start: Point, end: Point) -> Iterator[Step]:
    strides = min(MAX_STRIDES, max(1, ceil(hypot(end.x - start.x, end.y - start.y) / STRIDE)))
    for n in range(1, strides + 1):
        x = start.x + round((end.x - start.x) * n / strides)
        y = start.y + round((end.y - start.y) * n / strides)
        yield Move(x, y)
        yield Delay(DRAG_PACE)


def scroll(dx: int, dy: int) -> Iterator[Step]:
    """One notch an event, so that a stop comes between two notches."""
    for _ in range(abs(dy)):
        yield Wheel(0, 1 if dy > 0 else -1)
    for _ in range(abs(dx)):
        yield Wheel(1 if dx > 0 else -1, 0)


def combo(keys: Iterable[str]) -> tuple[str, ...]:
    """The order in which to press: modifiers first, then the rest, each as it was given."""
    keys = tuple(keys)
    return (*filter(is_modifier, keys), *(key for key in keys if not is_modifier(key)))


def text(words: str, delay: float) -> Iterator[Step]:
    """Chunks of text; line feed and tab are their keys. With a delay, one character a chunk."""
    for chunk in _chunks(words, 1 if delay else CHUNK):
        if chunk in _KEYS_IN_TEXT:
            yield KeyDown(_KEYS_IN_TEXT[chunk])
            yield KeyUp(_KEYS_IN_TEXT[chunk])
        else:
            yield Text(chunk)
        if delay:
            yield Delay(delay)


def characters(step: Step) -> int:
    """How many characters of a text this step of `text` brings."""
    match step:
        case Text(chunk):
            return len(chunk)
        case KeyDown():
            return 1
    return 0


def _chunks(words: str, size: int) -> Iterator[str]:
    chunk = ""
    for char in words:
        if chunk and (char in _KEYS_IN_TEXT or len(chunk) == size):
            yield chunk
            chunk = ""
        if char in _KEYS_IN_TEXT:
            yield char
        else:
            chunk += char
    if chunk:
        yield chunk
