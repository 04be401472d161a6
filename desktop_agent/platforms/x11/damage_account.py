"""Where something was drawn on an X display, and whether windows came, went or moved, since it was asked last."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import xcffib
import xcffib.damage
import xcffib.xfixes
import xcffib.xproto
from xcffib.xproto import CW, EventMask

from desktop_agent.platforms.x11.xauthority import authority
from desktop_agent.protocol.geometry import Rect


class DamageReport(NamedTuple):
    """`areas` are screen rectangles that were drawn in; `moved` says that a top-level window came, went or moved.

    `screen` is all that can be seen.
    """

    areas: tuple[Rect, ...]
    moved: bool
    screen: Rect


class DamageError(Exception):
    """The display does not tell what is drawn."""


class DamageAccount:
    """Asks over a connection of its own; the server keeps the account (X Damage extension), so that nothing piles up.

    Raises DrawnError when the display cannot be reached, or does not know the extensions.
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
        """What happened since the last call. Raises DrawnError when the display has gone."""
        try:
            self._damage_requests.Subtract(self._damage, 0, self._region)
            asked = self._regions.FetchRegion(self._region), self._connection.core.GetGeometry(self._root)
            found, size = (each.reply() for each in asked)
            areas = tuple(Rect(r.x, r.y, r.width, r.height) for r in found.rectangles)
            return DamageReport(areas, self._moved(), Rect(0, 0, size.width, size.height))
        except (xcffib.XcffibException, xcffib.ConnectionException) as error:
            raise DamageError(f"the display has gone: {error!r}") from error

    def _moved(self) -> bool:
        """Take all events; those of damage only say what the region says better."""
        moved = False
        while (event := self._connection.poll_for_event()) is not None:
            moved = moved or not isinstance(event, xcffib.damage.NotifyEvent)
        return moved

    def close(self) -> None:
        """End the connection; the server forgets the account with it."""
        self._connection.disconnect()
