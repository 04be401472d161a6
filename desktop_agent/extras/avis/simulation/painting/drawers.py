"""Which function draws which kind of piece, and which pixels it may change; and those that draw what holds many."""

from __future__ import annotations

from collections.abc import Callable

from desktop_agent.extras.avis.simulation.drawing.pieces import Kind, ScreenPiece
from desktop_agent.extras.avis.simulation.painting import control_pieces, shape_masks, surface_pieces
from desktop_agent.extras.avis.simulation.painting.control_pieces import RING, button, ring
from desktop_agent.extras.avis.simulation.painting.prepared_theme import PreparedTheme, ink, mix, readable_on
from desktop_agent.extras.avis.simulation.painting.sheet import Sheet
from desktop_agent.protocol.geometry import Rect, bounding_box


def frame(sheet: Sheet, look: PreparedTheme, piece: ScreenPiece) -> None:
    """The box around a list, a table or a canvas; never very round, for what is in it has corners."""
    states, radius = piece.states, min(look.radius, 4)
    if "disabled" in states:
        sheet.framed(piece.rect, radius, look.ink["off_line"], look.ink["off"])
    elif "focused" in states:
        sheet.framed(piece.rect, radius, look.ink["focus"], look.ink["field"], RING)
    else:
        sheet.framed(piece.rect, radius, look.ink["control_line"], look.ink["field"])


def row(sheet: Sheet, look: PreparedTheme, piece: ScreenPiece) -> None:
    """A row of a list, a tree or an opened drop-down, with a mark at the left when it is selected.

    Those of style "table" have corners, for their cells stand in columns; those with the state odd are tinted.
    """
    in_table = piece.style == "table"
    inset = 2 if look.radius and not in_table else 0
    rect = Rect(piece.rect.x + inset, piece.rect.y, max(0, piece.rect.width - 2 * inset), piece.rect.height)
    tone = _row_tone(piece)
    if tone:
        radius = 0 if in_table else look.radius
        sheet.rounded(rect.x, rect.y, rect.width, rect.height, radius, look.ink[tone])
    if "selected" in piece.states:
        quarter = rect.height // 4
        sheet.rounded(
            rect.x, rect.y + quarter, min(3, rect.width), rect.height - 2 * quarter, 1, look.ink["accent"]
        )
        if "focused" in piece.states:  # all rows of a list are that has the keyboard
            sheet.outline(rect, 0 if in_table else look.radius, look.ink["accent"], 1)
    cell(sheet, look, piece)


def _row_tone(piece: ScreenPiece) -> str:
    """The ink behind a row; "" for none."""
    states = piece.states
    if "selected" in states:
        return "selection"
    if "pressed" in states:
        return "row_pressed"
    if "hovered" in states:
        return "row_hovered"
    return "odd" if "odd" in states else ""


def cell(sheet: Sheet, look: PreparedTheme, piece: ScreenPiece) -> None:
    """The text of a row, or of one of its cells; what is behind it is the row's."""
    rect, states = piece.rect, piece.states
    inset = look.padding + 1
    inner = Rect(
        rect.x + inset + piece.indent, rect.y, max(0, rect.width - 2 * inset - piece.indent), rect.height
    )
    tone = "disabled" if "disabled" in states else "on_selection" if "selected" in states else "text"
    sheet.fit(inner, look.text, piece.text, look.ink[tone])


def column(sheet: Sheet, look: PreparedTheme, piece: ScreenPiece) -> None:
    """The head of a table's column."""
    rect = piece.rect
    tone = "header_hovered" if {"hovered", "pressed"} & piece.states else "header"
    sheet.fill(rect.x, rect.y, rect.width, rect.height, look.ink[tone])
    sheet.fill(rect.x, rect.bottom - 1, rect.width, 1, look.ink["control_line"])
    sheet.fill(rect.right - 1, rect.y + 4, 1, rect.height - 8, look.ink["control_line"])
    inset = look.padding + 1
    inner = Rect(rect.x + inset, rect.y, max(0, rect.width - 2 * inset), rect.height)
    sheet.fit(inner, look.bold, piece.text, look.ink["text"])


def row_action(sheet: Sheet, look: PreparedTheme, piece: ScreenPiece) -> None:
    button(sheet, look, piece)


