"""The process that owns the CLIPBOARD selection with restored content, and serves it until another owner takes over."""

from __future__ import annotations

import contextlib
import os
import sys
import time
from dataclasses import dataclass
from typing import Any

import msgspec
import xcffib
from xcffib.xproto import (
    CW,
    Atom,
    EventMask,
    PropertyNotifyEvent,
    SelectionClearEvent,
    SelectionNotifyEvent,
    SelectionRequestEvent,
)

from desktop_agent.platforms.x11.clipboard.icccm import (
    SelectionContent,
    SelectionForm,
    SelectionWindow,
    atoms,
    packed,
)
from desktop_agent.platforms.x11.connection import display_errors, reply_or_none
from desktop_agent.protocol.errors import TargetError

PATIENCE = 30.0
"""Seconds a reader may take for its next piece."""
_LONG = 3_600.0


NOW, DUE, NOT_DUE = "now", "due", "not due"
"""What a line on stdin says: take it now; take it if whoever writes dies and the window with this id still owns it; or not."""


def serve() -> int:
    """Read the content from stdin (its length as a line before it), then orders; print `ready` once it is the owner.

    Serves until another owner takes over. Returns the exit code, 1 when the display is gone.
    """
    length = int(sys.stdin.buffer.readline() or b"0")
    content = msgspec.msgpack.decode(sys.stdin.buffer.read(length), type=SelectionContent)
    try:
        window = SelectionWindow(os.environ)
        with display_errors(window.display.name):
            if _is_wanted(window):
                server = Server(window, content)
                if server.take():
                    with contextlib.suppress(BrokenPipeError):  # nobody is left to hear it
                        os.write(1, b"ready\n")
                    os.close(1)
                    server.run()
    except TargetError:
        return 1
    return 0


def _is_wanted(window: SelectionWindow) -> bool:
    """Follow the orders; True when the content is to be put back, at once or as the writer has died while that was due."""
    owner = -1
    for line in sys.stdin.buffer:
        order, _, number = line.decode().strip().partition(":")
        if order == NOW:
            return True
        owner = int(number) if order == DUE else -1
    return owner == window.owner()


@dataclass
class _Pieces:
    """A transfer in pieces to one requestor; `sent` counts the bytes sent, `since` is the time of the last piece."""

    form: SelectionForm
    kind: int
    since: float
    sent: int = 0


class Server:
    """Owns the selection of one display with one content."""

    def __init__(self, window: SelectionWindow, content: SelectionContent) -> None:
        self._window = window
        self._display = window.display
        self._forms = {self._display.atom(each.target): each for each in content.forms}
        self._transfers: dict[tuple[int, int], _Pieces] = {}
        self._since = 0

    def take(self) -> bool:
        """Become the owner; False when that failed."""
        self._since = self._window.now()
        self._display.core.SetSelectionOwner(self._window.id, self._window.clipboard, self._since)
        return self._window.owner() == self._window.id

    def run(self) -> None:
        """Serve requests until another client owns the selection and all transfers are finished."""
        owning = True
        while owning or self._transfers:
            event = self._window.event(time.monotonic() + (PATIENCE if self._transfers else _LONG))
            if isinstance(event, SelectionRequestEvent):
                self._answer(event)
            elif isinstance(event, PropertyNotifyEvent) and event.state == 1:
                self._send_piece((event.window, event.atom))
            elif isinstance(event, SelectionClearEvent) and event.selection == self._window.clipboard:
                owning = False
            self._forget_idle()

    def _answer(self, event: Any) -> None:
        into = event.property or event.target  # obsolete clients name no property (ICCCM 2.2)
        given = self._give(event.requestor, event.target, into)
        synthetic: Any = SelectionNotifyEvent.synthetic
        told = synthetic(
            event.time, event.requestor, event.selection, event.target, into if given else 0
        ).pack()
        self._display.core.SendEvent(False, event.requestor, EventMask.NoEvent, told)
        self._display.flush()

    def _give(self, reader: int, target: int, into: int) -> bool:
        """Write a target's data into the requestor's property; False for an unknown target."""
        set_, atom = self._window.set, self._display.atom
        if target == atom("TARGETS"):
            own = (atom("TARGETS"), atom("TIMESTAMP"), atom("MULTIPLE"))
            set_(reader, into, Atom.ATOM, 32, packed(*own, *self._forms))
        elif target == atom("TIMESTAMP"):
            set_(reader, into, Atom.INTEGER, 32, packed(self._since))
        elif target == atom("MULTIPLE"):
            return self._give_several(reader, into)
        elif target in self._forms:
            self._give_form(reader, into, self._forms[target])
        else:
            return False
        return True

    def _give_several(self, reader: int, into: int) -> bool:
        """Serve pairs of target and property (MULTIPLE, ICCCM 2.6.2); the property of a failed pair becomes 0."""
        asked = reply_or_none(self._display.core.GetProperty(False, reader, into, 0, 0, 1 << 16))
        if asked is None or asked.format != 32:
            return False
        numbers = atoms(asked.value.raw)
        pairs = zip(numbers[::2], numbers[1::2], strict=False)
        done = [
            (target, place if place and self._give(reader, target, place) else 0) for target, place in pairs
        ]
        self._window.set(reader, into, asked.type, 32, packed(*(n for pair in done for n in pair)))
        return True

    def _give_form(self, reader: int, into: int, form: SelectionForm) -> None:
        kind = self._display.atom(form.type)
        if len(form.data) <= self._window.largest:
            self._window.set(reader, into, kind, form.format, form.data)
            return
        self._display.core.ChangeWindowAttributes(reader, CW.EventMask, [EventMask.PropertyChange])
        self._transfers[reader, into] = _Pieces(form, kind, time.monotonic())
        self._window.set(reader, into, self._display.atom("INCR"), 32, packed(len(form.data)))

    def _send_piece(self, place: tuple[int, int]) -> None:
        """Send the next piece when the requestor has taken the last one; an empty piece ends the transfer."""
        transfer = self._transfers.get(place)
        if transfer is None:
            return
        piece = transfer.form.data[transfer.sent : transfer.sent + self._window.largest // 4 * 4]
        self._window.set(*place, transfer.kind, transfer.form.format, piece)
        transfer.sent += len(piece)
        transfer.since = time.monotonic()
        if not piece:
            del self._transfers[place]
            self._display.core.ChangeWindowAttributes(place[0], CW.EventMask, [EventMask.NoEvent])
        self._display.flush()

    def _forget_idle(self) -> None:
        now = time.monotonic()
        self._transfers = {p: t for p, t in self._transfers.items() if now - t.since < PATIENCE}


def main() -> int:
    """Run the process; returns its exit code, 1 when the display vanishes."""
    try:
        return serve()
    except xcffib.XcffibException:
        return 1
