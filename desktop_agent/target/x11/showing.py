"""Where chosen windows of an X display can be seen: their places without what opaque windows cover."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, NamedTuple

import xcffib.shape

from desktop_agent.protocol.geometry import Rect
from desktop_agent.target.base import Shown, WindowInfo
from desktop_agent.target.x11.connection import Display, answer
from desktop_agent.target.x11.windows import Windows
from desktop_agent.vision.masks import without

_GENERATIONS = 8
"""Dialogs of dialogs of dialogs that are followed."""


class _Top(NamedTuple):
    """A viewable child of the root; `client` is the application's window in it, `managed` by a window manager."""

    frame: int
    client: int
    window: WindowInfo
    managed: bool


class ShowingWindows(Windows):
    """Also answers where windows are to be seen."""

    def __init__(self, display: Display) -> None:
        super().__init__(display)
        name = xcffib.shape.key.name
        there = display.core.QueryExtension(len(name), name).reply().present
        self._shape: Any = display.connection(xcffib.shape.key) if there else None

    def showing(self, chosen: Callable[[WindowInfo], bool]) -> list[Shown]:
        """The chosen windows, their dialogs (WM_TRANSIENT_FOR) and popups (of the same process), front first."""
        tops = self._tops()
        mine = self._with_dialogs({top.client for top in tops if chosen(top.window)}, tops)
        pids = {top.window.pid for top in tops if top.client in mine} - {0}
        shown: list[Shown] = []
        covers: list[Rect] = []
        for top in tops:
            if top.client in mine or (not top.managed and top.window.pid in pids):
                shown.append(Shown(top.window, tuple(_rest(top.window.bounds, covers))))
            elif self._opaque(top):
                covers.append(top.window.bounds)
        return [each for each in shown if each.areas]

    def _tops(self) -> list[_Top]:
        """From front to back."""
        managed = set(self._managed())
        tops: list[_Top] = []
        for frame in reversed(self._children(self._display.root)):
            if self._viewable(frame):
                client = self._client_in(frame)
                window = self._describe(client)
                place = WindowInfo(window.title, window.pid, window.application, self._bounds(frame))
                tops.append(_Top(frame, client, place, client in managed))
        return tops

    def _with_dialogs(self, chosen: set[int], tops: Sequence[_Top]) -> Collection[int]:
        parents: Mapping[int, list[int]] = {
            top.client: self._display.numbers(top.client, "WM_TRANSIENT_FOR") for top in tops
        }
        for _ in range(_GENERATIONS):
            chosen |= {client for client, parent in parents.items() if set(parent) & chosen}
        return chosen

    def _opaque(self, top: _Top) -> bool:
        """False where something behind it may shine through: then it covers nothing."""
        windows = {top.frame, top.client}
        if any(self._display.numbers(each, "_NET_WM_WINDOW_OPACITY") for each in windows):
            return False
        root = answer(self._display.core.GetGeometry(self._display.root))
        sizes = [answer(self._display.core.GetGeometry(each)) for each in windows]
        if any(size is None or size.depth != root.depth for size in sizes):
            return False
        return not any(self._shaped(each) for each in windows)

    def _shaped(self, window: int) -> bool:
        extents = answer(self._shape.QueryExtents(window)) if self._shape is not None else None
        return bool(extents and extents.bounding_shaped)


def _rest(bounds: Rect, covers: Sequence[Rect]) -> list[Rect]:
    pieces = [bounds]
    for cover in covers:
        pieces = [rest for piece in pieces for rest in without(piece, cover)]
    return pieces
