"""Saves and restores the CLIPBOARD selection of an X display."""

from __future__ import annotations

import contextlib
import os
import select
import subprocess
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import IO, Any, NamedTuple, cast

import msgspec
import xcffib
import xcffib.xfixes
from xcffib.xproto import GetPropertyType, PropertyNotifyEvent, SelectionNotifyEvent

from desktop_agent.platforms.base import Change, Clipboard
from desktop_agent.platforms.x11.clipboard.icccm import (
    NOT_DATA,
    SelectionContent,
    SelectionForm,
    SelectionWindow,
    atoms,
)
from desktop_agent.platforms.x11.clipboard.server import DUE, NOT_DUE, NOW
from desktop_agent.platforms.x11.connection import display_errors, reply_or_none
from desktop_agent.protocol.errors import TargetError
from desktop_agent.redaction.secret_reference import without_secrets
from desktop_agent.support import child_command

SAVE_SECONDS = 2.0
SAVE_BYTES = 64_000_000
ONE_SECONDS = 0.7
"""Longest wait for one format, or for the next piece of it."""
START_SECONDS = 10.0
# Saved first, in case time or space runs out.
_FIRST = ("UTF8_STRING", "text/plain;charset=utf-8", "text/uri-list", "x-special/gnome-copied-files", "text/html", "image/png", "STRING")  # fmt: skip
_ROOT = str(Path(__file__).parents[4])
_WORDS = 1 << 24


class _Property(NamedTuple):
    kind: int
    format: int
    data: bytes


