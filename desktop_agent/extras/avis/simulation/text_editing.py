"""Editing in text fields and areas: caret, selection, clipboard, undo; and the character of a key together with the keys that are held."""

from __future__ import annotations

from typing import Protocol

from desktop_agent.extras.avis.simulation.widget import Widget

_KEPT = 50
_WORD_KEYS = ("left", "right", "backspace", "delete")


_SIDES = ("_left", "_right")
_MODIFIERS = ("ctrl", "shift", "alt", "super", "altgr")
_ORDER = {name: index for index, name in enumerate(_MODIFIERS)}
_LOCKED = "caps_lock"


class TextClipboard(Protocol):
    """What copied text is kept in."""

    clipboard: str


def insert(widget: Widget, text: str) -> bool:
    """Put a text in place of the selection; False where the field takes none of it."""
    if widget.type == "text_field":
        text = text.replace("\n", " ").replace("\r", "")
    begin, end = widget.selection
    limit = widget.get("max_length")
    if limit is not None:
        text = text[: max(0, int(limit) - (len(widget.value) - (end - begin)))]
    if not text and begin == end:
        return False
    _keep(widget)
    widget.value = widget.value[:begin] + text + widget.value[end:]
    widget.caret = widget.anchor = begin + len(text)
    return True


def press(
    widget: Widget, key: str, held: frozenset[str], clipboard: TextClipboard, lines: list[tuple[int, str]]
) -> bool | None:
    """Do what a key does in a text. True when its text changed, False when only the caret did, None when it means nothing here."""
    control, shift = "ctrl" in held, "shift" in held
    if control and key not in _WORD_KEYS and key not in ("home", "end"):
        return _shortcut(widget, key, clipboard)
    begin, end = widget.selection
    text = widget.value
    match key:
        case "backspace" | "delete" if widget.get("is_read_only"):
            return False
        case "backspace" | "delete":
            if begin == end:
                other = _moved(widget, "left" if key == "backspace" else "right", control, lines)
                begin, end = min(end, other), max(end, other)
            if begin == end:
                return False
            _keep(widget)
            widget.value = text[:begin] + text[end:]
            widget.caret = widget.anchor = begin
            return True
        case "left" | "right" | "up" | "down" | "home" | "end":
            if widget.type == "text_field" and key in ("up", "down"):
                return None
            if begin != end and not shift and key in ("left", "right"):
                widget.caret = begin if key == "left" else end
            else:
                widget.caret = _moved(widget, key, control, lines)
            if not shift:
                widget.anchor = widget.caret
            return False
    return None


def _shortcut(widget: Widget, key: str, clipboard: TextClipboard) -> bool | None:
    begin, end = widget.selection
    match key:
        case "a":
            widget.anchor, widget.caret = 0, len(widget.value)
            return False
        case "c" | "x":
            if begin != end and not widget.get("is_secret"):
                clipboard.clipboard = widget.value[begin:end]
                if key == "x" and not widget.get("is_read_only"):
                    return insert(widget, "")
            return False
        case "v":
            return False if widget.get("is_read_only") else insert(widget, clipboard.clipboard)
        case "z":
            if not widget.undo:
                return False
            widget.value, widget.caret = widget.undo.pop()
            widget.anchor = widget.caret
            return True
    return None


def select_word(widget: Widget) -> None:
    """Select the word at the caret, as a double click does."""
    text, begin = widget.value, widget.caret
    end = begin
    while begin > 0 and text[begin - 1].isalnum():
        begin -= 1
    while end < len(text) and text[end].isalnum():
        end += 1
    widget.anchor, widget.caret = begin, end


def _keep(widget: Widget) -> None:
    widget.undo.append((widget.value, widget.caret))
    del widget.undo[:-_KEPT]


def _moved(widget: Widget, key: str, by_word: bool, lines: list[tuple[int, str]]) -> int:
    """Where the caret comes by a key."""
    text, at = widget.value, widget.caret
    row = max((index for index, (start, _) in enumerate(lines) if start <= at), default=0)
    match key:
        case "home":
            return 0 if by_word or not lines else lines[row][0]
        case "end":
            return len(text) if by_word or not lines else lines[row][0] + len(lines[row][1].rstrip("\n"))
        case "up" | "down":
            other = row + (1 if key == "down" else -1)
            if not 0 <= other < len(lines):
                return 0 if key == "up" else len(text)
            return min(lines[other][0] + at - lines[row][0], lines[other][0] + len(lines[other][1]))
    step = -1 if key == "left" else 1
    at = max(0, min(len(text), at + step))
    while by_word and 0 < at < len(text) and text[at - 1].isalnum() == text[at].isalnum():
        at += step
    return at


class HeldKeys:
    """Which keys are down, by their canonical names; sided modifiers count as their plain ones."""

    def __init__(self) -> None:
        self._down: set[str] = set()
        self.caps = False

    def down(self, key: str) -> None:
        self._down.add(_plain(key))
        self.caps ^= key == _LOCKED

    def up(self, key: str) -> None:
        self._down.discard(_plain(key))

    def release(self) -> None:
        self._down.clear()

    @property
    def held(self) -> frozenset[str]:
        return frozenset(self._down)

    @property
    def shift(self) -> bool:
        return "shift" in self._down

    @property
    def commands(self) -> bool:
        """Is a key held with which characters are shortcuts?"""
        return bool(self._down & {"ctrl", "alt", "super"})

    def is_modifier(self, key: str) -> bool:
        return _plain(key) in _MODIFIERS or key == _LOCKED

    def written(self, char: str) -> str:
        """The character that a key writes with what is held."""
        return char.upper() if (self.shift ^ self.caps) and len(char.upper()) == 1 else char

    def combination(self, key: str) -> str:
        """Like "ctrl+shift+s"."""
        held = sorted(self._down & set(_MODIFIERS), key=_ORDER.__getitem__)
        return "+".join([*held, key.lower()])


def _plain(key: str) -> str:
    for side in _SIDES:
        key = key.removesuffix(side)
    return key
