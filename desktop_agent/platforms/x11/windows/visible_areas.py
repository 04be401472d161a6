"""Computes the visible areas of chosen windows of an X display: their bounds minus opaque windows in front."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, NamedTuple

from xcffib.xproto import MapState

from desktop_agent.platforms.base import Shown, WindowInfo
from desktop_agent.platforms.x11.connection import Display, numbers, reply_or_none, text
from desktop_agent.platforms.x11.windows.ewmh import EwmhWindows
from desktop_agent.protocol.geometry import Rect, uncovered

_GENERATIONS = 8
"""Nesting depth up to which dialogs of dialogs are followed."""


class _Top(NamedTuple):
    """A viewable child of the root; `client` is the application's window in it.

    `managed` says that a window manager lists it, `parents` are the windows it is a dialog of (WM_TRANSIENT_FOR).
    """

    frame: int
    client: int
    window: WindowInfo
    managed: bool
    parents: frozenset[int]


class VisibleWindows(EwmhWindows):
    """EwmhWindows that also computes visible areas. Its requests are pipelined, as each observation needs it twice."""

    def __init__(self, display: Display) -> None:
        super().__init__(display)
        self._depth = display.core.GetGeometry(display.root).reply().depth

    def showing(self, chosen: Callable[[WindowInfo], bool]) -> list[Shown]:
        """The chosen windows with their dialogs (WM_TRANSIENT_FOR) and popups (of the same process), front first.

        Windows that are wholly covered are left out.
        """
        tops = self._tops()
        mine = _with_dialogs({top.client for top in tops if chosen(top.window)}, tops)
        pids = {top.window.pid for top in tops if top.client in mine} - {0}
        hidden = [top.client in mine or (not top.managed and top.window.pid in pids) for top in tops]
        if True not in hidden:
            return []
        in_front = tops[: len(hidden) - hidden[::-1].index(True)]
        opaque = self._opaque(in_front)
        covers = [top.window.bounds if ok else None for top, ok in zip(in_front, opaque, strict=True)]
        shown = [
            Shown(top.window, tuple(uncovered(top.window.bounds, _before(index, covers, hidden))))
            for index, top in enumerate(in_front)
            if hidden[index]
        ]
        return [each for each in shown if each.areas]

    def _tops(self) -> list[_Top]:
        """The viewable top-level windows from front to back."""
        core, clients = self._display.core, self.clients()
        frames = self._children(self._display.root)[::-1]
        asked = [(w, core.GetWindowAttributes(w), core.GetGeometry(w)) for w in frames]
        answered = [(w, reply_or_none(attributes), reply_or_none(place)) for w, attributes, place in asked]
        shown = [(w, p) for w, a, p in answered if a and p and a.map_state == MapState.Viewable]
        described = [(w, p, self._ask_about(clients.get(w, w))) for w, p in shown]
        return [self._top(w, place, clients, asked) for w, place, asked in described]

    def _ask_about(self, client: int) -> Sequence[Any]:
        names = ("_NET_WM_NAME", "WM_NAME", "WM_CLASS", "WM_TRANSIENT_FOR")
        return [self._display.ask_property(client, name) for name in names]

    def _top(self, frame: int, place: Any, clients: Mapping[int, int], asked: Sequence[Any]) -> _Top:
        name, old_name, classes, parents = asked
        client, border = clients.get(frame, frame), 2 * place.border_width
        window = WindowInfo(
            text(name) or text(old_name),
            self.owner(client),
            text(classes).split("\0")[-1],
            Rect(place.x, place.y, place.width + border, place.height + border),
        )
        return _Top(frame, client, window, frame in clients, frozenset(numbers(parents)))

    def _opaque(self, tops: Sequence[_Top]) -> list[bool]:
        """For each window whether it is opaque; one that may be translucent or shaped counts as covering nothing."""
        core, opacity = self._display.core, "_NET_WM_WINDOW_OPACITY"
        asked = [
            (
                [self._display.ask_property(each, opacity) for each in (top.frame, top.client)],
                [core.GetGeometry(each) for each in (top.frame, top.client)],
                [self._shape.QueryExtents(each) for each in (top.frame, top.client)],
            )
            for top in tops
        ]
        # All replies are read: an unread error would arrive as an event.
        told = [
            (
                [numbers(o) for o in opacities],
                [reply_or_none(g) for g in sizes],
                [reply_or_none(e) for e in shapes],
            )
            for opacities, sizes, shapes in asked
        ]
        return [self._is_opaque(*each) for each in told]

    def _is_opaque(self, opacities: Sequence[list[int]], sizes: Sequence[Any], shapes: Sequence[Any]) -> bool:
        deep = all(size is not None and size.depth == self._depth for size in sizes)
        whole = all(shape is not None and not shape.bounding_shaped for shape in shapes)
        return deep and whole and not any(opacities)


def _with_dialogs(chosen: set[int], tops: Sequence[_Top]) -> Collection[int]:
    for _ in range(_GENERATIONS):
        chosen |= {top.client for top in tops if top.parents & chosen}
    return chosen


def _before(index: int, covers: Sequence[Rect | None], hidden: Sequence[bool]) -> list[Rect]:
    """The bounds that cover a window: opaque windows in front of it that are not chosen themselves."""
    return [cover for cover, own in zip(covers[:index], hidden, strict=False) if cover and not own]
