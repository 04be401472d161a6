"""Draws what lies below and above everything: the desktop, windows and their shadows, pop-ups, tooltips, the pointer."""

from __future__ import annotations

from functools import lru_cache

from PIL import Image

from desktop_agent.extras.avis.simulation.drawing.fonts import Typeface
from desktop_agent.extras.avis.simulation.drawing.pieces import ScreenPiece
from desktop_agent.extras.avis.simulation.painting import shape_masks
from desktop_agent.extras.avis.simulation.painting.prepared_theme import PreparedTheme
from desktop_agent.extras.avis.simulation.painting.sheet import MODE, Sheet
from desktop_agent.protocol.geometry import Rect

SHADOW, SMALL_SHADOW = 22, 9
"""How many pixels a window's shadow reaches, and that of a pop-up or a tooltip."""


def desktop(sheet: Sheet, look: PreparedTheme, piece: ScreenPiece) -> None:
    rect = piece.rect
    if look.radius:  # a theme without round corners has a plain desktop, too
        picture = _wallpaper(rect.width, rect.height, look.ink["desktop"], look.ink["desktop_below"])
        sheet.put(picture, rect.x, rect.y)
    else:
        sheet.fill(rect.x, rect.y, rect.width, rect.height, look.ink["desktop"])


@lru_cache(maxsize=4)
def _wallpaper(width: int, height: int, top: int, bottom: int) -> Image.Image:
    """From one ink to the other."""
    first, last = (ink.to_bytes(4, "little", signed=True) for ink in (top, bottom))
    rows = bytearray()
    for y in range(height):
        share = y / max(1, height - 1)
        rows += bytes(round(a + (b - a) * share) for a, b in zip(first, last, strict=True))
    return Image.frombytes(MODE, (1, height), bytes(rows)).resize((width, height), Image.Resampling.NEAREST)


def shadow(sheet: Sheet, look: PreparedTheme, piece: ScreenPiece) -> None:
    """The shadow around a window, whose rect it has; a stronger one for the window in front."""
    cast(sheet, look, piece.rect, SHADOW, 120 if "front" in piece.states else 76)


def cast(sheet: Sheet, look: PreparedTheme, rect: Rect, reach: int, opacity: int) -> None:
    """The shadow of something with this rect, a little lower than it; within `reach` pixels around it."""
    lower = reach // 5
    blur = reach - lower
    radius = look.window_radius
    strips = shape_masks.shadow(
        rect.width, rect.height, blur, max(0, radius - lower), radius + lower, opacity
    )
    for strip in strips:
        sheet.stamp(rect.x + strip.x, rect.y + strip.y + lower, strip.mask, look.ink["shadow"])


def window(sheet: Sheet, look: PreparedTheme, piece: ScreenPiece) -> None:
    sheet.framed(piece.rect, look.window_radius, look.ink["window_line"], look.ink["window"])


def title_bar(sheet: Sheet, look: PreparedTheme, piece: ScreenPiece) -> None:
    """Inside of the line around the window, which has the same left, top and width."""
    rect = piece.rect
    ink = look.ink["title_bar" if "front" in piece.states else "title_bar_behind"]
    radius = look.window_radius - 1
    sheet.rounded(rect.x + 1, rect.y + 1, rect.width - 2, rect.height - 1, radius, ink, below=False)
    sheet.fill(rect.x + 1, rect.bottom - 1, rect.width - 2, 1, look.ink["line"])


def title(sheet: Sheet, look: PreparedTheme, piece: ScreenPiece) -> None:
    front = "front" in piece.states
    sheet.fit(piece.rect, look.bold, piece.text, look.ink["title" if front else "muted"])


def close(sheet: Sheet, look: PreparedTheme, piece: ScreenPiece) -> None:
    """The × of a window, on a disc (a square where corners are not round)."""
    rect, states = piece.rect, piece.states
    size = min(rect.width, rect.height, look.text.line + 8)
    x, y = rect.x + (rect.width - size) // 2, rect.y + (rect.height - size) // 2
    radius = size // 2 if look.radius else 0
    lit = "hovered" in states or "pressed" in states
    tone = "close_pressed" if "pressed" in states else "close_lit" if lit else "header_hovered"
    sheet.rounded(x, y, size, size, radius, look.ink[tone])
    inner = max(9, round(size * 0.66))
    inset = (size - inner) // 2
    sheet.stamp(x + inset, y + inset, shape_masks.cross(inner), look.ink["on_accent" if lit else "title"])


def panel(sheet: Sheet, look: PreparedTheme, piece: ScreenPiece) -> None:
    """A box around a group of elements with style "framed"; else it shows itself only where it can be dragged."""
    if piece.style == "framed":
        sheet.framed(piece.rect, look.radius, look.ink["line"], look.ink["panel"])
    if "draggable" in piece.states and {"hovered", "pressed"} & piece.states:
        sheet.outline(piece.rect, look.radius, look.ink["control_line_hovered"], 1)


def popup(sheet: Sheet, look: PreparedTheme, piece: ScreenPiece) -> None:
    """The box of an opened menu or list, with its shadow."""
    cast(sheet, look, piece.rect, SMALL_SHADOW, 90)
    sheet.framed(piece.rect, look.radius, look.ink["control_line"], look.ink["field"])


def tooltip(sheet: Sheet, look: PreparedTheme, piece: ScreenPiece) -> None:
    rect = piece.rect
    cast(sheet, look, rect, SMALL_SHADOW, 70)
    sheet.framed(rect, look.radius, look.ink["window_line"], look.ink["tooltip"])
    inner = rect.grown(-min(look.padding, 8), -1)
    lines(sheet, look.small, piece.text, inner, look.ink["tooltip_text"])


def lines(sheet: Sheet, face: Typeface, text: str, rect: Rect, ink: int) -> None:
    """A text over as many lines as the rect has room for; what is too much is shortened."""
    room = max(1, rect.height // face.line)
    if room == 1 or ("\n" not in text and face.width(text) <= rect.width):
        sheet.fit(rect, face, text, ink)
        return
    broken = [line for _, line in face.wrapped(text, rect.width)]
    if len(broken) > room:
        broken = [*broken[: room - 1], "".join(broken[room - 1 :])]
    top = rect.y + (rect.height - len(broken) * face.line) // 2
    for number, line in enumerate(broken):
        sheet.fit(Rect(rect.x, top + number * face.line, rect.width, face.line), face, line, ink)


def drag(sheet: Sheet, look: PreparedTheme, piece: ScreenPiece) -> None:
    """What is being dragged, as a small ghost."""
    rect = piece.rect
    radius = min(look.radius, rect.width // 2, rect.height // 2)
    sheet.stamp(rect.x, rect.y, shape_masks.veil(rect.width, rect.height, radius, 205), look.ink["accent"])
    sheet.fit(rect.grown(-min(look.padding, 8), 0), look.text, piece.text, look.ink["on_accent"], "middle")


def pointer(sheet: Sheet, look: PreparedTheme, piece: ScreenPiece) -> None:
    """The arrow, whose point is at the rect's top left; always of the same size and black on white."""
    rim, arrow = shape_masks.pointer()
    sheet.stamp(piece.rect.x - 1, piece.rect.y - 1, rim, look.ink["pointer_rim"])
    sheet.stamp(piece.rect.x - 1, piece.rect.y - 1, arrow, look.ink["pointer"])
