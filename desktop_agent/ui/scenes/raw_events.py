"""Qt's key and mouse events as raw input events of a simulated desktop."""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent, QWheelEvent

from desktop_agent.protocol.input_events import Button, InputEvent, KeyDown, KeyUp, Text, Wheel

NOTCH = 120
"""Qt's units of one notch of a wheel."""
MOST_TEXT = 32
BUTTONS: dict[Qt.MouseButton, Button] = {
    Qt.MouseButton.LeftButton: "left",
    Qt.MouseButton.MiddleButton: "middle",
    Qt.MouseButton.RightButton: "right",
    Qt.MouseButton.BackButton: "back",
    Qt.MouseButton.ForwardButton: "forward",
}
_KEYS = {
    Qt.Key.Key_Return: "enter", Qt.Key.Key_Enter: "enter", Qt.Key.Key_Backspace: "backspace",
    Qt.Key.Key_Space: "space", Qt.Key.Key_Insert: "insert", Qt.Key.Key_Delete: "delete", Qt.Key.Key_Tab: "tab",
    Qt.Key.Key_Backtab: "tab", Qt.Key.Key_Up: "up", Qt.Key.Key_Down: "down", Qt.Key.Key_Left: "left",
    Qt.Key.Key_Right: "right", Qt.Key.Key_Home: "home", Qt.Key.Key_End: "end", Qt.Key.Key_PageUp: "page_up",
    Qt.Key.Key_PageDown: "page_down", Qt.Key.Key_Escape: "escape",
    **{Qt.Key(Qt.Key.Key_F1 + number): f"f{number + 1}" for number in range(24)},
}  # fmt: skip
_MODIFIERS = {
    Qt.KeyboardModifier.ControlModifier: "ctrl",
    Qt.KeyboardModifier.ShiftModifier: "shift",
    Qt.KeyboardModifier.AltModifier: "alt",
    Qt.KeyboardModifier.MetaModifier: "super",
}


class HeldModifiers:
    """Which modifiers the desktop believes to be held: it is told only when that matters.

    So none is left held by a release that went to another window.
    """

    def __init__(self) -> None:
        self._held: frozenset[str] = frozenset()

    def become(self, wanted: frozenset[str]) -> Iterator[InputEvent]:
        """Events after which exactly these are held."""
        before, self._held = self._held, wanted
        for name in sorted(before - wanted):
            yield KeyUp(name)
        for name in sorted(wanted - before):
            yield KeyDown(name)


def modifiers_of(held: Qt.KeyboardModifier) -> frozenset[str]:
    """The modifiers of a Qt event by their canonical names."""
    return frozenset(name for flag, name in _MODIFIERS.items() if held & flag)


def key_events(event: QKeyEvent, held: HeldModifiers) -> Iterator[InputEvent]:
    """What a pressed key does on the desktop: the characters it writes, or the key with what is held with it."""
    modifiers, text = modifiers_of(event.modifiers()), event.text()
    third_level = {"ctrl", "alt"} <= modifiers  # AltGr, as Windows tells it
    written = bool(text) and text.isprintable() and (third_level or modifiers <= {"shift"})
    if written and text != " ":  # the space bar is a key that may open or tick something
        yield from held.become(frozenset())
        yield from typed(text)
        return
    name = key_name(event)
    if name:
        yield from held.become(modifiers)
        yield KeyDown(name)
        yield KeyUp(name)


def key_name(event: QKeyEvent) -> str:
    """The canonical name of a key, "" for one that a desktop is not told of by itself."""
    try:
        key = Qt.Key(event.key())
    except ValueError:  # a key that Qt has no name for
        return ""
    if key in _KEYS:
        return _KEYS[key]
    code = int(key)
    return chr(code).lower() if 0x21 <= code <= 0xFF and chr(code).isprintable() else ""


def typed(text: str) -> Iterator[InputEvent]:
    """Text as events, none of them longer than one may be."""
    for start in range(0, len(text), MOST_TEXT):
        yield Text(text[start : start + MOST_TEXT])


class WheelNotches:
    """Whole notches of a wheel, also of one that turns by fractions."""

    def __init__(self) -> None:
        self._x = self._y = 0

    def turned(self, event: QWheelEvent) -> Wheel | None:
        """What the desktop is told; None until a notch is full."""
        turn = event.angleDelta()
        self._x += turn.x()
        self._y += turn.y()
        across, up = int(self._x / NOTCH), int(self._y / NOTCH)
        self._x -= across * NOTCH
        self._y -= up * NOTCH
        return Wheel(-across, up) if across or up else None
