"""What is dragged with the pointer: windows, sliders, scroll bars, selections, shapes, elements."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from desktop_agent.extras.avis.simulation.drawing.pieces import ScreenPiece
from desktop_agent.extras.avis.simulation.expressions import as_text
from desktop_agent.extras.avis.simulation.rows import option_texts, table_rows, tree_rows
from desktop_agent.extras.avis.simulation.widget import Widget
from desktop_agent.protocol.geometry import Point, Rect

if TYPE_CHECKING:
    from desktop_agent.extras.avis.simulation.simulated_desktop import SimulatedDesktop

BEGINS = 4
"""Pixels that the pointer moves before a press becomes a drag."""


class PointerDrag:
    """A press that may become a drag. `words` are shown at the pointer while something is carried."""

    def __init__(self, widget: Widget, start: Point) -> None:
        self.widget, self.start = widget, start
        self.moved = False
        self.words = ""

    def move(self, desktop: SimulatedDesktop, to: Point) -> None:
        if not self.moved and max(abs(to.x - self.start.x), abs(to.y - self.start.y)) >= BEGINS:
            self.moved = True
        self._moved(desktop, to)

    def _moved(self, desktop: SimulatedDesktop, to: Point) -> None:
        """Follow the pointer."""

    def end(self, desktop: SimulatedDesktop, over: ScreenPiece | None) -> None:
        """Let go over a piece."""


class _WindowDrag(PointerDrag):
    def __init__(self, widget: Widget, start: Point, place: Rect) -> None:
        super().__init__(widget, start)
        self._place = place

    def _moved(self, desktop: SimulatedDesktop, to: Point) -> None:
        if self.moved:
            left, top = self._place.x + to.x - self.start.x, self._place.y + to.y - self.start.y
            screen = desktop.screen
            desktop.positions[self.widget.id] = (
                max(60 - self._place.width, min(screen.right - 60, left)),
                max(0, min(screen.bottom - 30, top)),
            )


class _SliderDrag(PointerDrag):
    def _moved(self, desktop: SimulatedDesktop, to: Point) -> None:
        widget, track = self.widget, desktop.layout.insides[self.widget.id]
        low, high, step = (
            float(widget.get(name, other)) for name, other in (("minimum", 0), ("maximum", 100), ("step", 1))
        )
        side = min(18, track.height)
        ratio = max(0.0, min(1.0, (to.x - track.x - side / 2) / max(1, track.width - side)))
        steps = round(ratio * (high - low) / step) if step > 0 else 0
        desktop.set_value(widget, tidy(min(high, low + steps * step)))


class _ThumbDrag(PointerDrag):
    def __init__(self, widget: Widget, start: Point) -> None:
        super().__init__(widget, start)
        self._scroll = widget.scroll

    def _moved(self, desktop: SimulatedDesktop, to: Point) -> None:
        inside, content = (
            desktop.layout.insides[self.widget.id],
            desktop.layout.contents.get(self.widget.id, 1),
        )
        wanted = self._scroll + (to.y - self.start.y) * content // max(1, inside.height)
        desktop.scroll_by(self.widget, wanted - self.widget.scroll)


class _TextDrag(PointerDrag):
    def _moved(self, desktop: SimulatedDesktop, to: Point) -> None:
        if self.moved:
            self.widget.caret = desktop.text_index(self.widget, to)


class _ShapeDrag(PointerDrag):
    def __init__(self, widget: Widget, start: Point, shape: dict[str, Any]) -> None:
        super().__init__(widget, start)
        self._shape, self._at = shape, list(shape.get("at", [0, 0]))

    def _moved(self, desktop: SimulatedDesktop, to: Point) -> None:
        if not self.moved:
            return
        place = desktop.layout.insides[self.widget.id]
        x, y = (to.x - self.start.x) / place.width, (to.y - self.start.y) / place.height
        moved = [round(self._at[0] + x, 4), round(self._at[1] + y, 4)]
        size = self._shape.get("size", [0.08, 0.08])
        self._shape["at"] = [max(0.0, min(1.0 - size[0], moved[0])), max(0.0, min(1.0 - size[1], moved[1]))]

    def end(self, desktop: SimulatedDesktop, over: ScreenPiece | None) -> None:
        desktop.log.note("drag", self.widget.id, "done", str(self._shape.get("id", "")))
        desktop.set_value(
            self.widget,
            self._shape.get("id"),
            again=True,
            drop={"element": self.widget.id, "value": self._shape.get("id"), "at": self._shape["at"]},
        )


class _Carry(PointerDrag):
    """An element, or a row of one, that is dropped on another."""

    def __init__(self, widget: Widget, start: Point, value: Any, words: str) -> None:
        super().__init__(widget, start)
        self._value, self._shown = value, words

    def _moved(self, desktop: SimulatedDesktop, to: Point) -> None:
        self.words = self._shown if self.moved else ""

    def end(self, desktop: SimulatedDesktop, over: ScreenPiece | None) -> None:
        onto = desktop.widgets.get(over.element) if over is not None else None
        for each in onto.ways_up() if onto is not None else ():
            if each.usable and "drop" in (each.get("on") or {}):
                desktop.log.note("drag", self.widget.id, "done", f"dropped on {each.id}")
                drop = {
                    "element": self.widget.id,
                    "value": self._value,
                    "on": _part_value(desktop, each, over),
                }
                desktop.fire(each, "drop", drop=drop, row=self._value)
                return
        desktop.log.note("drag", self.widget.id, "failed", "nothing there takes it")


def _part_value(desktop: SimulatedDesktop, widget: Widget, over: ScreenPiece | None) -> Any:
    """The value of the row that something was dropped on."""
    if (
        over is None
        or over.element != widget.id
        or over.part is None
        or over.part[0] not in ("row", "expander")
    ):
        return None
    return row_value(desktop, widget, int(over.part[1]))


def row_value(desktop: SimulatedDesktop, widget: Widget, index: int) -> Any:
    """What a row of a list, tree or table stands for."""
    match widget.type:
        case "tree":
            rows = tree_rows(widget)
            return rows[index][4] if index < len(rows) else None
        case "table":
            return next((record for number, record in table_rows(widget, desktop) if number == index), None)
    options = option_texts(widget, desktop)
    return options[index][0] if index < len(options) else None


def begin(desktop: SimulatedDesktop, widget: Widget, piece: ScreenPiece, at: Point) -> PointerDrag | None:
    """The drag that a press on this piece may become; None for none."""
    if piece.part == ("title_bar", 0):
        return _WindowDrag(widget, at, desktop.layout.places[widget.id])
    if piece.kind == "scroll_thumb":
        return _ThumbDrag(widget, at)
    if widget.type == "slider":
        return _SliderDrag(widget, at)
    if widget.kind.text and piece.kind != "scroll_bar":
        return _TextDrag(widget, at)
    if piece.kind == "shape" and piece.part is not None:
        shape = next(
            (each for each in widget.get("shapes", []) if str(each.get("id")) == piece.part[1]), None
        )
        return _ShapeDrag(widget, at, shape) if shape is not None and shape.get("draggable") else None
    carried = next((each for each in widget.ways_up() if each.get("draggable")), None)
    if carried is None:
        return None
    if piece.part is not None and piece.part[0] == "row":
        value = row_value(desktop, widget, int(piece.part[1]))
        words = as_text(next(iter(value.values()), "")) if isinstance(value, dict) else as_text(value)
        return _Carry(widget, at, value, piece.text or words)
    return _Carry(carried, at, carried.value, carried.label or as_text(carried.value))


def tidy(number: float) -> float | int:
    """Whole numbers as such."""
    number = round(number, 6)
    return int(number) if number == int(number) else number
