"""Draws what is worked with and what is read in a form: buttons, fields, boxes, sliders, labels, progress."""

from __future__ import annotations

from desktop_agent.extras.avis.simulation.drawing.fonts import Typeface
from desktop_agent.extras.avis.simulation.drawing.pieces import ScreenPiece
from desktop_agent.extras.avis.simulation.painting import shape_masks
from desktop_agent.extras.avis.simulation.painting.prepared_theme import PreparedTheme
from desktop_agent.extras.avis.simulation.painting.sheet import Sheet
from desktop_agent.extras.avis.simulation.painting.surface_pieces import lines
from desktop_agent.protocol.geometry import Rect

BOXES = ("banner", "success", "error", "warning")
"""Styles of a label with a tinted box behind it."""


def label(sheet: Sheet, look: PreparedTheme, piece: ScreenPiece) -> None:
    rect, style = piece.rect, piece.style
    if style == "heading":
        sheet.fit(_indented(piece), look.heading, piece.text, _text_ink(look, piece))
    elif style in BOXES:
        sheet.framed(rect, look.radius, look.ink[f"{style}_line"], look.ink[f"{style}_box"])
        stripe = Rect(rect.x, rect.y, min(4, rect.width), rect.height)
        sheet.fill(
            stripe.x, stripe.y + look.radius, stripe.width, stripe.height - 2 * look.radius, look.ink[style]
        )
        left, right = piece.indent or look.padding + 4, look.padding
        inner = Rect(rect.x + left, rect.y, max(0, rect.width - left - right), rect.height)
        lines(sheet, look.text, piece.text, inner, look.ink["text"])
    else:
        ink = look.ink["muted"] if style == "muted" else _text_ink(look, piece)
        lines(sheet, look.text, piece.text, _indented(piece), ink)


def caption(sheet: Sheet, look: PreparedTheme, piece: ScreenPiece) -> None:
    """The name of a field, or of a panel (style "panel", in bold)."""
    face = look.bold if piece.style == "panel" else look.text
    sheet.fit(_indented(piece), face, piece.text, _text_ink(look, piece))


