"""What an element's states say."""

from __future__ import annotations

from desktop_agent.vision.observation import Element


def is_on(element: Element) -> bool:
    """Is it ticked, pressed, or, in a list, selected?"""
    return bool(element.states & {"checked", "pressed"}) or (
        element.role in ("list item", "page tab") and "selected" in element.states
    )
