"""What a browser lays over a page (suggestions, a question about a password): put away before what is under it is clicked."""

from __future__ import annotations

from desktop_agent.extras.offline.llm.offline.moves import Act
from desktop_agent.extras.offline.llm.offline.sight import Sight
from desktop_agent.protocol import ops
from desktop_agent.vision.observation import Element

_OVER = frozenset(("list box", "list", "menu", "alert", "dialog", "tool tip"))


def uncover(act: Act, sight: Sight) -> Act | None:
    """Escape, when the first thing to be clicked is covered: the click would only close what covers it. None when not."""
    first = act.actions[0]
    target = next((e for e in sight.front if e.id == getattr(first, "element", None)), None)
    if not isinstance(first, ops.ClickElement) or target is None or cover(target, sight) is None:
        return None
    return Act((ops.KeyCombo(("escape",)),))


def cover(element: Element, sight: Sight) -> Element | None:
    """What lies over a part of the page in front and does not belong to the page."""
    page = sight.document
    if page is None or page.role != "document web" or not sight.is_inside(element, page):
        return None
    over = (e for e in sight.front if e.role in _OVER and e.bounds.contains(element.bounds.center))
    return next((each for each in over if not sight.is_inside(each, page)), None)
