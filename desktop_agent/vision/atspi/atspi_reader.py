"""Reads the elements of a Linux desktop over AT-SPI, all requests in parallel."""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence

from desktop_agent.protocol.geometry import Point
from desktop_agent.vision.atspi.bus import DBUS, Bus, BusError
from desktop_agent.vision.atspi.bus_session import find_bus, switch_off, switch_on
from desktop_agent.vision.atspi.cache import TreeCache
from desktop_agent.vision.atspi.gather import REGISTRY, ApplicationFacts, TreeGatherer
from desktop_agent.vision.atspi.node_queries import COMPONENT, SCREEN
from desktop_agent.vision.atspi.tree import CHROMIUM
from desktop_agent.vision.atspi.wire import Call
from desktop_agent.vision.elements.occlusion import WindowBounds
from desktop_agent.vision.elements.reader import ElementReader
from desktop_agent.vision.observation import Element

READ_SECONDS = 0.8
_START_SECONDS = 5.0
_LONGEST_SECONDS = 2.5  # for an application that is slow but keeps answering
_PAUSE_SECONDS = 0.5
_HURRIED_SECONDS = 0.03
# Events to subscribe to: toolkits send only what somebody has registered for.
_EVENTS = ("object:", "window:", "document:")
_RULES = tuple(
    f"type='signal',interface='org.a11y.atspi.{each}'"
    for each in ("Event.Object", "Event.Window", "Event.Document", "Cache")
)
_ADVICE = "Install at-spi2-core and start programs inside a D-Bus session."


class AtspiReader(ElementReader):
    """Reads over one connection that it keeps between reads, and reconnects when the bus is back.

    `environment` names the session; `seconds` is the time limit of a read. Switches the session's accessibility on
    while it is open.
    """

    def __init__(
        self,
        environment: Mapping[str, str],
        seconds: float = READ_SECONDS,
        pid_here: Callable[[int], int] = int,
    ) -> None:
        """`pid_here` gives the process's number on this computer for one that the bus tells: another in a box."""
        super().__init__()
        self._environment = dict(environment)
        self._seconds, self._pid_here = seconds, pid_here
        self._lock = threading.Lock()
        self._bus: Bus | None = None
        self._known: dict[str, ApplicationFacts] = {}
        self._was_off = False
        self._closed = threading.Event()
        self._cache = TreeCache(self._environment)
        with self._lock, self._reporting():
            self._connected()
        self._listening = threading.Thread(target=self._listen, name="accessibility", daemon=True)
        self._listening.start()

    def _read(
        self, windows: Sequence[WindowBounds], ignored: Collection[int], only: int, /
    ) -> Sequence[Element]:
        elements: list[Element] = []
        with self._lock, self._reporting():
            if not self._closed.is_set():
                elements = self._gather(self._connected(), windows, ignored, only)
        return elements

    def _gather(
        self, bus: Bus, windows: Sequence[WindowBounds], ignored: Collection[int], only: int
    ) -> list[Element]:
        self._cache.set_windows(windows)
        gathering = TreeGatherer(bus, self._known, self._cache, ignored, only, self._pid_here)
        before = bus.calls
        now = time.monotonic()
        elements = gathering.run(now + self._seconds, now + max(self._seconds, _LONGEST_SECONDS))
        self.questions += bus.calls - before
        late = bus.silent()
        self.silent = tuple(facts.name or name for name, facts in self._known.items() if name in late)
        return elements

    def hurry(self, handle: str, point: Point) -> bool:
        """As `HasElementHandles.hurry`. Chromium tells its tree at most every 150 ms, but at once when asked what is at a point.

        It answers that from what it knows and asks the page's own process afterwards, so what follows is events, if
        there was anything to tell. Source: its `AXObjectCacheImpl` (deferred updates) and `CachingAsyncHitTest`.
        """
        name, _, path = handle.partition(" ")
        with self._lock, self._reporting():
            facts = self._known.get(name)
            if self._closed.is_set() or facts is None or facts.toolkit != CHROMIUM:
                return False
            bus, began = self._connected(), time.monotonic()
            where = (point.x, point.y, SCREEN)
            call = Call(name, path, COMPONENT, "GetAccessibleAtPoint", "iiu", where)
            bus.call(call, lambda _: None)
            bus.run(began + _PAUSE_SECONDS)
            while (left := began + _HURRIED_SECONDS - time.monotonic()) > 0 and not self._cache.told(
                name, began
            ):
                bus.listen(left)
            return True
        return False

    def _listen(self) -> None:
        """Drain events between reads: the bus would queue them without limit."""
        while not self._closed.wait(_PAUSE_SECONDS):
            with self._lock, self._reporting():
                if self._bus is not None:
                    self._bus.drain()
                    self._cache.poll_damage()

    def close(self) -> None:
        self._closed.set()
        with self._lock:
            self._drop("The reader has been closed.")
            if self._was_off:
                self._was_off = False
                with contextlib.suppress(BusError):  # the session has ended: there is nothing to restore
                    switch_off(self._environment)
        self._listening.join()

    @contextlib.contextmanager
    def _reporting(self) -> Iterator[None]:
        try:
            yield
        except BusError as error:
            self._drop(f"Elements cannot be read: {error}. {_ADVICE}")

    def _connected(self) -> Bus:
        if self._bus is None:
            self._bus = find_bus(self._environment)
            self._bus.on_signal = self._cache.record_event
            # Toolkits fill their caches, and GTK answers GetItems at all, only while someone listens.
            for event in _EVENTS:
                self._bus.ask(Call(*REGISTRY, "RegisterEvent", "sass", (event, [], "")), _START_SECONDS)
            for rule in _RULES:
                self._bus.ask(Call(*DBUS, "AddMatch", "s", (rule,)), _START_SECONDS)
            with contextlib.suppress(BusError):  # a bus without its launcher has no such switch
                self._was_off = switch_on(self._environment) or self._was_off
            self.reason = ""
        return self._bus

    def _drop(self, reason: str) -> None:
        self.reason = reason
        self._known.clear()
        self._cache.close()
        if self._bus is not None:
            self._bus.close()
            self._bus = None
