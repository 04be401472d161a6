"""Lists the windows of an X display with title, process, bounds and focus, activates them, and puts them back as they stood (EWMH, ICCCM, XRes)."""

from __future__ import annotations

import struct
import sys
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Any, NamedTuple

import xcffib
import xcffib.res
import xcffib.shape
import xcffib.xproto
from xcffib.ffi import ffi
from xcffib.xproto import EventMask, InputFocus, MapState

from desktop_agent.platforms.base import Standing, StandingWindow, WindowInfo
from desktop_agent.platforms.x11.connection import Display, numbers, reply_or_none, text
from desktop_agent.protocol.geometry import Point, Rect

INPUT_SHAPE = 2  # ShapeInput (X Nonrectangular Window Shape Extension)
SOURCE_PAGER = (
    2  # EWMH source indication: on behalf of the user, so focus-stealing prevention lets it through
)


_LEVELS = 4  # frames are one to three deep
_MOST = 200  # results cached; windows come and go


_ICONIC = 3  # of WM_STATE and WM_CHANGE_STATE (ICCCM 4.1.3.1)
_ABOVE = 0  # detail of _NET_RESTACK_WINDOW, as in ConfigureWindow


class EwmhWindows:
    """Queries and activates the windows of one display. Window ids are X ids; 0 stands for none."""

    def __init__(self, display: Display) -> None:
        self._display = display
        self._kinship = WindowTree(display)
        self._res = self._client_ids()
        self._last_focus = 0
        self._shape: Any = display.extension(xcffib.shape.key)

    def _client_ids(self) -> Any:
        """The XRes extension, which gives the process of every local client's window; None below version 1.2."""
        name = xcffib.res.key.name
        if not self._display.core.QueryExtension(len(name), name).reply().present:
            return None
        res = self._display.connection(xcffib.res.key)
        version = res.QueryVersion(1, 2).reply()
        return res if (version.server_major, version.server_minor) >= (1, 2) else None

    # ---- lists -------------------------------------------------------------------------------

    def listed(self) -> list[WindowInfo]:
        """Top-level windows, the active one first, then from front to back; minimised ones have empty bounds."""
        active = self.active()
        return [self._describe(window) for window in sorted(self._managed(), key=lambda w: w != active)]

    def stacked(self) -> list[WindowInfo]:
        """Top-level windows strictly from front to back."""
        return [self._describe(window) for window in self._managed()]

    def _managed(self) -> list[int]:
        """Client windows from front to back; without a window manager, the viewable children of the root."""
        root = self._display.root
        stacked = self._display.numbers(root, "_NET_CLIENT_LIST_STACKING")
        stacked = stacked or self._display.numbers(root, "_NET_CLIENT_LIST")
        if not stacked and not self._display.numbers(root, "_NET_SUPPORTING_WM_CHECK"):
            stacked = [w for w in self._children(root) if self._viewable(w) and not self._click_through(w)]
        return stacked[::-1]

    def _describe(self, window: int) -> WindowInfo:
        ask = self._display.ask_property
        name, old_name = ask(window, "_NET_WM_NAME"), ask(window, "WM_NAME")
        classes = ask(window, "WM_CLASS")
        title = text(name) or text(old_name)
        application = text(classes).split("\0")[-1]
        pid = self.owner(window)
        bounds = self._bounds(self.top_of(window)) if self._viewable(window) else Rect(0, 0, 0, 0)
        return WindowInfo(title, pid, application, bounds)

    def active(self) -> int:
        """The active client window, 0 when there is none."""
        return next(iter(self._display.numbers(self._display.root, "_NET_ACTIVE_WINDOW")), 0)

    # ---- owners ------------------------------------------------------------------------------

    def owner(self, window: int) -> int:
        """Process id of a window's client; 0 when unknown (a remote client without _NET_WM_PID)."""
        return self.owners([window])[0]

    def owners(self, windows: Sequence[int]) -> list[int]:
        """Process ids of several windows' clients, in one round trip."""
        asked = [(window, self._ask_owner(window)) for window in windows]
        told = [(window, _process(cookie)) for window, cookie in asked]
        return [self._said_owner(window) if pid is None else pid for window, pid in told]

    def proven_owners(self, windows: Sequence[int]) -> list[int]:
        """Process ids of several windows' clients by what the server itself knows (XRes); 0 where it does not."""
        asked = [self._ask_owner(window) for window in windows]
        return [_process(cookie) or 0 for cookie in asked]

    def _ask_owner(self, window: int) -> Any:
        """Query XRes, if present; returns a cookie for `_process`."""
        if self._res is None:
            return None
        make: Any = xcffib.res.ClientIdSpec.synthetic
        return self._res.QueryClientIds(1, [make(window, xcffib.res.ClientIdMask.LocalClientPID)])

    def _said_owner(self, window: int) -> int:
        """The process id that the client itself claims (_NET_WM_PID); it may be on another machine."""
        return next(iter(self._display.numbers(window, "_NET_WM_PID")), 0)

    def owner_at(self, point: Point) -> int:
        """Process id of the top-level window under a point, its decorations included; 0 for none."""
        top = self.top_at(point)
        return self.owner(self._kinship.client_in(top)) if top else 0

    def clients(self) -> dict[int, int]:
        """The managed client windows, by the child of the root (frame) that contains each."""
        return {top: window for window, top in self._kinship.tops_of(self._managed()).items()}

    def client_at(self, point: Point) -> int:
        """The client window under a point, its decorations included; 0 on the bare desktop."""
        top = self.top_at(point)
        return self._kinship.client_in(top) if top else 0

    def client_around(self, window: int) -> int:
        """The client window that a window is part of (it has WM_STATE), else the top-level one around it."""
        for ancestor in (window, *self._up(window)):
            if self._display.numbers(ancestor, "WM_STATE"):
                return ancestor
            window = ancestor
        return window

    def client_in(self, top: int) -> int:
        """The client window inside a child of the root, or that window itself."""
        return self._kinship.client_in(top)

    def bounds_of(self, window: int) -> Rect:
        """A window's bounds on the screen, its border included; empty when it is gone."""
        return self._bounds(window)

    def tops(self) -> list[int]:
        """The children of the root from front to back, unmapped ones included."""
        return self._children(self._display.root)[::-1]

    def managed(self) -> list[int]:
        """The client windows from front to back, minimised ones included."""
        return self._managed()

    def viewable(self, window: int) -> bool:
        """True when the window is mapped with all its ancestors, even if covered."""
        return self._viewable(window)

    def describe(self, window: int) -> WindowInfo:
        """Title, process, application and bounds of a client window."""
        return self._describe(window)

    def top_at(self, point: Point) -> int:
        """The child of the root under a point, 0 for none."""
        return self._child_at(self._display.root, point)

    def focus(self) -> int:
        """The window with the keyboard focus, often one inside a client's; 0 when none has it."""
        return focused(self._display.focus(), self._display.root)

    def top_with_focus(self) -> int:
        """The child of the root that has or contains the keyboard focus; 0 for none."""
        return self._kinship.top_with_focus()

    def focus_owner(self) -> int:
        """Process id of the window with the keyboard focus; 0 when none has it.

        Queried before every few characters, so the last focus window's process is requested in the same round trip.
        """
        last, asked = self._last_focus, self._ask_owner(self._last_focus) if self._last_focus else None
        self._last_focus = focus = self.focus()
        told = _process(asked)
        if not focus or focus != last:
            return self.owner(focus) if focus else 0
        return self._said_owner(focus) if told is None else told

    def _child_at(self, window: int, point: Point) -> int:
        reply = self._display.core.TranslateCoordinates(self._display.root, window, point.x, point.y)
        found = reply_or_none(reply)
        return int(found.child) if found else 0

    # ---- places ------------------------------------------------------------------------------

    def areas_of(self, pids: Sequence[int]) -> list[Rect]:
        """Bounds, frames included, of all viewable top-level windows of these processes.

        Without those that no click reaches: hints, which pictures do not show anyway.
        """
        ask = self._display.core.GetWindowAttributes
        asked = [(window, ask(window)) for window in self._children(self._display.root)]
        told = [(window, reply_or_none(cookie)) for window, cookie in asked]
        tops = [window for window, found in told if found and found.map_state == MapState.Viewable]
        clients = [self._kinship.client_in(top) for top in tops]
        own = [top for top, pid in zip(tops, self.owners(clients), strict=True) if pid in pids]
        return [self._bounds(top) for top in own if not self._click_through(top)]

    def _click_through(self, window: int) -> bool:
        """True when clicks go to what is beneath the window (an empty input shape)."""
        reply = reply_or_none(self._shape.GetRectangles(window, INPUT_SHAPE))
        return bool(reply and not reply.rectangles)

    def _children(self, window: int) -> list[int]:
        reply = reply_or_none(self._display.core.QueryTree(window))
        return list(reply.children) if reply else []

    def _viewable(self, window: int) -> bool:
        reply = reply_or_none(self._display.core.GetWindowAttributes(window))
        return bool(reply and reply.map_state == MapState.Viewable)

    def top_of(self, window: int) -> int:
        """The top-level ancestor: the window manager's frame, or the window itself."""
        return self._kinship.top_of(window)

    def _up(self, window: int) -> Iterator[int]:
        while (reply := reply_or_none(self._display.core.QueryTree(window))) and reply.parent not in (
            0,
            reply.root,
        ):
            window = reply.parent
            yield window

    def _bounds(self, window: int) -> Rect:
        """A window's bounds on the screen, its border included; empty when it is gone."""
        geometry = self._display.core.GetGeometry(window)
        place = self._display.core.TranslateCoordinates(window, self._display.root, 0, 0)
        size, origin = reply_or_none(geometry), reply_or_none(place)
        if size is None or origin is None:
            return Rect(0, 0, 0, 0)
        border = size.border_width
        return Rect(
            origin.dst_x - border, origin.dst_y - border, size.width + 2 * border, size.height + 2 * border
        )

    # ---- activation --------------------------------------------------------------------------

    def activate(self, window: int) -> None:
        """Bring a client window to the front and give it the focus (EWMH _NET_ACTIVE_WINDOW)."""
        self.request(window, "_NET_ACTIVE_WINDOW", SOURCE_PAGER)

    def request(self, window: int, what: str, *data: int) -> None:
        """Ask the window manager for something about a window, by a message to the root (EWMH, ICCCM 4.1.4)."""
        mask = EventMask.SubstructureNotify | EventMask.SubstructureRedirect
        message = client_message(window, self._display.atom(what), *data)
        self._display.core.SendEvent(False, self._display.root, mask, message)
        self._display.sync()

    def activate_other_than(self, pids: Sequence[int]) -> None:
        """Activate the frontmost viewable window of any other process; does nothing when there is none."""
        for window in self._managed():
            if self._viewable(window) and self.owner(window) not in pids:
                self.activate(window)
                return


