"""Finds which client window is inside which child of the root; results are cached and verified at every use.

A window manager puts a client's window into a frame of its own, some levels down. The search takes a round
trip or two per level; verifying a cached result takes one.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import xcffib.xproto
from xcffib.ffi import ffi
from xcffib.xproto import InputFocus

from desktop_agent.platforms.x11.connection import Display, numbers, reply_or_none

_LEVELS = 4  # frames are one to three deep
_MOST = 200  # results cached; windows come and go


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
