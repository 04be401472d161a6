"""What requestor and owner of an X selection share: its content and a window for it.

Source: ICCCM 2, "Peer-to-Peer Communication by Means of Selections".
"""

from __future__ import annotations

import io
import select
import struct
import time
from collections import deque
from collections.abc import Mapping
from typing import Any

import msgspec
import xcffib
from xcffib.xproto import CW, EventMask, PropMode, WindowClass

from desktop_agent.platforms.x11.connection import Display

CLIPBOARD = "CLIPBOARD"
CHANGE_PROPERTY = 18  # opcode of the X11 protocol
NOT_DATA = frozenset((
    "TARGETS", "MULTIPLE", "TIMESTAMP", "SAVE_TARGETS", "DELETE", "INSERT_SELECTION", "INSERT_PROPERTY",
))  # fmt: skip
"""Targets that are queries or commands, not formats of the content."""


class SelectionForm(msgspec.Struct, frozen=True):
    """The content in one format: `target` and `type` are names of atoms, `format` is bits per item (8, 16, 32).

    Its repr hides the data, which belong to the user and must not reach a log.
    """

    target: str
    type: str
    format: int
    data: bytes

    def __repr__(self) -> str:
        return f"SelectionForm({self.target}, {len(self.data)} bytes)"


class SelectionContent(msgspec.Struct, frozen=True):
    """Everything a selection held, one entry per format; none when nobody owned it."""

    forms: tuple[SelectionForm, ...] = ()


class SelectionWindow:
    """An unmapped window on a connection of its own that requests or owns selections, with its event queue."""

    def __init__(self, environment: Mapping[str, str]) -> None:
        self.display = Display(environment)
        self.id: int = self.display.connection.generate_id()
        self.display.core.CreateWindow(
            0, self.id, self.display.root, 0, 0, 1, 1, 0, WindowClass.InputOnly, 0,
            CW.EventMask, [EventMask.PropertyChange],
        )  # fmt: skip
        self.clipboard = self.display.atom(CLIPBOARD)
        self._names: dict[int, str] = {}
        self._passed: deque[Any] = deque()

    def owner(self) -> int:
        """The window that owns the clipboard, 0 for none."""
        return int(self.display.core.GetSelectionOwner(self.clipboard).reply().owner)

    def now(self) -> int:
        """The server's time in milliseconds, from the event of a property change (ICCCM 2.1 forbids CurrentTime)."""
        atom = self.display.atom("DESKTOP_AGENT_TIME")
        self.set(self.id, atom, self.display.atom("STRING"), 8, b"", PropMode.Append)
        passed: list[Any] = []
        try:
            while (event := self.event(time.monotonic() + 5)) is not None:
                if isinstance(event, xcffib.xproto.PropertyNotifyEvent) and event.atom == atom:
                    return int(event.time)
                passed.append(event)
        finally:
            self._passed.extend(passed)
        return 0

    def event(self, deadline: float) -> Any:
        """The next event; None when none arrives before the deadline (monotonic seconds)."""
        if self._passed:
            return self._passed.popleft()
        self.display.flush()
        while True:
            try:
                event = self.display.connection.poll_for_event()
            except xcffib.Error:  # about a window that no longer exists
                continue
            if event is not None:
                return event
            left = deadline - time.monotonic()
            if left <= 0:
                return None
            select.select([self.display.connection.get_file_descriptor()], [], [], left)

    def name(self, atom: int) -> str:
        """An atom's name, cached."""
        if atom not in self._names:
            self._names[atom] = self.display.core.GetAtomName(atom).reply().name.raw.decode("latin-1")
        return self._names[atom]

    def set(
        self, window: int, atom: int, kind: int, format: int, data: bytes, mode: int = PropMode.Replace
    ) -> None:
        """Set a property of any window, or append to it (`mode`); `format` is bits per item."""
        head = struct.pack("=xB2xIIIB3xI", mode, window, atom, kind, format, len(data) * 8 // format)
        # Packed by hand: xcffib would turn megabytes into a list of bytes first.
        self.display.core.send_request(CHANGE_PROPERTY, io.BytesIO(head + data))

    @property
    def largest(self) -> int:
        """Bytes of a property that are sent at once; larger content goes in pieces (INCR)."""
        words: int = self.display.connection.get_setup().maximum_request_length
        return min(words * 4 - 100, 200_000)

    def close(self) -> None:
        self.display.close()


def atoms(data: bytes) -> list[int]:
    """The numbers in a property of 32-bit units."""
    return list(struct.unpack(f"={len(data) // 4}I", data[: len(data) // 4 * 4]))


def packed(*numbers: int) -> bytes:
    """Numbers as a property of 32-bit units."""
    return struct.pack(f"={len(numbers)}I", *numbers)
