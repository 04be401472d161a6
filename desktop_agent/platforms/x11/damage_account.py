"""Accumulates where an X display was drawn on, and whether windows appeared, went or moved, between two queries."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import xcffib
import xcffib.damage
import xcffib.xfixes
import xcffib.xproto
from xcffib.xproto import CW, EventMask

from desktop_agent.platforms.x11.connection import authority
from desktop_agent.protocol.geometry import Rect


class DamageReport(NamedTuple):
    """What happened between two queries.

    `areas` are the screen rectangles drawn in; `moved` says that a top-level window appeared, went or moved;
    `screen` is the whole screen.
    """

    areas: tuple[Rect, ...]
    moved: bool
    screen: Rect


class DamageError(Exception):
    """The display cannot report what is drawn."""


class DamageAccount:
    """Queries the damage of one display on a connection of its own.

    The server accumulates it (X Damage extension), so nothing queues up here. Raises DamageError when the display
    cannot be reached or lacks the extensions.
    """

    def __init__(self, environment: Mapping[str, str]) -> None:
        try:
            with authority(environment) as name:
                self._connection: Any = xcffib.Connection(display=name)  # type: ignore[no-untyped-call]
            self._watch()
        except (xcffib.XcffibException, xcffib.ConnectionException, OSError) as error:
            raise DamageError(f"display {environment.get('DISPLAY')}: {error!r}") from error

    def _watch(self) -> None:
        connection = self._connection
        root = connection.get_setup().roots[connection.pref_screen].root
        self._root = root
        self._damage_requests = connection(xcffib.damage.key)
        self._regions = connection(xcffib.xfixes.key)
        self._damage_requests.QueryVersion(1, 1).reply()
        self._regions.QueryVersion(5, 0).reply()
        self._region, self._damage = connection.generate_id(), connection.generate_id()
        self._regions.CreateRegionChecked(self._region, 0, []).check()
        level = xcffib.damage.ReportLevel.NonEmpty
        self._damage_requests.CreateChecked(self._damage, root, level).check()
        values = [EventMask.SubstructureNotify]
        connection.core.ChangeWindowAttributesChecked(root, CW.EventMask, values).check()

    def since(self) -> DamageReport:
        """What happened since the last call. Raises DamageError when the display is gone."""
        try:
            self._damage_requests.Subtract(self._damage, 0, self._region)
            asked = self._regions.FetchRegion(self._region), self._connection.core.GetGeometry(self._root)
            found, size = (each.reply() for each in asked)
            areas = tuple(Rect(r.x, r.y, r.width, r.height) for r in found.rectangles)
            return DamageReport(areas, self._moved(), Rect(0, 0, size.width, size.height))
        except (xcffib.XcffibException, xcffib.ConnectionException) as error:
            raise DamageError(f"the display has gone: {error!r}") from error

    def _moved(self) -> bool:
        """Take all events; true when one is about windows (damage itself is read from the region)."""
        moved = False
        while (event := self._connection.poll_for_event()) is not None:
            moved = moved or not isinstance(event, xcffib.damage.NotifyEvent)
        return moved

    def close(self) -> None:
        """Close the connection; the server drops the accumulated damage with it."""
        self._connection.disconnect()