class X11Clipboard(Clipboard):
    """The CLIPBOARD selection of the display that `environment` leads to. Not for several threads."""

    def __init__(self, environment: Mapping[str, str]) -> None:
        self._environment = dict(environment)
        self._window = SelectionWindow(environment)
        self._last = Change()
        self._servers: list[subprocess.Popen[bytes]] = []
        self._standby: subprocess.Popen[bytes] | None = None
        with self._display_errors():
            display = self._window.display
            fixes = display.extension(xcffib.xfixes.key)
            fixes.QueryVersion(5, 0).reply()
            mask = xcffib.xfixes.SelectionEventMask
            every = mask.SetSelectionOwner | mask.SelectionWindowDestroy | mask.SelectionClientClose
            fixes.SelectSelectionInput(self._window.id, self._window.clipboard, every)
            display.sync()

    def _display_errors(self) -> contextlib.AbstractContextManager[None]:
        return display_errors(self._window.display.name)

    # ---- owner changes -----------------------------------------------------------------------

    def last(self) -> Change:
        with self._display_errors():
            while (event := self._window.event(0)) is not None:
                self._note(event)
        return self._last

    def wait_for_change(self, before: Change, seconds: float) -> Change:
        deadline = time.monotonic() + seconds
        with self._display_errors():
            while self._last == before and (event := self._window.event(deadline)) is not None:
                self._note(event)
        return self.last()

    def _note(self, event: Any) -> None:
        if isinstance(event, xcffib.xfixes.SelectionNotifyEvent):
            self._last = Change(int(event.owner), int(event.selection_timestamp))

    # ---- saving ------------------------------------------------------------------------------

    def save(self) -> bytes | None:
        deadline = time.monotonic() + SAVE_SECONDS
        with self._display_errors():
            if not self._window.owner():
                return msgspec.msgpack.encode(SelectionContent())
            forms: list[SelectionForm] = []
            room = SAVE_BYTES
            for target in self._targets(deadline):
                form = self._form(target, deadline, room)
                if form is not None:
                    forms.append(form)
                    room -= len(form.data)
        return msgspec.msgpack.encode(SelectionContent(tuple(forms))) if forms else None

    def _targets(self, deadline: float) -> Sequence[int]:
        """The targets (formats) the owner offers, the most useful first."""
        asked = self._convert(self._window.display.atom("TARGETS"), deadline, SAVE_BYTES)
        offered = list(dict.fromkeys(atoms(asked.data))) if asked else []
        names = {each: self._window.name(each) for each in offered if each}
        data = [each for each, name in names.items() if name not in NOT_DATA]
        return sorted(
            data, key=lambda each: _FIRST.index(names[each]) if names[each] in _FIRST else len(_FIRST)
        )

    def _form(self, target: int, deadline: float, room: int) -> SelectionForm | None:
        got = self._convert(target, deadline, room)
        if got is None:
            return None
        return SelectionForm(self._window.name(target), self._window.name(got.kind), got.format, got.data)

    def _convert(self, target: int, deadline: float, room: int) -> _Property | None:
        """Request one target from the owner; None when it refuses, is too slow, or the data exceed `room` bytes."""
        window, display = self._window, self._window.display
        into = display.atom("DESKTOP_AGENT_CLIPBOARD")
        display.core.DeleteProperty(window.id, into)
        when = window.now()
        display.core.ConvertSelection(window.id, window.clipboard, target, into, when)
        until = min(deadline, time.monotonic() + ONE_SECONDS)
        for event in self._events(until):
            if isinstance(event, SelectionNotifyEvent) and (event.target, event.time) == (target, when):
                return self._take(into, deadline, room) if event.property else None
        return None

    def _events(self, deadline: float) -> Iterator[Any]:
        while (event := self._window.event(deadline)) is not None:
            self._note(event)
            yield event

    def _take(self, into: int, deadline: float, room: int) -> _Property | None:
        whole = self._property(into)
        if whole is None or len(whole.data) > room:
            return None
        if whole.kind != self._window.display.atom("INCR"):
            return whole
        return self._take_pieces(into, deadline, room)

    def _take_pieces(self, into: int, deadline: float, room: int) -> _Property | None:
        """Receive a large selection in pieces (INCR, ICCCM 2.7.2).

        The owner sends the next piece whenever the property is deleted; an empty piece ends the transfer.
        """
        data = bytearray()
        while True:
            piece = self._next_piece(into, min(deadline, time.monotonic() + ONE_SECONDS))
            if piece is None or len(data) + len(piece.data) > room:
                return None
            if not piece.data:
                return _Property(piece.kind, piece.format, bytes(data))
            data += piece.data

    def _next_piece(self, into: int, deadline: float) -> _Property | None:
        for event in self._events(deadline):
            new = isinstance(event, PropertyNotifyEvent) and event.state == 0 and event.atom == into
            if new and (piece := self._property(into)) is not None:
                return piece
        return None

    def _property(self, atom: int) -> _Property | None:
        """Read and delete a property of our window; None when there is none."""
        cookie = self._window.display.core.GetProperty(
            True, self._window.id, atom, GetPropertyType.Any, 0, _WORDS
        )
        reply = reply_or_none(cookie)
        return _Property(reply.type, reply.format, reply.value.raw) if reply and reply.type else None

    # ---- restoring ---------------------------------------------------------------------------

    def stand_by(self, saved: bytes, due: Change | None) -> None:
        """A process that outlives this one holds what was saved; it learns of our death by its pipe."""
        if due is None or not msgspec.msgpack.decode(saved, type=SelectionContent).forms:
            self._dismiss()
            return
        if self._standby is None:
            self._standby = self._start_server()
            work = (self._standby, saved)
            self._handing_over = threading.Thread(target=_hand_over, args=work, daemon=True)
            self._handing_over.start()  # a large one takes until it has been read
        self._order(f"{DUE}:{due.owner}")

    def _order(self, words: str) -> None:
        """Tell whoever stands by, once it has the content."""
        self._handing_over.join()
        if self._standby is not None:
            out = cast(IO[bytes], self._standby.stdin)
            with contextlib.suppress(OSError):  # it has ended: then nobody stands by
                out.write(f"{words}\n".encode())
                out.flush()

    def restore(self, saved: bytes) -> None:
        self._servers = [each for each in self._servers if each.poll() is None]
        if not msgspec.msgpack.decode(saved, type=SelectionContent).forms:
            with self._display_errors():  # nobody owned it when it was saved
                self._window.display.core.SetSelectionOwner(0, self._window.clipboard, self._window.now())
                self._window.display.sync()
            return
        server = self._start_server()
        self._servers.append(server)
        out, back = cast(IO[bytes], server.stdin), cast(IO[bytes], server.stdout)
        with contextlib.suppress(BrokenPipeError), out:
            _hand_over(server, saved)
            out.write(f"{NOW}\n".encode())
        with back:
            ready = select.select([back], [], [], START_SECONDS)[0]
            if not ready or back.readline() != b"ready\n":
                raise TargetError("The clipboard could not be put back.", "Copy again what you need.")

    def _start_server(self) -> subprocess.Popen[bytes]:
        """Start the process that owns and serves the selection; it outlives this program."""
        kept = without_secrets(os.environ) | self._environment
        paths = (_ROOT, kept.get("PYTHONPATH", ""))
        return subprocess.Popen(
            child_command.command("_clipboard"),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=kept | {"PYTHONPATH": os.pathsep.join(filter(None, paths))},
            start_new_session=True,
        )

    def close(self) -> None:
        self._dismiss()
        self._window.close()

    def _dismiss(self) -> None:
        """Nobody needs to stand by any more."""
        if (standby := self._standby) is None:
            return
        self._order(NOT_DUE)
        self._standby = None
        for pipe in (standby.stdin, standby.stdout):
            with contextlib.suppress(OSError):
                cast(IO[bytes], pipe).close()
        self._servers.append(standby)


def _hand_over(server: subprocess.Popen[bytes], saved: bytes) -> None:
    out = cast(IO[bytes], server.stdin)
    with contextlib.suppress(OSError):
        out.write(b"%d\n" % len(saved) + saved)
        out.flush()
