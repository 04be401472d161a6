"""Detects ESC in the hand itself, by the state of the key, which says nothing of who pressed it.

The guard's hook is told of each press, in order; this is for when Windows has dropped that hook, or its
process does not get its turn. Source: GetAsyncKeyState of the Windows API (winuser.h).
"""

from __future__ import annotations

from collections.abc import Callable


class EscapeState:
    """`ask` tells whether the key was pressed since it was asked last, and whether it is down."""

    def __init__(self, ask: Callable[[], tuple[bool, bool]]) -> None:
        self._ask = ask
        self._down = ask()[1]
        self._own = False
        """From our own press until the key has been seen up after its release: until then the state is ours."""
        self._released = True

    def own_press(self) -> None:
        """We are about to press it."""
        self._own, self._released = True, False

    def own_release(self) -> None:
        """We have released it."""
        self._released = True

    def pressed(self) -> bool:
        """True once for each press by somebody else that can be told from ours."""
        was, down = self._ask()
        if self._own:
            self._own = not self._released or down
            self._down = down
            return False
        fresh = was or (down and not self._down)
        self._down = down
        return fresh
