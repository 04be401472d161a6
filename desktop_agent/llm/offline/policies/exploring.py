"""Looking for a thing where it does not show yet: other tabs, closed sections and branches, submenus."""

from __future__ import annotations

from collections.abc import Iterator

from desktop_agent.llm.offline.intents import Expand, Phrase
from desktop_agent.llm.offline.marks import closed_mark
from desktop_agent.llm.offline.moves import Act, Move, Question, Reached
from desktop_agent.llm.offline.places import reading_order
from desktop_agent.llm.offline.resolve import ROLES, resolve
from desktop_agent.llm.offline.rules_seek import seeks
from desktop_agent.llm.offline.scene import Scene
from desktop_agent.protocol import ops
from desktop_agent.protocol.geometry import Rect
from desktop_agent.vision.observation import Element

_MOST = 14
"""Parts that are opened in search of one thing."""

_BRANCHES = frozenset(("list item", "tree item", "table row", "table cell"))
_LOOKS = 1


def explore(what: Phrase, scene: Scene) -> Act | None:
    """Open the next part of the window that may hold what is not in sight; None when there is none left.

    Only what shows other parts of the same window is touched: a tab, a closed section or branch, the pointer over
    an entry of a menu.
    """
    if scene.sight.dialog is not None or len(scene.searched) >= _MOST:
        return None
    for key, op, name in _unopened(what, scene):
        if key not in scene.searched:
            return Act((op,), f"I do not see it yet, so I look in “{name}”.", search=key)
    return None


def keen(scene: Scene) -> bool:
    """Is it time to explore: at once where the user said that the thing is to be looked for?"""
    return (bool(scene.searched) or seeks(scene.goal)) and scene.patience >= _LOOKS


def _unopened(what: Phrase, scene: Scene) -> Iterator[tuple[str, ops.Op, str]]:
    """What could be opened, in the order in which it is tried: a key to know it again, how, and its name."""
    if what.kind in ("", "item", "menuitem", "option", "link", "icon"):
        for element in _of_page(scene, ROLES["menuitem"] - {"list item", "menu"}):
            yield _key("over", element), ops.HoverElement(element.id), element.name
    for element in _of_page(scene, _BRANCHES):
        mark = _closed(element, scene)
        if mark is not None:
            at = scene.look.viewport.rect_to_image(mark).center
            yield _key("branch", element), ops.Click(at.x, at.y), element.name
    for element in _of_page(scene, None):
        if _folds(element) and what.kind != "tab":
            yield _key("section", element), scene.click(element), element.name
    if what.kind != "tab":
        for element in _of_page(scene, ROLES["tab"]):
            if not element.states & {"selected", "expandable"}:
                yield _key("tab", element), scene.click(element), element.name


def _of_page(scene: Scene, roles: frozenset[str] | None) -> list[Element]:
    """Things of these roles in the page (or in the window, where it has none), top to bottom."""
    page = scene.sight.document
    found = [
        e for e in scene.sight.front if e.source == "tree" and (roles is None or e.role in roles) and e.name
    ]
    return reading_order(e for e in found if page is None or page.bounds.contains(e.bounds.center))


def _key(way: str, element: Element) -> str:
    """The same for the same thing in later looks, also when it has moved down by what was opened above it."""
    return f"{way} {element.name} {element.bounds.x}"


def _folds(element: Element) -> bool:
    """Can it be opened out, and is it not?"""
    return (
        "expandable" in element.states
        and "expanded" not in element.states
        and element.role not in ROLES["combo"] | ROLES["field"] | ROLES["menu"] | _BRANCHES
    )


def _closed(element: Element, scene: Scene) -> Rect | None:
    """Where to click to open a closed branch of a tree; None when it is none, or is open."""
    if "expanded" in element.states:
        return None
    if "expandable" in element.states:
        return element.bounds
    return closed_mark(element.bounds, scene.look)


# ---- expanding what is named ---------------------------------------------------------------------


def expand(intent: Expand, scene: Scene) -> Move:
    """Open a section, branch or menu out, or fold it up."""
    clicked = scene.clicks()
    if clicked:
        waiting = scene.wait(1) if clicked[-1].effect == "unchanged" else None
        return waiting or Reached()
    found = _foldable(intent.what, scene)
    if found is None:
        return scene.wait(3) or Question(
            f"I see nothing called “{intent.what.spoken}” to open out. What is it called?"
        )
    if ("expanded" in found.states) == intent.on and "expandable" in found.states:
        return Reached(f"“{found.name}” is {'open' if intent.on else 'closed'}.")
    return Act((scene.click(found),), f"I {'open' if intent.on else 'close'} “{found.name}”.")


def _foldable(what: Phrase, scene: Scene) -> Element | None:
    """The thing of that name; of a kind alone ("the section") the first that is not yet as it shall be."""
    folding = [e for e in _of_page(scene, None) if "expandable" in e.states and e.role not in ROLES["field"]]
    named = resolve(what, scene.sight) if what.name else None
    if named is not None and (named.element or named.candidates):
        return named.element or (named.candidates[0] if named.ambiguous else None)
    at = max(0, what.ordinal - 1)
    return folding[at] if at < len(folding) else None