def expander(sheet: Sheet, look: PreparedTheme, piece: ScreenPiece) -> None:
    """The arrow before a row of a tree that holds others."""
    rect, states = piece.rect, piece.states
    size = min(rect.width, rect.height, look.box)
    if size <= 0:
        return
    x, y = rect.x + (rect.width - size) // 2, rect.y + (rect.height - size) // 2
    if "hovered" in states or "pressed" in states:
        sheet.rounded(x, y, size, size, look.radius, look.ink["row_pressed"])
    tone = "disabled" if "disabled" in states else "on_selection" if "selected" in states else "text"
    sheet.stamp(x, y, shape_masks.chevron(size, "down" if "expanded" in states else "right"), look.ink[tone])


def tab_bar(sheet: Sheet, look: PreparedTheme, piece: ScreenPiece) -> None:
    rect = piece.rect
    sheet.fill(rect.x, rect.bottom - 1, rect.width, 1, look.ink["line"])


def tab(sheet: Sheet, look: PreparedTheme, piece: ScreenPiece) -> None:
    """A tab's name, underlined when its panel is in front."""
    rect, states = piece.rect, piece.states
    selected = "selected" in states
    body = Rect(rect.x, rect.y, rect.width, rect.height - 3)
    if "focused" in states:
        ring(sheet, look, body)
    elif "hovered" in states or "pressed" in states:
        tone = "lit_strongly" if "pressed" in states else "lit"
        sheet.rounded(body.x, body.y, body.width, body.height, look.radius, look.ink[tone])
    text = "disabled" if "disabled" in states else "text" if selected else "muted"
    face = look.bold if selected else look.text
    sheet.fit(rect.grown(-3, 0), face, piece.text, look.ink[text], "middle")
    if selected:
        wide = max(0, rect.width - 8)
        sheet.rounded(rect.x + 4, rect.bottom - 3, wide, 3, 1 if look.radius else 0, look.ink["accent"])


def menu_bar(sheet: Sheet, look: PreparedTheme, piece: ScreenPiece) -> None:
    rect = piece.rect
    sheet.fill(rect.x + 1, rect.y, rect.width - 2, rect.height, look.ink["bar"])
    sheet.fill(rect.x + 1, rect.bottom - 1, rect.width - 2, 1, look.ink["line"])


def menu(sheet: Sheet, look: PreparedTheme, piece: ScreenPiece) -> None:
    """A menu's name in its bar."""
    rect, states = piece.rect, piece.states
    body = Rect(rect.x, rect.y + 2, rect.width, max(0, rect.height - 4))
    open_ = "expanded" in states or "pressed" in states
    tone = "selection" if open_ else "lit" if "hovered" in states else ""
    if tone:
        sheet.rounded(body.x, body.y, body.width, body.height, look.radius, look.ink[tone])
    if "focused" in states:
        ring(sheet, look, body)
    text = "disabled" if "disabled" in states else "on_selection" if open_ else "text"
    sheet.fit(rect.grown(-2, 0), look.text, piece.text, look.ink[text], "middle")


def menu_item(sheet: Sheet, look: PreparedTheme, piece: ScreenPiece) -> None:
    """An entry of an opened menu."""
    rect, states = piece.rect, piece.states
    inset = 3 if look.radius else 1
    body = Rect(rect.x + inset, rect.y, max(0, rect.width - 2 * inset), rect.height)
    lit = "disabled" not in states and {"hovered", "pressed", "selected", "focused", "expanded"} & states
    if lit:
        sheet.rounded(body.x, body.y, body.width, body.height, look.radius, look.ink["selection"])
    left, right = piece.indent or look.padding + 5, look.padding
    inner = Rect(rect.x + left, rect.y, max(0, rect.width - left - right), rect.height)
    tone = "disabled" if "disabled" in states else "on_selection" if lit else "text"
    sheet.fit(inner, look.text, piece.text, look.ink[tone])


def shortcut(sheet: Sheet, look: PreparedTheme, piece: ScreenPiece) -> None:
    """The keys of a menu's entry, at the right of the rect."""
    tone = "disabled" if "disabled" in piece.states else "muted"
    if {"hovered", "selected", "focused"} & piece.states and "disabled" not in piece.states:
        tone = "on_selection"
    sheet.fit(piece.rect, look.small, piece.text, look.ink[tone], "right")


