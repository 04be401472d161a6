"""Rows, cards and posts: which things on the screen belong together."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import pairwise

from desktop_agent.extras.offline.llm.offline.likeness import plain
from desktop_agent.extras.offline.llm.offline.sight import Sight
from desktop_agent.vision.observation import Element

_PRESSED = frozenset(("image", "push button", "link", "icon", "toggle button"))
_TEXTUAL = frozenset(
    ("static", "label", "paragraph", "heading", "text", "section", "list item", "table cell", "link")
)


def content(sight: Sight) -> tuple[Element, ...]:
    """What is on the page (or in the window) in front, without texts that only tell the reader what to do."""
    page = sight.document
    things = sight.front
    if page is not None and page.role == "document web":
        things = tuple(e for e in things if sight.is_inside(e, page) or e.source == "ocr")
    return tuple(e for e in things if e.id not in sight.instructing)


def card(anchor: Element, things: Sequence[Element], around: Sequence[Element] = ()) -> list[Element]:
    """Those of alike things (all Like buttons, say) that belong to the anchor: in its row, card or post.

    `around` is all there is to see: what is repeated there tells how deep the list is.
    """
    deepest = max((_common(anchor, each) for each in things), default=0)
    inside = [each for each in things if _common(anchor, each) == deepest]
    level = _level(around or things)
    if anchor.trail and deepest and (level is None or deepest > level):
        return inside
    return [] if level is not None and anchor.trail else _beside(anchor, things)


def _common(one: Element, other: Element) -> int:
    """How many steps from the root two things go together."""
    count = 0
    for a, b in zip(one.trail, other.trail, strict=False):
        if a != b:
            break
        count += 1
    return count


def _level(things: Sequence[Element]) -> int | None:
    """How deep the list is whose cards the things that come again and again are in; None when nothing does."""
    groups: dict[tuple[str, str], list[Element]] = {}
    for each in things:
        if each.trail and each.role in _PRESSED:
            groups.setdefault((each.role, each.name), []).append(each)
    levels = [min(_common(a, b) for a, b in pairwise(group)) for group in groups.values() if len(group) > 1]
    return max(set(levels), key=levels.count, default=None)


def _beside(anchor: Element, things: Sequence[Element]) -> list[Element]:
    """Without a tree to go by: in the same line, else the nearest below."""
    line = [e for e in things if e.bounds.y < anchor.bounds.center.y < e.bounds.bottom]
    below = [e for e in things if 0 <= e.bounds.y - anchor.bounds.y < 160]
    return line[:1] or sorted(below, key=lambda e: e.bounds.y)[:1]


def named(things: Iterable[Element], name: str) -> list[Element]:
    """The things that say a name: exactly, else as a word of what they say."""
    wanted = plain(name)
    exact = [e for e in things if plain(e.name) == wanted]
    if exact or not wanted:
        return exact
    part = re.compile(rf"(?<![\w@]){re.escape(wanted)}(?!\w)", re.I)
    return [e for e in things if part.search(e.name) and e.role in _TEXTUAL]
