"""Elements of a Linux desktop, read over AT-SPI with as many questions under way as there are."""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Collection, Iterator, Mapping, Sequence

from desktop_agent.vision.atspi_bus import Bus, BusError
from desktop_agent.vision.atspi_gather import REGISTRY, Facts, Gathering
from desktop_agent.vision.atspi_session import find_bus, switch_off, switch_on
from desktop_agent.vision.atspi_tree import elements_of
from desktop_agent.vision.atspi_wire import Call
from desktop_agent.vision.elements import ElementReader
from desktop_agent.vision.observation import Element

READ_SECONDS = 0.8
_START_SECONDS = 5.0
_ADVICE = "Install at-spi2-core and start programs inside a D-Bus session."


class AtspiReader(ElementReader):
    """Keeps its connection between reads, and connects again when the bus has come back."""

    def __init__(self, environment: Mapping[str, str], seconds: float = READ_SECONDS) -> None:
        self._environment = dict(environment)
        self._seconds = seconds
        self._lock = threading.Lock()
        self._bus: Bus | None = None
        self._known: dict[str, Facts] = {}
        self._was_off = False
        self._closed = False
        with self._lock, self._reporting():
            self._connected()

    def _read(self, ignored: Collection[int], only: int, /) -> Sequence[Element]:
        elements: list[Element] = []
        with self._lock, self._reporting():
            if not self._closed:
                elements = self._gather(self._connected(), ignored, only)
        return elements

    def _gather(self, bus: Bus, ignored: Collection[int], only: int) -> list[Element]:
        gathering = Gathering(bus, self._known, ignored, only)
        gathering.run(time.monotonic() + self._seconds)
        late = bus.silent()
        self.silent = tuple(facts.name or name for name, facts in self._known.items() if name in late)
        return [element for each in gathering.applications for element in elements_of(each)]

    def close(self) -> None:
        with self._lock:
            self._closed = True
            self._drop("The reader has been closed.")
            if self._was_off:
                self._was_off = False
                with contextlib.suppress(BusError):  # the session has ended: there is nothing to put back
                    switch_off(self._environment)

    @contextlib.contextmanager
    def _reporting(self) -> Iterator[None]:
        try:
            yield
        except BusError as error:
            self._drop(f"Elements cannot be read: {error}. {_ADVICE}")

    def _connected(self) -> Bus:
        if self._bus is None:
            self._bus = find_bus(self._environment)
            # Toolkits fill their caches, and GTK answers GetItems at all, only while someone listens.
            listen = Call(*REGISTRY, "RegisterEvent", "sass", ("object:state-changed", [], ""))
            self._bus.ask(listen, _START_SECONDS)
            with contextlib.suppress(BusError):  # a bus without its launcher has no such switch
                self._was_off = switch_on(self._environment) or self._was_off
            self.reason = ""
        return self._bus

    def _drop(self, reason: str) -> None:
        self.reason = reason
        self._known.clear()
        if self._bus is not None:
            self._bus.close()
            self._bus = None