def shape(sheet: Sheet, look: PreparedTheme, piece: ScreenPiece) -> None:
    """A shape of a canvas in its own colour, with its name on it; style rect, circle, line or text."""
    rect, states = piece.rect, piece.states
    colour = piece.colour or "#8a8f98"
    if piece.style == "text":
        tone = ink(piece.colour) if piece.colour else look.ink["text"]
        sheet.write(text_box(piece), look.text, piece.text, tone)
        return
    if piece.points is not None:
        _shape_line(sheet, look, piece, colour)
        return
    rim = ink(mix(colour, readable_on(colour), 0.55 if {"hovered", "pressed"} & states else 0.25))
    if "selected" in states or "focused" in states:
        _body(sheet, look, piece.style, rect.grown(3, 3), look.ink["focus"])
        _body(sheet, look, piece.style, rect.grown(1, 1), look.ink["field"])
    _body(sheet, look, piece.style, rect, rim)
    _body(sheet, look, piece.style, rect.grown(-1, -1), ink(colour))
    sheet.fit(rect.grown(-2, 0), look.text, piece.text, ink(readable_on(colour)), "middle")


SHAPE_REACH = 3


"""Pixels that a selected shape's frame and a line's thickness reach beyond the rect."""


_WIDEST = 24


"""Pixels that no character of a theme's text is wider than."""


def text_box(piece: ScreenPiece) -> Rect:
    """The pixels that a text on a canvas may take: its size is that of a handle, and it is not shortened to it."""
    rect = piece.rect
    return Rect(rect.x, rect.y, max(rect.width, _WIDEST * len(piece.text)), rect.height)


def _body(sheet: Sheet, look: PreparedTheme, style: str, rect: Rect, tone: int) -> None:
    if rect.empty:
        return
    if style == "circle":
        sheet.stamp(rect.x, rect.y, shape_masks.ellipse(rect.width, rect.height), tone)
    else:
        sheet.rounded(rect.x, rect.y, rect.width, rect.height, look.radius, tone)


def line_box(points: tuple[int, int, int, int]) -> Rect:
    """The pixels that a line between two points may take."""
    x, y = min(points[0], points[2]), min(points[1], points[3])
    box = Rect(x, y, abs(points[0] - points[2]) + 1, abs(points[1] - points[3]) + 1)
    return box.grown(SHAPE_REACH, SHAPE_REACH)


def _shape_line(sheet: Sheet, look: PreparedTheme, piece: ScreenPiece, colour: str) -> None:
    points = piece.points or (0, 0, 0, 0)
    box = line_box(points)
    inside = (points[0] - box.x, points[1] - box.y, points[2] - box.x, points[3] - box.y)
    if "selected" in piece.states or "focused" in piece.states:
        sheet.stamp(box.x, box.y, shape_masks.line(box.width, box.height, inside, 5), look.ink["focus"])
    sheet.stamp(box.x, box.y, shape_masks.line(box.width, box.height, inside, 2), ink(colour))
    sheet.fit(piece.rect, look.small, piece.text, look.ink["text"], "middle")


def scroll_bar(sheet: Sheet, look: PreparedTheme, piece: ScreenPiece) -> None:
    rect = piece.rect
    sheet.rounded(rect.x, rect.y, rect.width, rect.height, look.radius, look.ink["scroll"])


def scroll_thumb(sheet: Sheet, look: PreparedTheme, piece: ScreenPiece) -> None:
    rect = piece.rect
    inset = 2 if min(rect.width, rect.height) > 10 else 0
    body = rect.grown(-inset, -inset)
    tone = (
        "thumb_pressed"
        if "pressed" in piece.states
        else "thumb_hovered"
        if "hovered" in piece.states
        else "thumb"
    )
    radius = min(body.width, body.height) // 2 if look.radius else 0
    sheet.rounded(body.x, body.y, body.width, body.height, radius, look.ink[tone])


