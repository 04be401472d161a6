"""The human at the keyboard of a test's display: another X client that injects through XTest."""

from __future__ import annotations

from collections.abc import Mapping

import xcffib.xtest

from desktop_agent.platforms.x11.connection import Display

ESCAPE = 9
_PRESS, _RELEASE = 2, 3
_BUTTON_PRESS = 4


class Human:
    """Presses keys by keycode."""

    def __init__(self, environment: Mapping[str, str]) -> None:
        self.display = Display(environment)
        self._xtest = self.display.extension(xcffib.xtest.key)

    def press(self, code: int) -> None:
        self._fake(_PRESS, code)

    def press_button(self, number: int) -> None:
        self._fake(_BUTTON_PRESS, number)

    def release(self, code: int) -> None:
        self._fake(_RELEASE, code)

    def tap(self, code: int = ESCAPE) -> None:
        """Press and release at once, as a remote desktop or an on-screen keyboard does."""
        self._xtest.FakeInput(_PRESS, code, 0, self.display.root, 0, 0, 0)
        self._fake(_RELEASE, code)

    def _fake(self, kind: int, code: int) -> None:
        self._xtest.FakeInput(kind, code, 0, self.display.root, 0, 0, 0)
        self.display.sync()

    def mapping(self) -> tuple[int, ...]:
        """The whole keyboard mapping."""
        return tuple(self.display.core.GetKeyboardMapping(8, 248).reply().keysyms)

    def close(self) -> None:
        self.display.close()
