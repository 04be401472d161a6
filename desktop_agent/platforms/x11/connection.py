"""Connects to the X display that an environment names, with its cookie, and turns X errors into TargetError."""

from __future__ import annotations

import contextlib
import os
import select
import struct
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import xcffib

# All that are used anywhere: one loaded while another thread connects would fail that (xcffib goes through a dict of them).
import xcffib.composite
import xcffib.damage
import xcffib.randr
import xcffib.res
import xcffib.shape
import xcffib.xfixes
import xcffib.xinput
import xcffib.xproto
import xcffib.xtest
from xcffib.ffi import ffi
from xcffib.xproto import Atom, GetPropertyType

from desktop_agent.platforms.x11.prepared_requests import (
    GET_INPUT_FOCUS,
    GRAB_SERVER,
    UNGRAB_SERVER,
    PreparedRequest,
)
from desktop_agent.protocol.errors import TargetError

# Of the reply to GetInputFocus: the window that has the keyboard.
_FOCUS = struct.Struct("=8xI20x")
LONGEST_GRAB = 0.005
"""Seconds after which grabs that follow each other at once let the other clients in between."""
NO_DISPLAY = "Start it inside a desktop session, or use the embedded display with --target display."


_lock = threading.Lock()


class Display:
    """One X connection with the common operations: atoms, properties, events, server grabs.

    xcffib is not typed; replies are `Any` and turned into typed values by the modules beside this one.
    """

    def __init__(self, environment: Mapping[str, str]) -> None:
        if not environment.get("DISPLAY"):
            raise TargetError("There is no X display here (DISPLAY is not set).", NO_DISPLAY)
        with authority(environment) as name:
            try:
                self.connection: Any = xcffib.Connection(display=name)  # type: ignore[no-untyped-call]
            except xcffib.XcffibException as error:
                raise TargetError(f"The X display {name} cannot be reached.", NO_DISPLAY) from error
        self.name = name
        screen = self.connection.get_setup().roots[self.connection.pref_screen]
        self.root: int = screen.root
        self._atoms: dict[str, int] = {}
        self._grab, self._ungrab = (
            PreparedRequest(self.connection, code) for code in (GRAB_SERVER, UNGRAB_SERVER)
        )
        self._ask_focus = PreparedRequest(self.connection, GET_INPUT_FOCUS, asks=True)
        self._grabs = 0
        self._grabbed_at: float | None = None
        self.tell_of_grabs: Callable[[bool], None] = lambda _: None
        """Called before the server is grabbed (True) and once it is not any more (False)."""
        self._focus: int | None = None
        self._events: deque[Any] = deque()
        self.divert: Callable[[Any], bool] = lambda _: False
        """Called with each event as it arrives (a pointer to xcb_generic_event_t); true keeps it from `next_event`."""
        self.check: Callable[[], None] = lambda: None
        """Called repeatedly by code that waits on this connection; raises to end the wait."""

    @property
    def core(self) -> Any:
        return self.connection.core

    def extension(self, key: Any) -> Any:
        """An extension's requests, e.g. `extension(xcffib.randr.key)`. Raises TargetError when it is missing."""
        if not self.core.QueryExtension(len(key.name), key.name).reply().present:
            raise TargetError(f"The X display {self.name} lacks the {key.name} extension.")
        return self.connection(key)

    def atom(self, name: str) -> int:
        """The number of an atom, cached."""
        if name not in self._atoms:
            self._atoms[name] = self.core.InternAtom(False, len(name), name).reply().atom
        return self._atoms[name]

    def ask_property(self, window: int, name: str, words: int = 4096) -> Any:
        """Request a window's property; returns a cookie for `numbers` or `text`, so that requests can be pipelined."""
        return self.core.GetProperty(False, window, self.atom(name), GetPropertyType.Any, 0, words)

    def numbers(self, window: int, name: str) -> list[int]:
        """A property of 32-bit numbers, [] when there is none."""
        return numbers(self.ask_property(window, name))

    def flush(self) -> None:
        self.connection.flush()

    def sync(self) -> None:
        """Return when the server has processed every request sent before (one round trip)."""
        (focus,) = _FOCUS.unpack(self._ask_focus.ask())
        self._focus = focus if self._grabs else None
        if not self._grabs:
            self._others_served()

    def focus(self) -> int:
        """The focus window, 1 for PointerRoot, 0 for none (X protocol, GetInputFocus).

        While the server is grabbed the answer of the last `sync` is used, as nobody else can change it.
        """
        if self._focus is None:
            return int(_FOCUS.unpack(self._ask_focus.ask())[0])
        return self._focus

    @property
    def is_grabbed(self) -> bool:
        """Are we inside `grabbed`?"""
        return self._grabs > 0

    @contextmanager
    def grabbed(self, *, flush: bool = True) -> Iterator[None]:
        """Grab the server (X protocol, GrabServer): it processes no other client's requests inside the context.

        Never wait inside for something another client does. The grab ends with the context, or when this process
        dies. Without `flush` the release is sent with the next round trip, which must follow at once; grabs that
        follow each other so are one to the others, and it lasts LONGEST_GRAB at most.
        """
        if self._grabbed_at is None:
            self.tell_of_grabs(True)
            self._grabbed_at = time.monotonic()
        elif not self._grabs and time.monotonic() - self._grabbed_at > LONGEST_GRAB:
            self.sync()
            self.tell_of_grabs(True)
            self._grabbed_at = time.monotonic()
        self._grab.send()
        self._grabs += 1
        try:
            yield
        finally:
            self._grabs -= 1
            self._focus = None
            self._ungrab.send()
            if flush:
                self.flush()
                if not self._grabs:
                    self._others_served()

    def _others_served(self) -> None:
        if self._grabbed_at is not None:
            self._grabbed_at = None
            self.tell_of_grabs(False)

    def gather(self) -> None:
        """Queue every event that has arrived. After a `sync` that is all the server sent before its reply."""
        while (event := xcffib.lib.xcb_poll_for_event(self.connection._conn)) != ffi.NULL:
            event = ffi.gc(event, xcffib.c_free)
            if self.divert(event):
                continue
            with contextlib.suppress(xcffib.Error):  # about a window that no longer exists
                self._events.append(self.connection.hoist_event(event))
        self.connection.invalid()

    def rest(self, seconds: float) -> None:
        """Wait so many seconds, or until the server sends something; call `gather` first, as events may be buffered."""
        select.select([self.connection.get_file_descriptor()], [], [], seconds)

    def next_event(self) -> Any:
        """The next event that has arrived; None when there is none."""
        if not self._events:
            self.gather()
        return self._events.popleft() if self._events else None

    def close(self) -> None:
        self.connection.disconnect()