DRAWERS: dict[Kind, Callable[[Sheet, PreparedTheme, ScreenPiece], None]] = {
    "desktop": surface_pieces.desktop,
    "shadow": surface_pieces.shadow,
    "window": surface_pieces.window,
    "title_bar": surface_pieces.title_bar,
    "title": surface_pieces.title,
    "close": surface_pieces.close,
    "panel": surface_pieces.panel,
    "popup": surface_pieces.popup,
    "tooltip": surface_pieces.tooltip,
    "drag": surface_pieces.drag,
    "pointer": surface_pieces.pointer,
    "caption": control_pieces.caption,
    "label": control_pieces.label,
    "separator": control_pieces.separator,
    "progress": control_pieces.progress,
    "button": control_pieces.button,
    "link": control_pieces.link,
    "field": control_pieces.field,
    "area": control_pieces.field,
    "line": control_pieces.line,
    "placeholder": control_pieces.placeholder,
    "caret": control_pieces.caret,
    "selected_text": control_pieces.selected_text,
    "check": control_pieces.check,
    "radio": control_pieces.radio,
    "drop_down": control_pieces.drop_down,
    "slider": control_pieces.slider,
    "knob": control_pieces.knob,
    "list": frame,
    "table": frame,
    "canvas": frame,
    "row": row,
    "cell": cell,
    "column": column,
    "row_action": row_action,
    "expander": expander,
    "tab_bar": tab_bar,
    "tab": tab,
    "menu_bar": menu_bar,
    "menu": menu,
    "menu_item": menu_item,
    "shortcut": shortcut,
    "shape": shape,
    "scroll_bar": scroll_bar,
    "scroll_thumb": scroll_thumb,
}
SOLID: frozenset[Kind] = frozenset({"desktop", "window", "panel", "popup", "list", "table", "canvas", "area"})
"""Kinds that hide what is behind them but at their corners."""


MARGIN = surface_pieces.SHADOW
"""No piece but a shape changes pixels further than this from its rect."""


_NARROW, _LOW = 40, 12
"""Drawers may take it that a piece is as wide and as high: what they draw of a smaller one is cut off at its rect."""


def draw(sheet: Sheet, look: PreparedTheme, piece: ScreenPiece) -> None:
    """Draws what the clip shows of the piece, as far as it lies on the sheet."""
    rect, clip = extent(piece), piece.clip
    if (  # the sums are written out, for this is asked of every piece that is drawn
        rect.x >= clip.x
        and rect.y >= clip.y
        and rect.x + rect.width <= clip.x + clip.width
        and rect.y + rect.height <= clip.y + clip.height
        and rect.width >= _NARROW
        and rect.height >= _LOW
    ):
        DRAWERS[piece.kind](sheet, look, piece)
        return
    shown = rect.intersection(sheet.area).intersection(clip)
    if not shown.empty:
        copy = sheet.cut(shown)
        DRAWERS[piece.kind](copy, look, piece)
        sheet.put(copy.image, shown.x, shown.y)


def reach(piece: ScreenPiece) -> Rect:
    """The pixels that drawing the piece may change."""
    return extent(piece).intersection(piece.clip)


def extent(piece: ScreenPiece) -> Rect:
    """The pixels that the piece would change if nothing were clipped."""
    rect, kind = piece.rect, piece.kind
    if kind == "shadow":
        return rect.grown(surface_pieces.SHADOW, surface_pieces.SHADOW)
    if kind in ("popup", "tooltip"):
        return rect.grown(surface_pieces.SMALL_SHADOW, surface_pieces.SMALL_SHADOW)
    if kind in ("check", "radio"):
        return rect.grown(control_pieces.BOX_REACH, control_pieces.BOX_REACH)
    if kind == "pointer":
        return Rect(rect.x - 1, rect.y - 1, shape_masks.POINTER_WIDTH, shape_masks.POINTER_HEIGHT)
    if kind == "shape" and piece.style == "text":
        return text_box(piece)
    if kind == "shape":
        grown = rect.grown(SHAPE_REACH, SHAPE_REACH)
        return grown if piece.points is None else bounding_box((grown, line_box(piece.points)))
    return rect


def meet(one: Rect, other: Rect, third: Rect) -> bool:
    """True when three rectangles have a pixel in common. It is asked of every piece: its sums are written out."""
    return max(one.x, other.x, third.x) < min(
        one.x + one.width, other.x + other.width, third.x + third.width
    ) and max(one.y, other.y, third.y) < min(
        one.y + one.height, other.y + other.height, third.y + third.height
    )


def hides(piece: ScreenPiece, area: Rect, corner: int) -> bool:
    """True when nothing behind the piece shows in the area; `corner` is how far round corners reach into it."""
    if piece.kind not in SOLID or (piece.kind == "panel" and piece.style != "framed"):
        return False
    inset = 0 if piece.kind == "desktop" else corner
    solid = piece.rect.grown(-inset, -inset).intersection(piece.clip)
    return (
        solid.x <= area.x and solid.y <= area.y and solid.right >= area.right and solid.bottom >= area.bottom
    )