def _process(cookie: Any) -> int | None:
    """The process id in the reply to QueryClientIds; 0 when the window is gone, None when XRes does not know it."""
    try:
        if cookie is None:
            return None
        found = cookie.reply().ids
    except xcffib.Error:  # X errors; xcffib.ProtocolException is about replies that cannot be read
        return 0
    return next((int(item.value[0]) for item in found if item.value), None)


def client_message(window: int, kind: int, *data: int) -> bytes:
    """The bytes of a ClientMessage event (number 33) with 32-bit data (X11 protocol, Events)."""
    return struct.pack("=BBHII5I", 33, 32, 0, window, kind, *(data + (0,) * (5 - len(data))))


# A window manager puts a client's window into a frame of its own, some levels down. The search takes a round
# trip or two per level; verifying a cached result takes one.
class _Found(NamedTuple):
    """A search result: the client window with the chain of its ancestors, or all windows searched in vain."""

    client: int
    chain: tuple[int, ...]
    children: tuple[tuple[int, tuple[int, ...]], ...]


class WindowTree:
    """Queries the window tree of one display; a cached answer is always verified with the server."""

    def __init__(self, display: Display) -> None:
        self._display = display
        self._found: dict[int, _Found] = {}
        self._chains: dict[int, tuple[int, ...]] = {}
        self._focus = 0

    def client_in(self, top: int) -> int:
        """The client window inside a window manager's frame (it has WM_STATE, ICCCM 4.1.3.1), or the window itself."""
        known = self._found.get(top)
        if known is None or not self._holds(known):
            known = self._search(top)
            if len(self._found) >= _MOST:
                self._found.clear()
            self._found[top] = known
        return known.client

    def top_of(self, window: int) -> int:
        """The child of the root that a window is or is in."""
        chain = self._chains.get(window)
        if chain is None or not self._linked(chain, self._ask_links(chain)):
            chain = self._climb(window)
            if len(self._chains) >= _MOST:
                self._chains.clear()
            self._chains[window] = chain
        return chain[-1]

    def top_with_focus(self) -> int:
        """The child of the root that is or contains the focus window; 0 for no focus. Mostly one round trip."""
        asked = self._display.core.GetInputFocus()
        chain = self._chains.get(self._focus, ())
        links = self._ask_links(chain)
        focus = focused(int(asked.reply().focus), self._display.root)
        linked = self._linked(chain, links)
        if focus and (focus != self._focus or not linked):
            self._focus = focus
            return self.top_of(focus)
        return chain[-1] if focus else 0

    def _ask_links(self, chain: Sequence[int]) -> list[Any]:
        return [self._display.core.QueryTree(window) for window in chain]

    def _linked(self, chain: Sequence[int], asked: Sequence[Any]) -> bool:
        """True when each window of the chain is still the child of the next, and the last one of the root."""
        parents = [self._parent(cookie) for cookie in asked]  # every reply must be read
        return bool(chain) and parents == [*chain[1:], self._display.root]

    def _parent(self, cookie: Any) -> int:
        """The parent in a reply to QueryTree, 0 when the window is gone.

        Read from the raw bytes, as decoding the list of children is slow.
        """
        try:
            reply = self._display.connection.wait_for_reply(cookie.sequence)
        except xcffib.xproto.WindowError:
            return 0  # it has gone
        return int.from_bytes(ffi.buffer(reply.cdata, 16)[12:], sys.byteorder)

    def _climb(self, window: int) -> tuple[int, ...]:
        chain = [window]
        while (found := reply_or_none(self._display.core.QueryTree(chain[-1]))) and found.parent not in (
            0,
            found.root,
        ):
            chain.append(int(found.parent))
        return tuple(chain)

    def tops_of(self, windows: Iterable[int]) -> dict[int, int]:
        """For each window the child of the root that it is or is in; queries all of them in parallel."""
        tops = {window: window for window in windows}
        rising = set(tops)
        while rising:
            asked = [(window, self._display.core.QueryTree(tops[window])) for window in rising]
            answered = [(window, reply_or_none(cookie)) for window, cookie in asked]
            above = {window: int(found.parent) for window, found in answered if found}
            rising = {window for window, parent in above.items() if parent not in (0, self._display.root)}
            tops |= {window: above[window] for window in rising}
        return tops

    def _holds(self, known: _Found) -> bool:
        """True when a search result still holds. All requests are sent before the first reply is read."""
        tree, state = self._display.core.QueryTree, self._ask_state
        chain = [tree(lower) for lower in known.chain[:-1]]
        looked = [(children, tree(window), state(window)) for window, children in known.children]
        client = state(known.client)
        parents = [self._parent(cookie) for cookie in chain]
        seen = [(children, reply_or_none(inside), numbers(cookie)) for children, inside, cookie in looked]
        has_state = bool(numbers(client))
        same = all(found and tuple(found.children) == kids and not set_ for kids, found, set_ in seen)
        return parents == list(known.chain[1:]) and same and has_state != bool(known.children)

    def _search(self, top: int) -> _Found:
        above = {top: 0}
        inside: list[tuple[int, tuple[int, ...]]] = []
        layer: Sequence[int] = [top]
        for _ in range(_LEVELS):
            asked = [
                (window, self._ask_state(window), self._display.core.QueryTree(window)) for window in layer
            ]
            # All replies are read: an unread error would arrive as an event.
            told = [(window, numbers(state), reply_or_none(tree)) for window, state, tree in asked]
            for window, state, _found in told:
                if state:
                    return _Found(window, _chain(window, above), ())
            kids = [(window, tuple(found.children) if found else ()) for window, _, found in told]
            inside += kids
            above |= {child: window for window, children in kids for child in children}
            layer = [child for _, children in kids for child in children]
        return _Found(top, (), tuple(inside))

    def _ask_state(self, window: int) -> Any:
        return self._display.ask_property(window, "WM_STATE")


