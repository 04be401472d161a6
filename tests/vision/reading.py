"""Helpers of tests that read elements: a reader on a desk, finding an element by role and name."""

from __future__ import annotations

from collections.abc import Sequence

from desktop_agent.protocol.input_events import ButtonDown, ButtonUp, Move
from desktop_agent.protocol.stop_flag import StopFlag
from desktop_agent.targets import display as embedded
from desktop_agent.vision.elements.reader import ElementReader
from desktop_agent.vision.observation import Element
from desktop_agent.vision.settling.polling import settle_by_polling
from tests.desk import Desk, until


def find(elements: Sequence[Element], role: str, name: str | None = None) -> Element | None:
    """The first element of that role and, when given, name."""
    return next((e for e in elements if e.role == role and name in (None, e.name)), None)


def get(elements: Sequence[Element], role: str, name: str | None = None) -> Element:
    """The same, but it must be there."""
    element = find(elements, role, name)
    assert element is not None, f"no {role} {name!r} among {[(e.role, e.name) for e in elements]}"
    return element


def whole(reader: ElementReader, desk: Desk | None = None) -> tuple[Element, ...]:
    """Elements, with a desk those visible on it, of a read in which everybody answered: a busy machine makes some late."""

    def heard() -> tuple[Element, ...]:
        elements = reader.read(desk.target.windows() if desk else None)
        return () if reader.silent else elements

    return until(heard, "a read in which everybody answers")


def wait_for(desk: Desk, reader: ElementReader, role: str, name: str | None = None) -> Element:
    """The element, as soon as the reader finds it in what is visible on the desk."""
    return until(lambda: find(reader.read(desk.target.windows()), role, name), f"a {role} {name!r}")


def wait_until_quiet(desk: Desk) -> None:
    """Until nothing moves on the desk any more: a new window lays itself out more than once."""
    settle_by_polling(desk.target.observe, desk.target.observe(), StopFlag())


def wait_for_state(
    desk: Desk, reader: ElementReader, state: str, role: str, name: str | None = None
) -> Element:
    """The element, as soon as it has the state."""

    def element() -> Element | None:
        found = find(reader.read(desk.target.windows()), role, name)
        return found if found and state in found.states else None

    return until(element, f"a {state} {role} {name!r}")


def wait_until_gone(desk: Desk, reader: ElementReader, role: str, name: str) -> None:
    until(lambda: find(reader.read(desk.target.windows()), role, name) is None, f"no more {role} {name!r}")


def click(desk: Desk, element: Element) -> None:
    """A real click in the middle of the element."""
    hand = embedded.attach(desk.target.address())
    try:
        middle = element.bounds.center
        for event in (Move(middle.x, middle.y), ButtonDown("left"), ButtonUp("left")):
            hand.emit(event)
    finally:
        hand.close()
