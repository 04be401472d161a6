"""The elements of a simulated desktop as a tree of accessibility tells them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from desktop_agent.extras.avis.simulation.drawing.pieces import ScreenPiece
from desktop_agent.extras.avis.simulation.expressions import as_text
from desktop_agent.extras.avis.simulation.simulated_desktop import SimulatedDesktop
from desktop_agent.extras.avis.simulation.widget import Widget
from desktop_agent.platforms.base import WindowInfo
from desktop_agent.protocol.geometry import Rect
from desktop_agent.vision.observation import Element

FIRST_PID = 5_000_000
"""Above every process id of a real system (Linux' highest is 4,194,304)."""
_PART_ROLES = {
    "list": "list item",
    "drop_down": "list item",
    "tree": "tree item",
    "tabs": "page tab",
    "table": "table cell",
    "canvas": "canvas",
}
_TOLD = frozenset(("row", "tab", "cell", "shape", "row_action", "column", "menu_item", "expander"))
_CONTENT = frozenset(
    (
        "label",
        "button",
        "link",
        "text_field",
        "text_area",
        "checkbox",
        "radio",
        "list",
        "drop_down",
        "slider",
        "progress",
        "tree",
        "table",
        "canvas",
        "menu",
    )
)


class Tree:
    """Tells the elements that show, in the order they are drawn. An element keeps its handle: its id, or that of its part."""

    def __init__(self, desktop: SimulatedDesktop) -> None:
        self._desktop = desktop
        self._ids: dict[str, str] = {}

    def elements(self) -> list[Element]:
        """All elements of which something shows, windows first, each with its part that is not covered by a window in front."""
        desktop = self._desktop
        shown = [each for each in desktop.windows if each.visible]
        found: list[Element] = []
        for depth, window in enumerate(reversed(shown)):
            covers = [desktop.layout.places[each.id] for each in shown[len(shown) - depth :]]
            found += self._of(window, covers, depth)
        return found

    def _id(self, handle: str) -> str:
        return self._ids.setdefault(handle, f"e{len(self._ids) + 1}")

    def _of(self, window: Widget, covers: list[Rect], depth: int) -> Iterator[Element]:
        desktop = self._desktop
        by_element: dict[str, list[ScreenPiece]] = {}
        for piece in desktop.layout.pieces:
            if piece.element and piece.kind in _TOLD:
                by_element.setdefault(piece.element, []).append(piece)
        for index, widget in enumerate(window.all()):
            if not widget.in_sight or widget.id not in desktop.layout.places:
                continue
            popup = (
                any(each.type in ("menu",) and each in desktop.opened for each in widget.ways_up())
                and widget.type == "menu_item"
            )
            if widget.type in ("window", "dialog"):
                if (
                    told := self._told(
                        widget,
                        widget.kind.role,
                        widget.label,
                        desktop.layout.shown(widget.id),
                        [],
                        covers,
                        (depth, index),
                    )
                ) is not None:
                    yield told
            elif widget.type in _CONTENT or (widget.type == "menu_item" and popup):
                yield from self._widget(widget, covers, (depth, index))
            for number, piece in enumerate(by_element.get(widget.id, ())):
                if (
                    piece.kind != "menu_item"
                    and (part := self._part(widget, piece, covers, (depth, index, number))) is not None
                ):
                    yield part

    def _widget(self, widget: Widget, covers: list[Rect], trail: tuple[int, ...]) -> Iterator[Element]:
        states = ["focused"] if widget is self._desktop.focus else []
        name, value, role = widget.label, "", widget.kind.role
        match widget.type:
            case "label":
                name = widget.label if widget.value is None else as_text(widget.value)
                role = {"heading": "heading", "error": "alert", "warning": "alert"}.get(
                    str(widget.get("style", "")), role
                )
                if not name:
                    return
            case "text_field" | "text_area":
                secret = bool(widget.get("is_secret"))
                role = "password text" if secret else role
                value = "" if secret else widget.value
                name = name or str(widget.get("placeholder", ""))
                states += [] if widget.get("is_read_only") else ["editable"]
                states += ["password"] if secret else []
                states += ["multiline"] if widget.type == "text_area" else []
            case "checkbox" | "radio":
                states += ["checked"] if widget.checked else []
            case "drop_down":
                value = self._chosen(widget)
                states += ["expandable", *(["expanded"] if widget in self._desktop.opened else [])]
            case "slider" | "progress":
                value = as_text(widget.value or 0)
            case "list":
                value = self._chosen(widget)
            case "menu":
                states += ["expandable", *(["expanded"] if widget in self._desktop.opened else [])]
        if widget.kind.focusable:
            states.append("focusable")
        told = self._told(
            widget, role, name, self._desktop.layout.shown(widget.id), states, covers, trail, value
        )
        if told is not None:
            yield told

    def _chosen(self, widget: Widget) -> str:
        from desktop_agent.extras.avis.simulation.rows import option_texts

        return next(
            (text for value, text in option_texts(widget, self._desktop) if value == widget.value), ""
        )

    def _part(
        self, widget: Widget, piece: ScreenPiece, covers: list[Rect], trail: tuple[int, ...]
    ) -> Element | None:
        role, name = _PART_ROLES.get(widget.type, "list item"), piece.text
        if (piece.kind == "row" and widget.type == "table") or piece.kind == "expander":
            return None
        states: list[str] = [state for state in ("selected", "expanded") if state in piece.states]
        if piece.kind == "row_action":
            role = "push button"
        elif piece.kind == "column":
            if not name:
                return None
            role = "table column header"
        elif widget.type == "tree" and self._expander(widget, piece) is not None:
            states += ["expandable", *(["expanded"] if self._expander(widget, piece) else [])]
        part = piece.part or ("", 0)
        handle = f"{widget.id}/{part[0]}/{part[1]}/{piece.rect.x if piece.kind in ('cell', 'column') else ''}"
        # What pops up is in front of every window.
        covers = [] if widget in self._desktop.opened else covers
        return self._told(widget, role, name, piece.shown, states, covers, trail, handle=handle)

    def _expander(self, widget: Widget, row: ScreenPiece) -> bool | None:
        for piece in self._desktop.layout.pieces:
            if (
                piece.kind == "expander"
                and piece.element == widget.id
                and piece.part
                and row.part
                and piece.part[1] == row.part[1]
            ):
                return "expanded" in piece.states
        return None

    def _told(
        self, widget: Widget, role: str, name: str, shown: Rect, states: list[str], covers: list[Rect],
        trail: tuple[int, ...], value: str = "", handle: str = "",
    ) -> Element | None:  # fmt: skip
        if widget.type == "menu_item":
            covers = []
        free = [shown]
        for cover in covers:
            free = [rest for piece in free for rest in piece.without(cover)]
        if not free or shown.empty:
            return None
        largest = max(free, key=lambda each: each.area)
        window = widget.window
        handle = handle or widget.id
        return Element(
            id=self._id(handle),
            role=role,
            name=name,
            bounds=largest,
            value=value,
            states=frozenset([*states, "showing", *(["enabled"] if widget.usable else [])]),
            window=window.label,
            application=application_of(window, self._desktop),
            pid=pid_of(self._desktop, window),
            whole=None if largest == shown else shown,
            trail=trail,
            handle=handle,
        )


def application_of(window: Widget, desktop: SimulatedDesktop) -> str:
    """The name of the program that a window belongs to; one that names none is that of the scene's first that does."""
    named = (each.get("application") for each in (window, *desktop.widgets.values()))
    return next((str(each) for each in named if each), "Simulated")


def pid_of(desktop: SimulatedDesktop, window: Widget) -> int:
    """A process id for the program of a window: the same for all its windows."""
    names = sorted({application_of(each, desktop) for each in desktop.windows})
    return FIRST_PID + names.index(application_of(window, desktop))


def windows(desktop: SimulatedDesktop) -> list[WindowInfo]:
    """The windows that show, the one in front first."""
    return [window_info(desktop, each) for each in reversed(desktop.windows) if each.visible]


def window_info(desktop: SimulatedDesktop, window: Widget) -> WindowInfo:
    """A window as targets tell of them."""
    application = application_of(window, desktop)
    place: Any = desktop.layout.places.get(window.id, Rect(0, 0, 0, 0))
    return WindowInfo(
        window.label, pid_of(desktop, window), application, place, application.lower().replace(" ", "-")
    )
