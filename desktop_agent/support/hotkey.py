"""Shortcuts as settings: `ctrl+alt+enter`, their parts, and which combinations cannot be one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, NamedTuple, TypeAlias

from desktop_agent.protocol import keys
from desktop_agent.protocol.errors import Refused
from desktop_agent.support.language import later

Meaning: TypeAlias = Literal["approve", "skip", "edit", "show", "hints"]
MODIFIERS = ("ctrl", "alt", "shift", "super")
"""In the order in which a shortcut names them."""
_KEYS = frozenset(
    (*(chr(code) for code in range(ord("a"), ord("z") + 1)), *map(str, range(10)), *keys.FUNCTION[:24],
     *keys.MOVING, "enter", "backspace", "space", "insert", "delete", "tab")
)  # fmt: skip
_FUNCTION = frozenset(keys.FUNCTION)
_SYSTEM = frozenset((
    "ctrl+alt+delete", "ctrl+alt+shift+delete", "alt+tab", "alt+shift+tab", "ctrl+alt+tab", "super+tab", "alt+f4",
    "alt+space",
))  # fmt: skip
ESCAPE_STAYS = later("Esc stops the agent, always and everywhere, so nothing else can be on it.")
_TITLES = {
    "enter": "Enter",
    "backspace": "Backspace",
    "super": "Win",
    "page_up": "Page Up",
    "page_down": "Page Down",
}
_SYMBOLS = {"enter": "↵", "backspace": "⌫"}


class Hotkey(NamedTuple):
    """A shortcut: modifiers in their order, and one key by its canonical name (`protocol.keys`)."""

    modifiers: tuple[str, ...]
    key: str

    @property
    def text(self) -> str:
        """As config.toml holds it: `ctrl+alt+enter`."""
        return "+".join((*self.modifiers, self.key))

    @property
    def title(self) -> str:
        """As people read it: `Ctrl+Alt+Enter`."""
        return "+".join(_title(each) for each in (*self.modifiers, self.key))

    @property
    def cap(self) -> str:
        """As it stands on a button: `Ctrl Alt ↵`."""
        return " ".join((*map(_title, self.modifiers), _SYMBOLS.get(self.key) or _title(self.key)))


def parse_hotkey(text: str) -> Hotkey:
    """The shortcut of a setting. Raises Refused where there is no such combination, or it cannot be a shortcut."""
    names = [keys.canonical(part.strip()) for part in text.lower().split("+")]
    hotkey = Hotkey(tuple(each for each in MODIFIERS if each in names[:-1]), names[-1])
    unknown = [each for each in names[:-1] if each not in MODIFIERS]
    if unknown:
        raise Refused(f"{_title(unknown[0])} cannot be held for a shortcut.", "Hold Ctrl, Alt, Shift or Win.")
    if reason := hotkey_fault(hotkey):
        raise Refused(f"{hotkey.title} cannot be a shortcut: {reason}", "Choose another combination.")
    return hotkey


def hotkey_fault(hotkey: Hotkey) -> str:
    """Why this combination cannot be a shortcut, as a sentence for `tr`; "" when it can."""
    if hotkey.key == "escape":
        return ESCAPE_STAYS
    if keys.is_modifier(hotkey.key):
        return later("It needs a key besides Ctrl, Alt, Shift and Win.")
    if hotkey.key not in _KEYS:
        return later("Keyboards differ in this key. Take a letter, a digit, F1 to F24, an arrow or Enter.")
    if hotkey.text in _SYSTEM:
        return later("The system keeps this combination for itself.")
    if not hotkey.modifiers or (len(hotkey.modifiers) == 1 and hotkey.key not in _FUNCTION):
        return later("Applications use it themselves. Hold two of Ctrl, Alt, Shift and Win with it.")
    return ""


def hotkey_conflict(chosen: Mapping[str, str]) -> tuple[str, str] | None:
    """Two meanings that have the same shortcut; None when there are none. "" is no shortcut."""
    seen: dict[str, str] = {}
    for meaning, text in chosen.items():
        if text and (other := seen.setdefault(parse_hotkey(text).text, meaning)) != meaning:
            return other, meaning
    return None


def _title(key: str) -> str:
    return _TITLES.get(key) or key.replace("_", " ").title()
