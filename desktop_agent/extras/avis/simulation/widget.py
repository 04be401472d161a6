"""An element of a simulated desktop as it is now."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from typing import Any

from desktop_agent.extras.avis.simulation.element_types import ELEMENT_TYPES, ElementTraits
from desktop_agent.extras.avis.simulation.scene_file import ElementDescription


class Widget:
    """The changing state of one element. `caret` and `anchor` are places in its text; `scroll` is in pixels."""

    def __init__(self, description: ElementDescription, parent: Widget | None = None) -> None:
        self.id = description.element_id
        self.type: str = description.element_type
        self.label = description.label_text or ""
        self.value: Any = copy.deepcopy(description.value)
        self.enabled = description.is_enabled is not False
        self.visible = description.is_visible is not False
        self.bounds_relative = description.bounds_relative
        self.attributes: dict[str, Any] = copy.deepcopy(description.attributes or {})
        self.parent = parent
        self.children = [Widget(each, self) for each in description.children or ()]
        self.caret = self.anchor = 0
        self.scroll = 0
        self.undo: list[tuple[str, int]] = []
        if self.kind.text:
            self.value = "" if self.value is None else str(self.value)
        if self.type == "tabs" and self.value is None and self.children:
            self.value = self.children[0].id

    @property
    def kind(self) -> ElementTraits:
        return ELEMENT_TYPES[self.type]

    def get(self, name: str, default: Any = None) -> Any:
        """An attribute."""
        return self.attributes.get(name, default)

    @property
    def checked(self) -> bool:
        return bool(self.get("is_checked", False))

    @property
    def window(self) -> Widget:
        """The window or dialog that it stands in, itself for those."""
        each = self
        while each.parent is not None:
            each = each.parent
        return each

    def all(self) -> Iterator[Widget]:
        """It and everything in it, parents first."""
        yield self
        for each in self.children:
            yield from each.all()

    def ways_up(self) -> Iterator[Widget]:
        """It and everything around it."""
        each: Widget | None = self
        while each is not None:
            yield each
            each = each.parent

    @property
    def usable(self) -> bool:
        """Is it, and all it stands in, enabled?"""
        return all(each.enabled for each in self.ways_up())

    @property
    def in_sight(self) -> bool:
        """Is it, and all it stands in, visible? Also of tabs the one in front."""
        return all(each.visible and not each.behind_tab for each in self.ways_up())

    @property
    def behind_tab(self) -> bool:
        """Is it a panel of tabs of which another is in front?"""
        return self.parent is not None and self.parent.type == "tabs" and self.parent.value != self.id

    def read(self, name: str) -> Any:
        """Its value (""), or what an attribute or property with this name is."""
        known = {
            "": self.value, "value": self.value, "label_text": self.label, "is_enabled": self.enabled,
            "is_visible": self.visible, "is_checked": self.checked,
        }  # fmt: skip
        return known[name] if name in known else self.attributes.get(name)

    def write(self, name: str, to: Any) -> bool:
        """Set its value ("") or another property; True when that changed something."""
        if self.read(name) == to and type(self.read(name)) is type(to):
            return False
        match name:
            case "" | "value":
                self.value = str("" if to is None else to) if self.kind.text else to
                self.caret = self.anchor = len(self.value) if self.kind.text else 0
            case "label_text":
                self.label = str(to)
            case "is_enabled":
                self.enabled = bool(to)
            case "is_visible":
                self.visible = bool(to)
            case _:
                self.attributes[name] = to
        return True

    # ---- choices ----

    @property
    def selection(self) -> tuple[int, int]:
        """Where its selected text begins and ends."""
        return min(self.caret, self.anchor), max(self.caret, self.anchor)


def described_as(
    widget: Widget, focus: Widget | None, bounds: tuple[float, float, float, float] | None
) -> dict[str, Any]:
    """The element with these bounds as the commissioned document describes one; what it gives can be loaded again."""
    told: dict[str, Any] = {
        "element_id": widget.id,
        "element_type": widget.type,
        "label_text": widget.label,
        "value": copy.deepcopy(widget.value),
        "is_enabled": widget.enabled,
        "is_focused": widget is focus,
        "is_visible": widget.visible,
        "bounds_relative": None if bounds is None else list(bounds),
        "attributes": copy.deepcopy(widget.attributes),
    }
    if widget.children:
        told["children"] = [described_as(each, focus, each.bounds_relative) for each in widget.children]
    return told
