"""Which client's window is inside which child of the root: searched for once, and made sure of at every use.

A window manager puts a client's window into a frame of its own, some levels down. The search takes a
question or two a level; making sure that its result still holds takes one round trip.
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
_MOST = 200  # results remembered; windows come and go


class _Found(NamedTuple):
    """A search: the client's window and those above it up to the top, or all that was looked into in vain."""

    client: int
    chain: tuple[int, ...]
    children: tuple[tuple[int, tuple[int, ...]], ...]


class WindowTree:
    """Answers for one display; it never answers from memory alone."""

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
        """The child of the root that a window is, or is in."""
        chain = self._chains.get(window)
        if chain is None or not self._linked(chain, self._ask_links(chain)):
            chain = self._climb(window)
            if len(self._chains) >= _MOST:
                self._chains.clear()
            self._chains[window] = chain
        return chain[-1]

    def top_with_focus(self) -> int:
        """The same of the window with the keyboard focus, 0 when none has it; mostly one round trip."""
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
        """Is each still the child of the next, and the last one of the root?"""
        parents = [self._parent(cookie) for cookie in asked]  # all answers are taken
        return bool(chain) and parents == [*chain[1:], self._display.root]

    def _parent(self, cookie: Any) -> int:
        """Read from the bytes of the reply: the list of children is of no use here, and costs much."""
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
        """The child of the root that each window is, or is in; asks for all of them at once."""
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
        """Is it as it was found? All questions go out before the first answer is taken."""
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
            # All answers are taken: one left behind would come as an event.
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
    """The window that GetInputFocus tells of, often one inside a client's; 0 when none has the focus."""
    return 0 if focus in (InputFocus._None, InputFocus.PointerRoot, root) else focus


def _chain(window: int, above: dict[int, int]) -> tuple[int, ...]:
    """The window and those above it."""
    chain = [window]
    while parent := above[chain[-1]]:
        chain.append(parent)
    return tuple(chain)
