"""Follows one text field while it is typed into: what it takes, and whether the focus goes elsewhere.

By accessibility events, which cost nothing while no text is under way: the bus delivers them only then.
Toolkits send both kinds from the widget itself (GTK, Qt) or once a frame (Chromium: 15 to 60 ms late).
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress

from desktop_agent.vision.atspi.bus import DBUS, Bus, BusError
from desktop_agent.vision.atspi.bus_session import find_bus
from desktop_agent.vision.atspi.constants import role_name
from desktop_agent.vision.atspi.node_queries import ACCESSIBLE, property_of
from desktop_agent.vision.atspi.wire import Call, Signal, number, reference, references, string, text

_SECONDS = 0.5
_SLICE = 0.004
_FOCUSED, _SHOWING = 1 << 12, 1 << 25
_EVENT = "type='signal',interface='org.a11y.atspi.Event.Object'"
_INSERTED = "insert"
_PARTED, _PART, _DEPTH = "date editor", "spin button", 3
# Lists of proposals mark one of their items focused while the text goes on into the field.
_ITEMS = frozenset(("list item", "menu item", "tree item", "table cell", "list box", "list", "menu"))


class FieldFollower:
    """One connection to the accessibility bus, kept between texts. Not for several threads.

    Where the bus cannot be reached nothing is followed, and nothing is told.
    """

    def __init__(self, environment: Mapping[str, str]) -> None:
        self._environment = dict(environment)
        self._bus: Bus | None = None

    @contextmanager
    def follow(
        self, handle: str, taken: Callable[[int], None], moved: Callable[[str], None]
    ) -> Iterator[None]:
        """While this lasts `taken(n)` tells of n characters put into the field, `moved(name)` once of the new focus.

        `handle` is the field's, as in `Element`. Both are called from a thread of their own.
        """
        ended = threading.Event()
        thread: threading.Thread | None = None
        with suppress(BusError):
            bus = self._bus = self._bus or find_bus(self._environment)
            field = _Field(bus, handle, taken, moved)
            thread = threading.Thread(target=self._listen, args=(field, ended), name="field", daemon=True)
            thread.start()
        try:
            yield
        finally:
            ended.set()
            if thread is not None:
                thread.join()

    def _listen(self, field: _Field, ended: threading.Event) -> None:
        try:
            field.begin()
            while not ended.is_set():
                field.listen(_SLICE)
            field.end()
        except BusError:
            self.close()

    def close(self) -> None:
        bus, self._bus = self._bus, None
        if bus is not None:
            bus.close()


class _Field:
    """The field that is followed now. Raises BusError."""

    def __init__(
        self, bus: Bus, handle: str, taken: Callable[[int], None], moved: Callable[[str], None]
    ) -> None:
        self._bus, self._taken, self._moved = bus, taken, moved
        self._sender, _, self._path = handle.partition(" ")
        self._fresh: deque[str] = deque()
        self._inserted = 0
        self._told = False
        self._like = ("", "")
        rules = (f"{_EVENT},member='StateChanged',arg0='focused'", f"{_EVENT},member='TextChanged'")
        self._rules = [f"{rule},sender='{self._sender}'" for rule in rules]

    def begin(self) -> None:
        """Begin to listen; a field that has lost the focus meanwhile is told at once."""
        self._bus.on_signal = self._on_signal
        for rule in self._rules:
            self._bus.ask(Call(*DBUS, "AddMatch", "s", (rule,)), _SECONDS)
        self._like = self._kind(self._path)
        if not self._focused(self._path):
            self._path = self._focused_part() or self._path
        if not self._focused(self._path):
            self._tell("")

    def listen(self, seconds: float) -> None:
        """Take what arrives within so many seconds."""
        self._bus.listen(seconds)
        while self._fresh and not self._told:
            self._judge(self._fresh.popleft())
        inserted, self._inserted = self._inserted, 0
        if inserted:  # told last: it gives leave for more, and the focus may have gone in the same moment
            self._taken(inserted)

    def end(self) -> None:
        for rule in self._rules:
            self._bus.ask(Call(*DBUS, "RemoveMatch", "s", (rule,)), _SECONDS)
        self._bus.on_signal = lambda _: None

    def _on_signal(self, signal: Signal) -> None:
        if signal.sender != self._sender or len(signal.body) < 8:
            return
        kind, details = string(signal.body, 0), _details(signal.body)
        if signal.member == "TextChanged" and signal.path == self._path and kind.startswith(_INSERTED):
            self._inserted += details[1]
        elif signal.member == "StateChanged" and details[0] and signal.path != self._path:
            self._fresh.append(signal.path)

    def _judge(self, path: str) -> None:
        kind = self._kind(path)
        if self._next_part(path, kind[0]) or (kind == self._like and not self._showing()):
            self._path = path  # a page has made its field anew, in its place
        elif kind[0] not in _ITEMS:
            self._tell(kind[1] or kind[0])

    def _next_part(self, path: str, role: str) -> bool:
        """Is it another part of the same date or time? The digits go on there, and pages cannot make such a field up."""
        if role != _PART or self._like[0] != _PART:
            return False
        around = self._parent(path)
        if around != self._parent(self._path):
            return False
        for _ in range(_DEPTH):
            if self._kind(around)[0] == _PARTED:
                return True
            around = self._parent(around)
        return False

    def _focused_part(self) -> str:
        """The path of the focused part of the same date or time, or "": a short text may have reached the next part by now."""
        if self._like[0] != _PART:
            return ""
        siblings = self._bus.ask(
            Call(self._sender, self._parent(self._path), ACCESSIBLE, "GetChildren"), _SECONDS
        )
        focused = (path for _, path in references(siblings) if self._focused(path))
        return next((path for path in focused if self._next_part(path, self._kind(path)[0])), "")

    def _parent(self, path: str) -> str:
        return reference(self._bus.ask(property_of(self._sender, path, ACCESSIBLE, "Parent"), _SECONDS))

    def _kind(self, path: str) -> tuple[str, str]:
        """Role and name."""
        role = self._bus.ask(Call(self._sender, path, ACCESSIBLE, "GetRole"), _SECONDS)
        name = self._bus.ask(property_of(self._sender, path, ACCESSIBLE, "Name"), _SECONDS)
        return role_name(number(role)), text(name)

    def _showing(self) -> bool:
        return bool(self._states(self._path) & _SHOWING)

    def _focused(self, path: str) -> bool:
        return bool(self._states(path) & _FOCUSED)

    def _states(self, path: str) -> int:
        reply = self._bus.ask(Call(self._sender, path, ACCESSIBLE, "GetState"), _SECONDS)
        (states,) = reply.values() or ([0],)
        return int(states[0])

    def _tell(self, name: str) -> None:
        self._told = True
        self._moved(name)


def _details(body: bytes) -> tuple[int, int]:
    """detail1 and detail2, which follow the kind of the event (a string) in its body."""
    at = 4 + int.from_bytes(body[:4], "little") + 1
    at += -at % 4
    return int.from_bytes(body[at : at + 4], "little"), int.from_bytes(body[at + 4 : at + 8], "little")
