"""Where everything on a simulated desktop is: windows and elements laid out as pieces."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from desktop_agent.extras.avis.simulation.drawing.fonts import Typeface
from desktop_agent.extras.avis.simulation.drawing.pieces import Kind, ScreenPiece
from desktop_agent.extras.avis.simulation.drawing.scene_theme import SceneTheme
from desktop_agent.extras.avis.simulation.expressions import as_text
from desktop_agent.extras.avis.simulation.rows import Records, option_texts, table_rows, tree_rows
from desktop_agent.extras.avis.simulation.widget import Widget
from desktop_agent.protocol.geometry import Point, Rect

BAR = 14
"""Width of a scroll bar."""
_FIELDS = frozenset(
    ("text_field", "text_area", "list", "drop_down", "slider", "table", "tree", "progress", "canvas")
)
"""Types that show their own label above themselves."""
_STRETCH = frozenset(
    ("text_field", "text_area", "list", "drop_down", "slider", "table", "tree", "progress", "panel", "tabs", "separator", "canvas", "menu_bar")
)  # fmt: skip
"""Types that take the whole width of a column, and share that of a row."""
_TALL = frozenset(("list", "table", "tree", "text_area", "canvas", "panel", "tabs"))
"""Types that begin at the top of a row."""
_BESIDE = frozenset(("label", "checkbox", "radio", "link", "progress"))
"""Types that stand at the middle of the controls beside them."""
DOT = "•"
"""What stands for each character of a secret."""


@dataclass
class DesktopView:
    """What the layout needs to know besides the widgets: focus, hover, what is pressed, open or dragged."""

    windows: Sequence[Widget]
    records: Records
    theme: SceneTheme
    screen: Rect
    pointer: Point
    focus: Widget | None = None
    front: Widget | None = None
    hovered: tuple[str, Any] | None = None
    pressed: tuple[str, Any] | None = None
    opened: tuple[Widget, ...] = ()
    positions: dict[str, tuple[int, int]] = field(default_factory=dict)
    tooltip: str = ""
    dragging: str = ""


@dataclass
class SceneLayout:
    """The pieces back to front, and for each element that shows its whole place and what of it is not clipped.

    `contents` are heights of what scrolls, `insides` the rectangles in which it does, `lines` the lines of text areas.
    """

    pieces: list[ScreenPiece] = field(default_factory=list)
    places: dict[str, Rect] = field(default_factory=dict)
    clips: dict[str, Rect] = field(default_factory=dict)
    contents: dict[str, int] = field(default_factory=dict)
    insides: dict[str, Rect] = field(default_factory=dict)
    lines: dict[str, list[tuple[int, str]]] = field(default_factory=dict)

    def shown(self, element: str) -> Rect:
        """The part of an element that is not clipped away; empty where it is not shown."""
        place = self.places.get(element)
        return Rect(0, 0, 0, 0) if place is None else place.intersection(self.clips[element])

    def at(self, point: Point) -> ScreenPiece | None:
        """The topmost piece of an element at a point."""
        for piece in reversed(self.pieces):
            if (
                piece.element
                and piece.kind != "drag"
                and piece.rect.contains(point)
                and piece.clip.contains(point)
            ):
                return piece
        return None


def lay_out(view: DesktopView) -> SceneLayout:
    """All pieces of the screen, from the back to the front."""
    return _Builder(view).build()


class _Builder:
    def __init__(self, view: DesktopView) -> None:
        self.view, self.theme = view, view.theme
        self.out = SceneLayout()
        self.later: list[Callable[[], None]] = []
        self._draw: dict[str, Callable[[Widget, Rect, Rect], None]] = {
            "label": self._label, "separator": self._separator, "progress": self._progress, "button": self._button,
            "link": self._link, "text_field": self._text_field, "text_area": self._text_area, "checkbox": self._box,
            "radio": self._box, "list": self._list, "drop_down": self._drop_down, "slider": self._slider,
            "tabs": self._tabs, "tree": self._list, "menu_bar": self._menu_bar, "table": self._table,
            "canvas": self._canvas, "panel": self._panel,
        }  # fmt: skip

    def build(self) -> SceneLayout:
        screen = self.view.screen
        self._add("desktop", screen, screen)
        for window in self.view.windows:
            if window.visible:
                self._window(window)
        for draw in self.later:
            draw()
        if self.view.tooltip:
            self._tooltip()
        at = self.view.pointer
        if self.view.dragging:
            self._add(
                "drag",
                Rect(at.x + 8, at.y + 8, self.theme.text.width(self.view.dragging) + 16, self.theme.row),
                screen,
                text=self.view.dragging,
            )
        self._add("pointer", Rect(at.x, at.y, 12, 19), screen)
        return self.out

    # ---- windows -----------------------------------------------------------------------------

    def _window(self, window: Widget) -> None:
        screen = self.view.screen
        x, y, width, height = window.bounds_relative or (0.1, 0.1, 0.8, 0.8)
        left, top = self.view.positions.get(
            window.id, (round(screen.x + x * screen.width), round(screen.y + y * screen.height))
        )
        whole = Rect(left, top, round(width * screen.width), round(height * screen.height))
        states = {"front"} if window is self.view.front else set()
        if window.type == "dialog" and window.get("modal", True):
            states.add("modal")
        self._add("shadow", whole, screen)
        self._add("window", whole, screen, window, states=states)
        bar_height = self.theme.bold.line + 14
        bar = Rect(whole.x, whole.y, whole.width, bar_height)
        self._add("title_bar", bar, whole.intersection(screen), window, part=("title_bar", 0), states=states)
        button = bar_height - 10
        title = Rect(bar.x + 12, bar.y, bar.width - 24 - button, bar.height)
        self._add(
            "title",
            title,
            title.intersection(screen),
            window,
            part=("title_bar", 0),
            text=window.label,
            states=states,
        )
        if window.get("closable", True):
            close = Rect(bar.right - button - 6, bar.y + 5, button, button)
            self._add("close", close, screen, window, part=("close", 0), states=states)
        inside = Rect(whole.x + 1, bar.bottom, whole.width - 2, whole.height - bar_height - 1)
        self._place(window, whole, screen)
        menus = [each for each in window.children if each.type == "menu_bar" and each.visible]
        for bar_ in menus:
            self._menu_bar(
                bar_, Rect(inside.x, inside.y, inside.width, self.theme.row), inside.intersection(screen)
            )
            inside = Rect(inside.x, inside.y + self.theme.row, inside.width, inside.height - self.theme.row)
        margin = self.theme.gap + 4
        self._contents(
            window,
            inside,
            inside.intersection(screen),
            margin,
            [each for each in window.children if each not in menus],
        )

    # ---- containers --------------------------------------------------------------------------

    def _contents(self, box: Widget, inside: Rect, clip: Rect, margin: int, children: list[Widget]) -> None:
        """Lay the children out in the box, which scrolls where they take more height than there is."""
        free = inside.grown(-margin, -margin)
        shown = [each for each in children if each.visible]
        needed = self._height_of(box, shown, free.width)
        if needed > free.height:
            free = Rect(free.x, free.y, free.width - (BAR - margin if margin < BAR else 0) - 4, free.height)
            needed = self._height_of(box, shown, free.width)
            self._scrolls(box, inside, clip, needed + 2 * margin)
        else:
            box.scroll = 0
        self.out.insides[box.id] = inside
        self._flow(
            box,
            shown,
            Rect(free.x, free.y - box.scroll, free.width, max(free.height, needed)),
            clip.intersection(inside),
        )

    def _scrolls(self, box: Widget, inside: Rect, clip: Rect, content: int) -> None:
        self.out.contents[box.id] = content
        box.scroll = max(0, min(box.scroll, content - inside.height))
        track = Rect(inside.right - BAR, inside.y, BAR, inside.height)
        thumb_height = max(24, inside.height * inside.height // max(1, content))
        way = inside.height - thumb_height
        offset = way * box.scroll // max(1, content - inside.height)
        thumb = Rect(track.x + 3, track.y + offset, BAR - 6, thumb_height)

        self._add("scroll_bar", track, clip, box, part=("scroll_bar", 0))
        self._add("scroll_thumb", thumb, clip, box, part=("scroll_thumb", 0))

    def _height_of(self, box: Widget, children: list[Widget], width: int) -> int:
        flowing = [each for each in children if each.bounds_relative is None]
        gap = self.theme.gap
        match box.get("layout", "column"):
            case "row":
                widths = self._row_widths(flowing, width)
                return max(
                    (self.height(each, wide) for each, wide in zip(flowing, widths, strict=True)), default=0
                )
            case "grid":
                rows = self._grid(box, flowing)
                wide = self._column_width(box, width)
                heights = [max(self.height(each, wide) for each in row) for row in rows]
                return sum(heights) + gap * max(0, len(rows) - 1)
        heights = [self.height(each, width) for each in flowing]
        return sum(heights) + gap * max(0, len(heights) - 1)

    def _flow(self, box: Widget, children: list[Widget], area: Rect, clip: Rect) -> None:
        for each in children:
            if each.bounds_relative is not None:
                x, y, width, height = each.bounds_relative
                place = Rect(
                    round(area.x + x * area.width),
                    round(area.y + y * area.height),
                    round(width * area.width),
                    round(height * area.height),
                )
                self.draw(each, place, clip)
        flowing = [each for each in children if each.bounds_relative is None]
        gap = self.theme.gap
        match box.get("layout", "column"):
            case "row":
                x = area.x
                for each, wide in zip(flowing, self._row_widths(flowing, area.width), strict=True):
                    high = (
                        area.height
                        if each.get("grow") or each.type in ("panel", "tabs")
                        else min(self.height(each, wide), area.height)
                    )
                    top = area.y + self._down_in_row(each, high, self._row_height(flowing, area.width))
                    self.draw(each, Rect(x, top, wide, high), clip)
                    x += wide + gap
            case "grid":
                wide, y = self._column_width(box, area.width), area.y
                for row in self._grid(box, flowing):
                    high = max(self.height(each, wide) for each in row)
                    for index, each in enumerate(row):
                        self.draw(each, Rect(area.x + index * (wide + gap), y, wide, high), clip)
                    y += high + gap
            case _:
                heights = [self.height(each, area.width) for each in flowing]
                growing = [index for index, each in enumerate(flowing) if each.get("grow")]
                spare = area.height - sum(heights) - gap * max(0, len(heights) - 1)
                for index in growing if spare > 0 else ():
                    heights[index] += spare // len(growing)
                y = area.y
                for each, high in zip(flowing, heights, strict=True):
                    self.draw(each, Rect(area.x, y, self._width_in_column(each, area.width), high), clip)
                    y += high + gap

    def _down_in_row(self, each: Widget, high: int, row: int) -> int:
        """Pixels that an element stands below the top of its row: controls stand on one line, whatever has a label above itself."""
        if each.type in _TALL or high >= row:
            return 0
        if each.type in _BESIDE and high < self.theme.control:
            return max(0, row - self.theme.control + (self.theme.control - high) // 2)
        return row - high

    def _row_height(self, children: list[Widget], width: int) -> int:
        widths = self._row_widths(children, width)
        return max((self.height(each, wide) for each, wide in zip(children, widths, strict=True)), default=0)

    def _grid(self, box: Widget, children: list[Widget]) -> list[list[Widget]]:
        columns = max(1, int(box.get("columns", 2)))
        return [children[index : index + columns] for index in range(0, len(children), columns)]

    def _column_width(self, box: Widget, width: int) -> int:
        columns = max(1, int(box.get("columns", 2)))
        return (width - self.theme.gap * (columns - 1)) // columns

    def _width_in_column(self, each: Widget, width: int) -> int:
        if "width" in each.attributes:
            return min(width, int(each.get("width")))
        return (
            width
            if each.type in _STRETCH or each.get("grow") or each.type == "label"
            else min(width, self.natural_width(each))
        )

    def _row_widths(self, children: list[Widget], width: int) -> list[int]:
        """What each takes side by side: its own width, and those that stretch share what is left."""
        left = width - self.theme.gap * max(0, len(children) - 1)
        stretching = [
            each
            for each in children
            if "width" not in each.attributes and (each.type in _STRETCH or each.get("grow"))
        ]
        widths = {each.id: self._own_width(each) for each in children if each not in stretching}
        share = max(40, (left - sum(widths.values())) // max(1, len(stretching)))
        return [widths.get(each.id, share) for each in children]

    def _own_width(self, each: Widget) -> int:
        return int(each.get("width", 0)) or self.natural_width(each)

    # ---- measures ----------------------------------------------------------------------------

    def natural_width(self, each: Widget) -> int:
        """Pixels that an element takes beside others."""
        theme, text = self.theme, each.label
        match each.type:
            case "button":
                return max(64, theme.text.width(text) + 2 * theme.padding + 18)
            case "checkbox" | "radio":
                return theme.text.width(text) + theme.text.line + 12
            case "label":
                face = self._face(each)
                said = self._said(each)
                return max((face.width(line) for line in said.split("\n")), default=0) + (
                    2 * theme.padding if self._boxed(each) else 2
                )
            case "panel":
                inner = [self.natural_width(child) for child in each.children if child.visible]
                across = (
                    sum(inner) + theme.gap * max(0, len(inner) - 1)
                    if each.get("layout") == "row"
                    else max(inner, default=0)
                )
                return across + (2 * theme.gap if each.get("framed") else 0)
            case "link":
                return theme.text.width(text) + 4
        return 180

    def height(self, each: Widget, width: int) -> int:
        """Pixels that an element takes at a width, its label included."""
        if "height" in each.attributes:
            return int(each.get("height"))
        theme = self.theme
        above = theme.text.line + 4 if each.type in _FIELDS and each.label else 0
        match each.type:
            case "label":
                face = self._face(each)
                pad = theme.padding if self._boxed(each) else 0
                return (
                    max(1, len(face.wrapped(self._said(each), max(20, width - 2 * pad)))) * face.line
                    + 2 * pad
                )
            case "separator":
                return 3
            case "progress":
                return above + 10
            case "checkbox" | "radio":
                return theme.text.line + 6
            case "link":
                return theme.text.line + 4
            case "slider":
                return above + theme.text.line + 6
            case "text_area":
                return above + int(each.get("lines", 4)) * theme.text.line + 2 * theme.padding
            case "list" | "tree":
                return above + int(each.get("lines", 5)) * theme.row + 4
            case "table":
                return above + (int(each.get("lines", 6)) + 1) * theme.row + 4
            case "canvas":
                return above + 260
            case "tabs":
                inner = [self._panel_height(child, width) for child in each.children]
                return theme.control + max(inner, default=0)
            case "panel":
                return self._panel_height(each, width)
            case "menu_bar":
                return theme.row
        return above + theme.control

    def _panel_height(self, panel: Widget, width: int) -> int:
        frame, caption = self._panel_frame(panel)
        # What scrolls by itself does not ask for all its height.
        if panel.get("is_scrollable"):
            return int(panel.get("height", 160))
        shown = [each for each in panel.children if each.visible]
        return caption + 2 * frame + self._height_of(panel, shown, width - 2 * frame)

    def _panel_frame(self, panel: Widget) -> tuple[int, int]:
        """Pixels of its margin, and of its caption's height."""
        tab = panel.parent is not None and panel.parent.type == "tabs"
        framed = bool(panel.get("framed")) or tab
        captioned = bool(panel.label) and not tab
        return (self.theme.gap if framed else 0), (self.theme.text.line + 6 if captioned else 0)

    # ---- one element -------------------------------------------------------------------------

    def draw(self, each: Widget, place: Rect, clip: Rect) -> None:
        """Add the pieces of an element whose place is this, its label included."""
        if not each.visible or each.type in ("menu", "menu_item"):
            return
        if each.type in _FIELDS and each.label:
            line = self.theme.text.line
            self._add(
                "caption",
                Rect(place.x, place.y, place.width, line),
                clip,
                text=each.label,
                states=self._states(each) & {"disabled"},
            )
            place = Rect(place.x, place.y + line + 4, place.width, max(1, place.height - line - 4))
        self._place(each, place, clip)
        self._draw[each.type](each, place, clip)

    def _place(self, each: Widget, place: Rect, clip: Rect) -> None:
        self.out.places[each.id], self.out.clips[each.id] = place, clip

    def _add(
        self, kind: Kind, rect: Rect, clip: Rect, element: Widget | None = None, *, part: tuple[str, Any] | None = None,
        text: str = "", states: set[str] | frozenset[str] = frozenset(), style: str = "", **more: Any,
    ) -> None:  # fmt: skip
        name = element.id if element is not None else ""
        if name:
            states = set(states)
            if self.view.hovered == (name, part):
                states.add("hovered")
            if self.view.pressed == (name, part):
                states.add("pressed")
        self.out.pieces.append(
            ScreenPiece(
                kind=kind,
                rect=rect,
                clip=clip,
                text=text,
                element=name,
                part=part,
                states=frozenset(states),
                style=style,
                **more,
            )
        )

    def _states(self, each: Widget) -> set[str]:
        states = set()
        if not each.usable:
            states.add("disabled")
        if each is self.view.focus:
            states.add("focused")
        if each.checked:
            states.add("checked")
        if each.get("is_read_only"):
            states.add("read_only")
        if each.get("draggable"):
            states.add("draggable")
        return states

    def _style(self, each: Widget) -> str:
        return str(each.get("style", ""))

    def _face(self, each: Widget) -> Typeface:
        return self.theme.heading if self._style(each) == "heading" else self.theme.text

    def _boxed(self, each: Widget) -> bool:
        return self._style(each) in ("banner", "success", "error", "warning") and bool(self._said(each))

    def _said(self, each: Widget) -> str:
        return each.label if each.value is None else as_text(each.value)

    def _label(self, each: Widget, place: Rect, clip: Rect) -> None:
        said, face, style = self._said(each), self._face(each), self._style(each)
        if not said:
            return
        boxed = self._boxed(each)
        pad = self.theme.padding if boxed else 0
        lines = face.wrapped(said, max(20, place.width - 2 * pad))
        if len(lines) == 1:
            self._add(
                "label", place, clip, each, text=said, states=self._states(each), style=style, indent=pad
            )
            return
        self._add("label", place, clip, each, states=self._states(each), style=style)
        for index, (_, line) in enumerate(lines):
            row = Rect(place.x, place.y + pad + index * face.line, place.width, face.line)
            plain = "" if boxed else style
            self._add(
                "label",
                row,
                clip,
                each,
                text=line.rstrip(),
                states=self._states(each),
                style=plain,
                indent=pad,
            )

    def _separator(self, each: Widget, place: Rect, clip: Rect) -> None:
        self._add("separator", place, clip, each)

    def _progress(self, each: Widget, place: Rect, clip: Rect) -> None:
        self._add("progress", place, clip, each, ratio=max(0.0, min(1.0, float(each.value or 0))))

    def _button(self, each: Widget, place: Rect, clip: Rect) -> None:
        self._add(
            "button", place, clip, each, text=each.label, states=self._states(each), style=self._style(each)
        )

    def _link(self, each: Widget, place: Rect, clip: Rect) -> None:
        self._add("link", place, clip, each, text=each.label, states=self._states(each))

    def _box(self, each: Widget, place: Rect, clip: Rect) -> None:
        side = self.theme.text.line
        states = self._states(each)
        top = place.y + (place.height - side) // 2
        self._add(
            "check" if each.type == "checkbox" else "radio",
            Rect(place.x, top, side, side),
            clip,
            each,
            states=states,
        )
        words = Rect(place.x + side + 7, place.y, max(1, place.width - side - 7), place.height)
        self._add("label", words, clip, each, text=each.label, states=states & {"disabled"})

    # ---- texts -------------------------------------------------------------------------------

    def shown_text(self, each: Widget) -> str:
        """Its text as it is written on the screen: a secret's as dots."""
        return DOT * len(str(each.value)) if each.get("is_secret") else str(each.value)

    def _text_field(self, each: Widget, place: Rect, clip: Rect) -> None:
        states = self._states(each) | ({"secret"} if each.get("is_secret") else set())
        self._add("field", place, clip, each, states=states)
        pad = self.theme.padding + 2
        inside = Rect(place.x + pad, place.y + 3, place.width - 2 * pad, place.height - 6)
        cut = clip.intersection(inside.grown(2, 0))
        text, face = self.shown_text(each), self.theme.text
        if not text and (placeholder := str(each.get("placeholder", ""))):
            self._add("placeholder", inside, cut, each, text=placeholder)
        caret = face.width(text[: each.caret])
        shift = max(0, caret - inside.width) if each is self.view.focus else 0
        each.scroll = shift
        begin, end = each.selection
        line = Rect(
            inside.x - shift,
            place.y + (place.height - face.line) // 2,
            max(face.width(text) + 2, 1),
            face.line,
        )
        if each is self.view.focus and begin != end:
            self._add(
                "selected_text",
                Rect(line.x + face.width(text[:begin]), line.y, face.width(text[begin:end]), face.line),
                cut,
                each,
            )
        if text:
            self._add("line", line, cut, each, text=text, states=states & {"disabled"})
        if each is self.view.focus and "disabled" not in states:
            self._add("caret", Rect(line.x + caret, line.y, 1, face.line), cut, each)

    def _text_area(self, each: Widget, place: Rect, clip: Rect) -> None:
        states, style = self._states(each), self._style(each)
        self._add("area", place, clip, each, states=states, style=style)
        pad, face = self.theme.padding, self.theme.mono if style == "code" else self.theme.text
        inside = Rect(place.x + pad, place.y + pad, place.width - 2 * pad - BAR, place.height - 2 * pad)
        text = str(each.value)
        lines = self.out.lines[each.id] = face.wrapped(text, inside.width)
        if not text and (placeholder := str(each.get("placeholder", ""))):
            self._add(
                "placeholder", Rect(inside.x, inside.y, inside.width, face.line), clip, each, text=placeholder
            )
        content = len(lines) * face.line + 2 * pad
        if content > place.height:
            self._scrolls(each, place, clip, content)
        else:
            each.scroll = 0
        self.out.insides[each.id] = inside
        cut = clip.intersection(inside.grown(2, 0))
        begin, end = each.selection
        for index, (start, line) in enumerate(lines):
            row = Rect(inside.x, inside.y + index * face.line - each.scroll, inside.width, face.line)
            if row.intersection(cut).empty:
                continue
            if each is self.view.focus and begin < start + len(line) and end > start:
                left, right = max(begin, start) - start, min(end, start + len(line)) - start
                self._add(
                    "selected_text",
                    Rect(row.x + face.width(line[:left]), row.y, face.width(line[left:right]), face.line),
                    cut,
                    each,
                )
            self._add("line", row, cut, each, text=line, states=states & {"disabled"}, style=style)
            last = index == len(lines) - 1 or lines[index + 1][0] > each.caret
            if (
                each is self.view.focus
                and start <= each.caret <= start + len(line)
                and last
                and "disabled" not in states
            ):
                self._add(
                    "caret",
                    Rect(row.x + face.width(line[: each.caret - start]), row.y, 1, face.line),
                    cut,
                    each,
                )

    # ---- choices -----------------------------------------------------------------------------

    def _list(self, each: Widget, place: Rect, clip: Rect) -> None:
        self._add("list", place, clip, each, states=self._states(each))
        inside = place.grown(-2, -2)
        rows = (
            tree_rows(each)
            if each.type == "tree"
            else [
                (text, value == each.value, 0, None, value)
                for value, text in option_texts(each, self.view.records)
            ]
        )
        self._rows(each, rows, inside, clip.intersection(inside))

    def _rows(
        self, each: Widget, rows: Sequence[tuple[str, bool, int, bool | None, Any]], inside: Rect, clip: Rect
    ) -> None:
        """Rows of text, of which each is told selected, how deep, expanded (None: has no more) and its value."""
        height = self.theme.row
        if len(rows) * height > inside.height:
            self._scrolls(each, inside, clip, len(rows) * height)
            inside = Rect(inside.x, inside.y, inside.width - BAR, inside.height)
        else:
            each.scroll = 0
        self.out.insides[each.id] = inside
        for index, (text, selected, depth, expanded, _) in enumerate(rows):
            row = Rect(inside.x, inside.y + index * height - each.scroll, inside.width, height)
            if row.intersection(clip).empty:
                continue
            states = ({"selected"} if selected else set()) | (
                self._states(each) & {"disabled", "focused", "draggable"}
            )
            indent = 8 + depth * 18 + (18 if each.type == "tree" else 0)
            self._add("row", row, clip, each, part=("row", index), text=text, states=states, indent=indent)
            if expanded is not None:
                arrow = Rect(row.x + 6 + depth * 18, row.y + (height - 16) // 2, 16, 16)
                self._add(
                    "expander",
                    arrow,
                    clip,
                    each,
                    part=("expander", index),
                    states={"expanded"} if expanded else set(),
                )

    def _drop_down(self, each: Widget, place: Rect, clip: Rect) -> None:
        open_ = each in self.view.opened
        options = option_texts(each, self.view.records)
        shown = next(
            (text for value, text in options if value == each.value),
            "" if each.value is None else as_text(each.value),
        )
        placeholder = not shown and each.get("placeholder", "")
        states = self._states(each) | ({"expanded"} if open_ else set())
        self._add(
            "drop_down",
            place,
            clip,
            each,
            text=shown or str(placeholder or ""),
            states=states,
            style="placeholder" if placeholder else "",
        )
        if not open_:
            return

        def popup() -> None:
            screen, height = self.view.screen, self.theme.row
            wanted = min(len(options), 10) * height + 4
            below = place.bottom + 2 + wanted <= screen.bottom or place.y - wanted < screen.y
            top = place.bottom + 2 if below else place.y - 2 - wanted
            whole = Rect(place.x, top, place.width, min(wanted, max(height + 4, screen.bottom - top)))
            self._add("popup", whole, screen, each, part=("popup", 0))
            rows = [(text, value == each.value, 0, None, value) for value, text in options]
            self._rows(each, rows, whole.grown(-2, -2), whole.grown(-2, -2))

        self.later.append(popup)

    def _slider(self, each: Widget, place: Rect, clip: Rect) -> None:
        low, high = float(each.get("minimum", 0)), float(each.get("maximum", 100))
        ratio = 0.0 if high <= low else max(0.0, min(1.0, (float(each.value or 0) - low) / (high - low)))
        states = self._states(each)
        number = self.theme.text.width(as_text(each.get("maximum", 100))) + 18
        track = Rect(place.x, place.y, max(20, place.width - number), place.height)
        self._add("slider", track, clip, each, states=states, ratio=ratio)
        side = min(18, place.height)
        knob = Rect(
            track.x + round(ratio * (track.width - side)), track.y + (track.height - side) // 2, side, side
        )
        self._add("knob", knob, clip, each, part=("knob", 0), states=states)
        self._add(
            "label",
            Rect(track.right + 8, place.y, number - 8, place.height),
            clip,
            each,
            text=as_text(each.value or 0),
            part=("value", 0),
        )
        self.out.insides[each.id] = track

    def _tabs(self, each: Widget, place: Rect, clip: Rect) -> None:
        bar = Rect(place.x, place.y, place.width, self.theme.control)
        self._add("tab_bar", bar, clip, each)
        x = bar.x
        for index, panel in enumerate(each.children):
            if not panel.visible:
                continue
            wide = self.theme.text.width(panel.label) + 2 * self.theme.padding + 16
            states = ({"selected"} if each.value == panel.id else set()) | (
                {"focused"} if each is self.view.focus and each.value == panel.id else set()
            )
            if not panel.enabled:
                states.add("disabled")
            self._add(
                "tab",
                Rect(x, bar.y, wide, bar.height),
                clip,
                each,
                part=("tab", index),
                text=panel.label,
                states=states,
            )
            x += wide + 2
        for panel in each.children:
            if panel.id == each.value and panel.visible:
                self.draw(panel, Rect(place.x, bar.bottom, place.width, place.height - bar.height), clip)

    def _panel(self, each: Widget, place: Rect, clip: Rect) -> None:
        frame, caption = self._panel_frame(each)
        tab = each.parent is not None and each.parent.type == "tabs"
        if caption:
            self._add(
                "caption",
                Rect(place.x, place.y, place.width, self.theme.text.line),
                clip,
                text=each.label,
                style="panel",
            )
        box = Rect(place.x, place.y + caption, place.width, place.height - caption)
        if frame and not tab:
            self._add("panel", box, clip, each, style="framed", states=self._states(each) & {"draggable"})
        elif each.get("draggable") or "on" in each.attributes:
            self._add("panel", box, clip, each, states=self._states(each) & {"draggable"})
        self._contents(each, box, clip.intersection(box), frame, each.children)

    # ---- menus -------------------------------------------------------------------------------

    def _menu_bar(self, bar: Widget, place: Rect, clip: Rect) -> None:
        self._place(bar, place, clip)
        self._add("menu_bar", place, clip, bar)
        x = place.x + 4
        for menu in bar.children:
            if not menu.visible:
                continue
            wide = self.theme.text.width(menu.label) + 18
            head = Rect(x, place.y, wide, place.height)
            self._place(menu, head, clip)
            self._add(
                "menu",
                head,
                clip,
                menu,
                text=menu.label,
                states=self._states(menu) | ({"expanded"} if menu in self.view.opened else set()),
            )
            if menu in self.view.opened:
                self.later.append(partial(self._menu_items, menu, Point(head.x, head.bottom)))
            x += wide

    def _menu_items(self, menu: Widget, at: Point) -> None:
        items = [each for each in menu.children if each.visible]
        face, height = self.theme.text, self.theme.row
        wide = max(
            (face.width(each.label) + face.width(str(each.get("shortcut", ""))) + 70 for each in items),
            default=80,
        )
        heights = [7 if each.type == "separator" else height for each in items]
        whole = Rect(at.x, at.y, wide, sum(heights) + 8)
        self._add("popup", whole, self.view.screen, menu, part=("popup", 0))
        y = whole.y + 4
        for item, high in zip(items, heights, strict=True):
            row = Rect(whole.x + 2, y, whole.width - 4, high)
            self._place(item, row, self.view.screen)
            if item.type == "separator":
                self._add("separator", row, self.view.screen, item)
            else:
                states = self._states(item) | ({"expanded"} if item in self.view.opened else set())
                self._add("menu_item", row, self.view.screen, item, text=item.label, states=states, indent=26)
                if shortcut := str(item.get("shortcut", "")):
                    words = "+".join(part.capitalize() for part in shortcut.split("+"))
                    right = Rect(row.right - face.width(words) - 12, row.y, face.width(words) + 4, row.height)
                    self._add("shortcut", right, self.view.screen, item, text=words)
            y += high

    # ---- tables and canvases -----------------------------------------------------------------

    def _table(self, each: Widget, place: Rect, clip: Rect) -> None:
        self._add("table", place, clip, each, states=self._states(each))
        columns = each.get("columns", [])
        actions = each.get("row_actions", [])
        height, face = self.theme.row, self.theme.text
        rows = table_rows(each, self.view.records)
        inside = place.grown(-2, -2)
        action_widths = [face.width(str(action.get("label", ""))) + 20 for action in actions]
        room = (
            inside.width
            - sum(action_widths)
            - 6 * len(actions)
            - (BAR if (len(rows) + 1) * height > inside.height else 0)
        )
        weights = [max(1, int(column.get("width", 0)) or 100) for column in columns]
        widths = [room * weight // max(1, sum(weights)) for weight in weights]
        x = inside.x
        for index, column in enumerate(columns):
            self._add(
                "column",
                Rect(x, inside.y, widths[index], height),
                clip,
                each,
                part=("column", index),
                text=str(column.get("label", "")),
            )
            x += widths[index]
        if actions:
            head = Rect(x, inside.y, inside.right - x, height)
            self._add("column", head, clip, each, part=("column", len(columns)))
        body = Rect(inside.x, inside.y + height, inside.width, inside.height - height)
        cut = clip.intersection(body)
        if len(rows) * height > body.height:
            self._scrolls(each, body, cut, len(rows) * height)
            body = Rect(body.x, body.y, body.width - BAR, body.height)
        else:
            each.scroll = 0
        self.out.insides[each.id] = body
        for shown, (index, record) in enumerate(rows):
            line = Rect(body.x, body.y + shown * height - each.scroll, body.width, height)
            if line.intersection(cut).empty:
                continue
            states = ({"selected"} if each.value == index else set()) | ({"odd"} if shown % 2 else set())
            self._add("row", line, cut, each, part=("row", index), states=states, style="table")
            x = line.x
            for column, wide in zip(columns, widths, strict=True):
                text = as_text(record.get(column.get("field", "")))
                self._add(
                    "cell",
                    Rect(x, line.y, wide, height),
                    cut,
                    each,
                    part=("row", index),
                    text=text,
                    states=states,
                )
                x += wide
            for number, (action, wide) in enumerate(zip(actions, action_widths, strict=True)):
                button = Rect(x + 6, line.y + 2, wide, height - 4)
                self._add(
                    "row_action",
                    button,
                    cut,
                    each,
                    part=(f"action {number}", index),
                    text=str(action.get("label", "")),
                )
                x += wide + 6

    def _canvas(self, each: Widget, place: Rect, clip: Rect) -> None:
        self._add("canvas", place, clip, each, states=self._states(each))
        self.out.insides[each.id] = place
        cut = clip.intersection(place)
        for shape in each.get("shapes", []):
            at = shape.get("at", [0, 0])
            x, y = place.x + at[0] * place.width, place.y + at[1] * place.height
            name, colour = str(shape.get("id", "")), str(shape.get("color", "#808080"))
            states = {"selected"} if each.value == name else set()
            if shape.get("draggable"):
                states.add("draggable")
            more: dict[str, Any] = {"colour": colour}
            if shape.get("shape") == "line" and len(at) == 4:
                right, bottom = place.x + at[2] * place.width, place.y + at[3] * place.height
                more["points"] = (round(x), round(y), round(right), round(bottom))
                rect = Rect(
                    round(min(x, right)) - 3,
                    round(min(y, bottom)) - 3,
                    round(abs(right - x)) + 6,
                    round(abs(bottom - y)) + 6,
                )
            else:
                size = shape.get("size", [0.08, 0.08])
                rect = Rect(
                    round(x),
                    round(y),
                    max(6, round(size[0] * place.width)),
                    max(6, round(size[1] * place.height)),
                )
            if not shape.get("hidden"):
                self._add(
                    "shape",
                    rect,
                    cut,
                    each,
                    part=("shape", name),
                    text=str(shape.get("label", "")),
                    style=str(shape.get("shape", "rect")),
                    states=states,
                    **more,
                )

    def _tooltip(self) -> None:
        at, screen = self.view.pointer, self.view.screen
        wide = self.theme.small.width(self.view.tooltip) + 14
        left = max(screen.x, min(at.x + 10, screen.right - wide))
        self._add(
            "tooltip",
            Rect(left, at.y + 22, wide + 6, self.theme.small.line + 8),
            screen,
            text=self.view.tooltip,
        )
