"""Releasing what somebody else holds on Windows, and seeing that it is up."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from itertools import chain

from desktop_agent.hand.ledger import BUTTONS
from desktop_agent.protocol.errors import HandError, TargetError
from desktop_agent.protocol.events import Button, ButtonUp
from desktop_agent.target.windows import records
from desktop_agent.target.windows.keycodes import PACKET
from desktop_agent.target.windows.records import KEY_EXTENDED, KEY_UNICODE, KEY_UP, Key, Record
from desktop_agent.target.windows.user32 import User32

BUTTON_CODES: dict[Button, int] = {"left": 0x01, "right": 0x02, "middle": 0x04, "back": 0x05, "forward": 0x06}
"""Virtual keys of the buttons."""
# The ledger has codes alone, and a key that was pressed with the mark must be released with it: so both ways.
_MARKS = (0, KEY_EXTENDED)


def connect() -> Releaser:
    """Raises HandError when this is not a Windows session."""
    try:
        return Releaser(User32())
    except TargetError as error:
        raise HandError(error.message, error.advice) from error


# While Windows asks for a password itself, or the screen is locked, it takes input from nobody else.
PATIENCE, PAUSE = 3_600.0, 0.1


class Releaser:
    """Lets go of virtual keys and buttons, whoever pressed them."""

    def __init__(self, user32: User32) -> None:
        self._user32 = user32

    def release(self, keys: Sequence[int], buttons: Sequence[int]) -> bool:
        """Release virtual keys and buttons (indices of `ledger.BUTTONS`; those after them are the wheel,
        which holds nothing here); True when all of them are up.

        While Windows takes no input this waits: what is held must be let go whenever that is over. Raises
        TargetError when it is not over within an hour.
        """
        names = [BUTTONS[index] for index in buttons if index < len(BUTTONS)]
        swapped = self._user32.buttons_swapped()
        ups = list(chain.from_iterable(map(self._ups, keys)))
        mouse = [records.button(ButtonUp(name), swapped) for name in names]
        if ups or mouse:
            self._send([*ups, *mouse])
        down = (*keys, *(BUTTON_CODES[name] for name in names))
        return not any(self._user32.down(code) for code in down)

    def _ups(self, code: int) -> list[Key]:
        if code == PACKET:  # released as it was pressed
            return [Key(0, 0, KEY_UP | KEY_UNICODE)]
        return [Key(code, self._user32.scan_code(code), KEY_UP | mark) for mark in _MARKS]

    def _send(self, ups: Sequence[Record]) -> None:
        for _ in range(int(PATIENCE / PAUSE)):
            try:
                self._user32.send(ups)
            except TargetError:
                threading.Event().wait(PAUSE)
            else:
                return
        raise TargetError("Windows takes no input of ours.", "Press and release every key that seems stuck.")