def separator(sheet: Sheet, look: PreparedTheme, piece: ScreenPiece) -> None:
    rect = piece.rect
    if rect.width >= rect.height:
        sheet.fill(rect.x, rect.y + rect.height // 2, rect.width, min(1, rect.height), look.ink["line"])
    else:
        sheet.fill(rect.x + rect.width // 2, rect.y, min(1, rect.width), rect.height, look.ink["line"])


def progress(sheet: Sheet, look: PreparedTheme, piece: ScreenPiece) -> None:
    _bar(sheet, look, piece, min(8, piece.rect.height), 0)


def slider(sheet: Sheet, look: PreparedTheme, piece: ScreenPiece) -> None:
    """The track, filled up to the ratio; the disc is a piece of its own."""
    if "focused" in piece.states:
        ring(sheet, look, piece.rect)
    _bar(sheet, look, piece, min(4, piece.rect.height), min(4, piece.rect.width // 2))


def _bar(sheet: Sheet, look: PreparedTheme, piece: ScreenPiece, thickness: int, inset: int) -> None:
    rect = piece.rect
    radius = thickness // 2 if look.radius else 0
    y, width = rect.y + (rect.height - thickness) // 2, rect.width - 2 * inset
    sheet.rounded(rect.x + inset, y, width, thickness, radius, look.ink["track"])
    filled = round(width * min(1.0, max(0.0, piece.ratio)))
    tone = "off_accent" if "disabled" in piece.states else "accent"
    sheet.rounded(rect.x + inset, y, filled, thickness, radius, look.ink[tone])


def knob(sheet: Sheet, look: PreparedTheme, piece: ScreenPiece) -> None:
    """A slider's disc: in the middle of a square rect, at the ratio of a wider one."""
    rect, states = piece.rect, piece.states
    size = min(rect.width, rect.height, look.box + 2)
    x = rect.x + (rect.width - size) // 2
    if rect.width > 2 * rect.height:
        x = rect.x + round((rect.width - size) * min(1.0, max(0.0, piece.ratio)))
    y = rect.y + (rect.height - size) // 2
    rim = "off_line" if "disabled" in states else "focus" if "focused" in states else "control_line_hovered"
    dot = "off_accent" if "disabled" in states else accented(states, "accent")
    core = 5 if "pressed" in states else 3 if "hovered" in states else 4
    for inset, tone in ((0, rim), (1, "field"), (core, dot)):
        if size > 2 * inset:
            side = size - 2 * inset
            _disc(sheet, look, x + inset, y + inset, side, look.ink[tone])


def accented(states: frozenset[str], tone: str) -> str:
    """The ink of something filled with the accent (or "danger"), by what the pointer does with it."""
    return f"{tone}_pressed" if "pressed" in states else f"{tone}_hovered" if "hovered" in states else tone


def button(sheet: Sheet, look: PreparedTheme, piece: ScreenPiece) -> None:
    rect, states, inks = piece.rect, piece.states, look.ink
    strong = {"primary": "accent", "danger": "danger"}.get(piece.style, "")
    if "disabled" in states:
        fill, line, text = inks["off"], inks["off_line"], inks["disabled"]
    elif strong:
        fill = line = inks[accented(states, strong)]
        text = inks["on_accent"]
    else:
        fill = inks[accented(states, "button")]
        line = inks["control_line_hovered" if "hovered" in states else "control_line"]
        text = inks["text"]
    if "focused" in states:
        ring(sheet, look, rect)
        rect = rect.grown(-3, -3)
        sheet.framed(rect, max(0, look.radius - 2), line, fill)
    else:
        sheet.framed(rect, look.radius, line, fill)
    inner = piece.rect.grown(-3, 0).moved(0, int("pressed" in states)).intersection(piece.rect)
    sheet.fit(inner, look.text, piece.text, text, "middle")


RING = 2
"""Width in pixels of the ring around what has the keyboard."""


def ring(sheet: Sheet, look: PreparedTheme, rect: Rect) -> None:
    """The ring around what has the keyboard, inside of the rect."""
    sheet.outline(rect, look.radius + 1 if look.radius else 0, look.ink["focus"], RING)


def link(sheet: Sheet, look: PreparedTheme, piece: ScreenPiece) -> None:
    rect, states, face = _indented(piece), piece.states, look.text
    if "focused" in states:
        ring(sheet, look, piece.rect)
    tone = "disabled" if "disabled" in states else "link_hovered" if "hovered" in states else "link"
    text = face.shortened(piece.text, rect.width)
    sheet.write(rect, face, text, look.ink[tone])
    below = rect.y + (rect.height + face.line) // 2 - 2
    line = Rect(rect.x, below, face.width(text), 1).intersection(rect)
    sheet.fill(line.x, line.y, line.width, line.height, look.ink[tone])


def field(sheet: Sheet, look: PreparedTheme, piece: ScreenPiece) -> None:
    """The box of a field or a text area; a text of its own stands in its first line."""
    _field_box(sheet, look, piece)
    if piece.text:
        inner = piece.rect.grown(-look.padding, 0)
        sheet.fit(inner, _face(look, piece), piece.text, _text_ink(look, piece))


def _field_box(sheet: Sheet, look: PreparedTheme, piece: ScreenPiece) -> None:
    states = piece.states
    if "disabled" in states:
        sheet.framed(piece.rect, look.radius, look.ink["off_line"], look.ink["off"])
        return
    inside = "bar" if "read_only" in states else "field"
    if "focused" in states:
        radius = look.radius + 1 if look.radius else 0
        sheet.framed(piece.rect, radius, look.ink["focus"], look.ink[inside], RING)
        return
    line = "control_line_hovered" if "hovered" in states else "control_line"
    sheet.framed(piece.rect, look.radius, look.ink[line], look.ink[inside])


def line(sheet: Sheet, look: PreparedTheme, piece: ScreenPiece) -> None:
    """A line of what was typed; where it is too long it is cut off, for it scrolls."""
    sheet.write(_indented(piece), _face(look, piece), piece.text, _text_ink(look, piece))


def placeholder(sheet: Sheet, look: PreparedTheme, piece: ScreenPiece) -> None:
    sheet.fit(_indented(piece), look.text, piece.text, look.ink["muted"])


def selected_text(sheet: Sheet, look: PreparedTheme, piece: ScreenPiece) -> None:
    rect = piece.rect
    sheet.fill(rect.x, rect.y, rect.width, rect.height, look.ink["selection"])
    sheet.write(_indented(piece), _face(look, piece), piece.text, look.ink["on_selection"])


def caret(sheet: Sheet, look: PreparedTheme, piece: ScreenPiece) -> None:
    rect = piece.rect
    sheet.fill(rect.x, rect.y, rect.width, rect.height, look.ink["text"])


def drop_down(sheet: Sheet, look: PreparedTheme, piece: ScreenPiece) -> None:
    """A field with the chosen option and an arrow."""
    rect, states = piece.rect, piece.states
    _field_box(sheet, look, piece)
    size = min(look.box, rect.height - 4)
    room = size + 2 * look.padding
    inner = Rect(rect.x + look.padding, rect.y, rect.width - look.padding - room, rect.height)
    text = look.ink["muted"] if piece.style == "placeholder" else _text_ink(look, piece)
    sheet.fit(inner, look.text, piece.text, text)
    if size > 0:
        tone = "disabled" if "disabled" in states else "accent" if "expanded" in states else "muted"
        x, y = rect.right - look.padding - size, rect.y + (rect.height - size) // 2
        sheet.stamp(x, y, shape_masks.chevron(size, "down"), look.ink[tone])


BOX_REACH = 3
"""Pixels that the ring around a box without a text reaches beyond the rect."""


def check(sheet: Sheet, look: PreparedTheme, piece: ScreenPiece) -> None:
    """A box to tick at the left of its rect, and its text."""
    box = _box(sheet, look, piece, min(look.radius, 4))
    line, inside = _box_inks(look, piece)
    sheet.framed(box, min(look.radius, 4), line, inside)
    if "checked" in piece.states:
        sheet.stamp(box.x, box.y, shape_masks.tick(box.width), _mark_ink(look, piece))


def radio(sheet: Sheet, look: PreparedTheme, piece: ScreenPiece) -> None:
    """A disc to choose at the left of its rect, and its text."""
    box = _box(sheet, look, piece, piece.rect.width)
    line, inside = _box_inks(look, piece)
    x, y, size = box.x, box.y, box.width
    sheet.stamp(x, y, shape_masks.ellipse(size, size), line)
    sheet.stamp(x + 1, y + 1, shape_masks.ellipse(size - 2, size - 2), inside)
    if "checked" in piece.states:
        inset = round(size * 0.3)
        dot = size - 2 * inset
        sheet.stamp(x + inset, y + inset, shape_masks.ellipse(dot, dot), _mark_ink(look, piece))


def _box(sheet: Sheet, look: PreparedTheme, piece: ScreenPiece, radius: int) -> Rect:
    """Draws focus and text. Returns the place of the box, which has this radius, before the text."""
    rect = piece.rect
    size = max(4, min(look.box, rect.height, rect.width))
    alone = rect.width < 2 * size  # its text is a label of its own
    x = rect.x + (0 if alone else 4) + piece.indent
    box = Rect(x, rect.y + (rect.height - size) // 2, size, size)
    if "focused" in piece.states:
        if alone:
            sheet.outline(box.grown(3, 3), radius + 3 if radius else 0, look.ink["focus"], RING)
        else:
            ring(sheet, look, rect)
    begin = box.right + max(6, look.padding)
    words = Rect(begin, rect.y, max(0, rect.right - begin - 3), rect.height)
    sheet.fit(words, look.text, piece.text, _text_ink(look, piece))
    return box


def _mark_ink(look: PreparedTheme, piece: ScreenPiece) -> int:
    return look.ink["window" if "disabled" in piece.states else "on_accent"]


def _box_inks(look: PreparedTheme, piece: ScreenPiece) -> tuple[int, int]:
    """Line and inside of a box."""
    states, inks = piece.states, look.ink
    if "disabled" in states:
        return inks["off_line"], inks["off_accent" if "checked" in states else "off"]
    if "checked" in states:
        tone = inks[accented(states, "accent")]
        return tone, tone
    pointed = "hovered" in states or "pressed" in states
    inside = "row_pressed" if "pressed" in states else "row_hovered" if "hovered" in states else "field"
    return inks["accent" if pointed else "control_line_hovered"], inks[inside]


def _disc(sheet: Sheet, look: PreparedTheme, x: int, y: int, size: int, ink: int) -> None:
    """A disc; a square where corners are not round."""
    if look.radius:
        sheet.stamp(x, y, shape_masks.ellipse(size, size), ink)
    else:
        sheet.fill(x, y, size, size, ink)


def _indented(piece: ScreenPiece) -> Rect:
    rect = piece.rect
    if not piece.indent:
        return rect
    return Rect(rect.x + piece.indent, rect.y, max(0, rect.width - piece.indent), rect.height)


def _face(look: PreparedTheme, piece: ScreenPiece) -> Typeface:
    return look.mono if piece.style == "code" else look.text


def _text_ink(look: PreparedTheme, piece: ScreenPiece) -> int:
    return look.ink["disabled" if "disabled" in piece.states else "text"]
