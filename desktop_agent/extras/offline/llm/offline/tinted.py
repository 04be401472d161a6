"""Buttons that are told by their colour: "the blue button"."""

from __future__ import annotations

from collections.abc import Callable

from desktop_agent.extras.offline.llm.offline.colours import family, family_of
from desktop_agent.extras.offline.llm.offline.intents import Phrase
from desktop_agent.extras.offline.llm.offline.marks import ground
from desktop_agent.extras.offline.llm.offline.places import reading_order
from desktop_agent.extras.offline.llm.offline.roles import ROLES
from desktop_agent.extras.offline.llm.offline.sight import Sight
from desktop_agent.vision.observation import Element

_PRESSED = ("button", "tab", "link")
_DRAWN = frozenset(("static", "label", "section"))
"""What a page may have drawn as a button is told as a mere text."""


def tinted(what: Phrase, sight: Sight, allow: Callable[[Element], bool] | None) -> list[Element]:
    """The things of a kind on the page (or in the window) whose ground has the colour that is their whole name."""
    colour = family_of(what.name) if what.kind in _PRESSED and not what.quoted else ""
    if not colour:
        return []
    here = [e for e in sight.on_page(sight.front) if e.source == "tree" and (not allow or allow(e))]
    for roles in (ROLES[what.kind], _DRAWN):
        found = [e for e in here if e.role in roles and (e.name or e.role not in _DRAWN)]
        shaded = [e for e in found if (tint := ground(sight.look, e.bounds)) and family(tint) == colour]
        if shaded:
            return reading_order(shaded)
    return []
