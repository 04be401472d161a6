"""Names a place by what an observation shows of one window."""

from __future__ import annotations

import re
from collections.abc import Sequence
from urllib.parse import urlsplit

from desktop_agent.vision.mapping.map_records import PAGE, PlaceName
from desktop_agent.vision.observation import Element

_MARKS = re.compile(r"^[*●•\s]+|\s*[(\[]\d+[)\]]\s*")
"""What comes and goes in a name: a mark of changes, a count of what is new."""
_HEADINGS = 3
_LONG = 80


def steady(name: str) -> str:
    """A window's, tab's or heading's name without what comes and goes in it."""
    return _MARKS.sub(" ", name).strip()[:_LONG]


def place_name(
    application: str,
    title: str,
    tabs: Sequence[Element],
    headings: Sequence[Element],
    document: Element | None,
) -> PlaceName:
    """The name of a window's page; `tabs` are the chosen ones, `document` is what has an address."""
    url = _address(document.url) if document is not None else ""
    if document is not None:
        depth = len(document.trail)
        tabs = [each for each in tabs if depth and each.trail[:depth] == document.trail]
    if not tabs and not url:
        tabs = headings[:_HEADINGS]
    page = PAGE.join(dict.fromkeys(filter(None, (steady(each.name) for each in tabs))))
    return PlaceName(application, steady(title), url, page)


def _address(url: str) -> str:
    """Without its query, which may hold what is nobody else's, and without a fragment that is no page of its own."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return ""
    page = f"#{parts.fragment.split('?')[0]}" if parts.fragment.startswith(("/", "!")) else ""
    return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}{parts.path}{page}"