def focused(focus: int, root: int) -> int:
    """The window of a reply to GetInputFocus, often one inside a client's; 0 when no window has the focus."""
    return 0 if focus in (InputFocus._None, InputFocus.PointerRoot, root) else focus


def _chain(window: int, above: dict[int, int]) -> tuple[int, ...]:
    """The window and those above it."""
    chain = [window]
    while parent := above[chain[-1]]:
        chain.append(parent)
    return tuple(chain)


class Arrangement:
    """The managed windows of one display. Without a window manager that stacks there is none."""

    def __init__(self, display: Display, windows: EwmhWindows) -> None:
        self._display = display
        self._windows = windows

    def read(self) -> Standing | None:
        """None without a window manager."""
        managed = self._windows.managed()
        if not self._display.numbers(self._display.root, "_NET_SUPPORTING_WM_CHECK"):
            return None
        owners = self._windows.owners(managed)
        found = (self._read(window, pid) for window, pid in zip(managed, owners, strict=True))
        return Standing(tuple(found), self._windows.active())

    def _read(self, window: int, pid: int) -> StandingWindow:
        info = self._windows.describe(window)
        minimised = self._display.numbers(window, "WM_STATE")[:1] == [_ICONIC]
        return StandingWindow(window, pid, info.title, info.application, minimised)

    def put_back(self, before: Standing, but: Collection[tuple[int, int]]) -> None:
        """Minimised states, order and the active window as before, except for those of the windows with the keys `but`."""
        now = self.read()
        if now is None:
            return
        there = {each.key: each for each in now.windows}
        own = [each for each in before.windows if each.key in there and each.key not in but]
        for each in own:
            if each.minimised != there[each.key].minimised:
                self._minimise(each.id) if each.minimised else self._windows.activate(each.id)
        shown = [each.id for each in own if not each.minimised]
        if [each.id for each in now.windows if each.id in shown] != shown:
            self._restack(shown)
        if before.active in shown and before.active != self._windows.active():
            self._windows.activate(before.active)

    def _minimise(self, window: int) -> None:
        self._windows.request(window, "WM_CHANGE_STATE", _ICONIC)

    def _restack(self, windows: list[int]) -> None:
        """From front to back, by raising one after the other from the back on."""
        for window in reversed(windows):
            self._windows.request(window, "_NET_RESTACK_WINDOW", SOURCE_PAGER, 0, _ABOVE)
