"""Which function draws which kind of piece, and which pixels it may change."""

from __future__ import annotations

from collections.abc import Callable

from desktop_agent.protocol.geometry import Rect, bounding_box
from desktop_agent.simulation.drawing.pieces import Kind, ScreenPiece
from desktop_agent.simulation.painting import collection_pieces, control_pieces, shape_masks, surface_pieces
from desktop_agent.simulation.painting.prepared_theme import PreparedTheme
from desktop_agent.simulation.painting.sheet import Sheet

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
    "list": collection_pieces.frame,
    "table": collection_pieces.frame,
    "canvas": collection_pieces.frame,
    "row": collection_pieces.row,
    "cell": collection_pieces.cell,
    "column": collection_pieces.column,
    "row_action": collection_pieces.row_action,
    "expander": collection_pieces.expander,
    "tab_bar": collection_pieces.tab_bar,
    "tab": collection_pieces.tab,
    "menu_bar": collection_pieces.menu_bar,
    "menu": collection_pieces.menu,
    "menu_item": collection_pieces.menu_item,
    "shortcut": collection_pieces.shortcut,
    "shape": collection_pieces.shape,
    "scroll_bar": collection_pieces.scroll_bar,
    "scroll_thumb": collection_pieces.scroll_thumb,
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
        return collection_pieces.text_box(piece)
    if kind == "shape":
        grown = rect.grown(collection_pieces.SHAPE_REACH, collection_pieces.SHAPE_REACH)
        return (
            grown if piece.points is None else bounding_box((grown, collection_pieces.line_box(piece.points)))
        )
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
