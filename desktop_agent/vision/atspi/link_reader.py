"""Reads where a link leads, which no look tells: one question for the link that is about to be followed."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress

from desktop_agent.vision.atspi.bus import Bus, BusError
from desktop_agent.vision.atspi.bus_session import find_bus
from desktop_agent.vision.atspi.wire import Call

_SECONDS = 0.3
_LINK = "org.a11y.atspi.Hyperlink"


class LinkReader:
    """One connection to the accessibility bus, kept between questions. Not for several threads."""

    def __init__(self, environment: Mapping[str, str]) -> None:
        self._environment = dict(environment)
        self._bus: Bus | None = None

    def address(self, handle: str) -> str:
        """The address behind the link with this handle (as in `Element`), "" when it is not told."""
        sender, _, path = handle.partition(" ")
        with suppress(BusError):
            bus = self._bus = self._bus or find_bus(self._environment)
            reply = bus.ask(Call(sender, path, _LINK, "GetURI", "i", (0,)), _SECONDS)
            return str(reply.values()[0]) if not reply.error and reply.signature == "s" else ""
        self.close()
        return ""

    def close(self) -> None:
        bus, self._bus = self._bus, None
        if bus is not None:
            bus.close()
