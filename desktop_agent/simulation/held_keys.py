"""The keys that are held on a simulated desktop, and what they make of a character."""

from __future__ import annotations

_SIDES = ("_left", "_right")
_MODIFIERS = ("ctrl", "shift", "alt", "super", "altgr")
_ORDER = {name: index for index, name in enumerate(_MODIFIERS)}
_LOCKED = "caps_lock"


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
