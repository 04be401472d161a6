"""Releases on Windows what another process holds, and checks that it is up."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from itertools import chain

from desktop_agent.platforms.base import Releaser
from desktop_agent.platforms.windows.input import sendinput_records
from desktop_agent.platforms.windows.input.keycodes import BUTTON_CODES, PACKET
from desktop_agent.platforms.windows.input.sendinput_records import (
    KEY_EXTENDED,
    KEY_UNICODE,
    KEY_UP,
    KeyRecord,
    Record,
)
from desktop_agent.platforms.windows.integrity_level import foreground_has_more_rights, has_more_rights
from desktop_agent.platforms.windows.user32 import User32
from desktop_agent.protocol.errors import TargetError
from desktop_agent.protocol.input_events import ButtonUp

_BUTTONS = {code: name for name, code in BUTTON_CODES.items()}
# The ledger has codes alone, and a key that was pressed with the mark must be released with it: so both ways.
_MARKS = (0, KEY_EXTENDED)


# While Windows asks for a password itself, or the screen is locked, it takes input from nobody else; while a
# window of an administrator has the keyboard, it drops ours without a word.
PATIENCE, PAUSE = 3_600.0, 0.1


class WindowsReleaser(Releaser):
    """Lets go of virtual keys and buttons (`BUTTON_CODES`), whoever pressed them. See Releaser."""

    def __init__(self, user32: User32, above: Callable[[int], bool] = has_more_rights) -> None:
        self._user32, self._above = user32, above

    def release(self, keys: Sequence[int], buttons: Sequence[int]) -> bool:
        """While Windows takes no input this waits: what is held must be let go whenever that is over. Raises
        TargetError when it is not over within an hour.
        """
        names = [_BUTTONS[code] for code in buttons]
        swapped = self._user32.buttons_swapped()
        ups = list(chain.from_iterable(map(self._ups, keys)))
        mouse = [sendinput_records.mouse_button(ButtonUp(name), swapped) for name in names]
        if ups or mouse:
            self._send([*ups, *mouse])
        down = (*keys, *(BUTTON_CODES[sendinput_records.physical(name, swapped)] for name in names))
        return not any(self._user32.down(code) for code in down)

    def _ups(self, code: int) -> list[KeyRecord]:
        if code == PACKET:  # released as it was pressed
            return [KeyRecord(0, 0, KEY_UP | KEY_UNICODE)]
        return [KeyRecord(code, self._user32.scan_code(code), KEY_UP | mark) for mark in _MARKS]

    def _send(self, ups: Sequence[Record]) -> None:
        for _ in range(int(PATIENCE / PAUSE)):
            if not foreground_has_more_rights(self._user32, self._above):
                with suppress(TargetError):
                    self._user32.send(ups)
                    return
            threading.Event().wait(PAUSE)
        raise TargetError("Windows takes no input of ours.", "Press and release every key that seems stuck.")