def numbers(cookie: Any) -> list[int]:
    """The 32-bit numbers of a requested property; [] when the window or the property is gone."""
    reply = reply_or_none(cookie)
    if reply is None or reply.format != 32:
        return []
    # .raw: the plain value would be a list of single bytes
    return list(struct.unpack(f"={len(reply.value.raw) // 4}I", reply.value.raw))


def text(cookie: Any) -> str:
    """The text of a requested property; "" when there is none. Type STRING is Latin-1 (ICCCM 2.7.1)."""
    reply = reply_or_none(cookie)
    if reply is None or reply.format != 8:
        return ""
    raw: bytes = reply.value.raw
    return raw.decode("latin-1" if reply.type == Atom.STRING else "utf-8", "replace").rstrip("\0")


def reply_or_none(cookie: Any) -> Any:
    """The reply to a request; None when the window it is about no longer exists."""
    try:
        return cookie.reply()
    except (xcffib.xproto.WindowError, xcffib.xproto.DrawableError):
        return None


@contextmanager
def display_errors(name: str) -> Iterator[None]:
    """Turn X errors raised inside the context into TargetError; `name` is the display's."""
    try:
        yield
    except xcffib.ConnectionException as error:
        raise TargetError(
            f"The X display {name} has gone.", "Start the run again when it is back."
        ) from error
    except xcffib.XcffibException as error:
        raise TargetError(f"The X display {name} refused a request: {error!r}") from error


@contextmanager
def authority(environment: Mapping[str, str]) -> Iterator[str]:
    """Yields the display's name; inside the context XAUTHORITY is that of `environment`.

    libxcb reads the authority file's path from the process environment, while it connects. The variable is
    restored afterwards, and a lock keeps threads from changing it at the same time.
    """
    with _lock:
        before = os.environ.get("XAUTHORITY")
        _put(environment.get("XAUTHORITY"))
        try:
            yield environment.get("DISPLAY", "")
        finally:
            _put(before)


def _put(value: str | None) -> None:
    if value is None:
        os.environ.pop("XAUTHORITY", None)
    else:
        os.environ["XAUTHORITY"] = value
