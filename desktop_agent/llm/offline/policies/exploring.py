"""Looking for a thing where it does not show yet: other tabs, closed sections and branches, submenus."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from desktop_agent.llm.offline.intents import Expand, Phrase
from desktop_agent.llm.offline.marks import closed_mark
from desktop_agent.llm.offline.moves import Act, Move, Question, Reached
from desktop_agent.llm.offline.places import reading_order
from desktop_agent.llm.offline.resolve import resolve
from desktop_agent.llm.offline.roles import ROLES
from desktop_agent.llm.offline.rules_seek import seeks
from desktop_agent.llm.offline.scene import Scene
from desktop_agent.protocol import ops
from desktop_agent.protocol.geometry import Rect
from desktop_agent.vision.observation import Element

_MOST = 14
"""Parts that are opened in search of one thing."""

_BRANCHES = frozenset(("list item", "tree item", "table row", "table cell"))


def explore(what: Phrase, scene: Scene) -> Act | None:
    """Open the next part of the window that may hold what is not in sight; None when there is none left.

    Only what shows other parts of the same window is touched: a tab, a closed section or branch, the pointer over
    an entry of a menu.
    """
    if scene.sight.dialog is not None or scene.times_searched >= _MOST:
        return None
    for key, op, name in _unopened(what, scene):
        if key not in scene.searched:
            known = "\n".join((key, *_open_now(scene)))
            return Act((op,), f"I do not see it yet, so I look in “{name}”.", search=known)
    return None


def _open_now(scene: Scene) -> list[str]:
    """The keys of tabs that are open: what they show is seen."""
    return [
        f"part {each.name}"
        for each in _of_page(scene, lambda e: e.role in ROLES["tab"] and "selected" in e.states)
    ]


def keen(scene: Scene) -> bool:
    """Is it time to explore: at once where the user said that the thing is to be looked for?"""
    last = scene.deeds[-1] if scene.searched and scene.deeds else None
    # What opens below an entry that is pointed at opens after a moment.
    opened = last is not None and last.effect in ("changed", "confirmed")
    at_once = opened and last is not None and isinstance(last.op, ops.Click | ops.ClickElement)
    looks = 0 if at_once else 1
    return (bool(scene.searched) or seeks(scene.goal)) and scene.patience >= looks


def _unopened(what: Phrase, scene: Scene) -> Iterator[tuple[str, ops.Op, str]]:
    """What could be opened, in the order in which it is tried: a key to know it again, how, and its name."""
    if what.kind in ("", "item", "menuitem", "option", "link", "icon"):
        for element in _of_page(scene, _is_entry):
            yield f"over {element.name}", ops.HoverElement(element.id), element.name
    for element in _of_page(scene, lambda each: each.role in _BRANCHES):
        mark = _closed(element, scene)
        if mark is not None:  # an open branch has another mark, so that this one was not tried before
            at = scene.look.viewport.rect_to_image(mark).center
            yield f"branch {scene.times_searched}", ops.Click(at.x, at.y), element.name
    if what.kind != "tab":
        for element in _of_page(scene, lambda each: _folds(each) or _is_other_tab(each)):
            yield f"part {element.name}", scene.click(element), element.name


def _of_page(scene: Scene, test: Callable[[Element], bool]) -> list[Element]:
    """Things of the page (or of the window, where it has none), top to bottom."""
    page = scene.sight.document
    found = [each for each in scene.sight.front if each.source == "tree" and each.name and test(each)]
    return reading_order(each for each in found if page is None or page.bounds.contains(each.bounds.center))


def _is_entry(element: Element) -> bool:
    """An entry of an open menu; one of a menu bar opens at a click."""
    return element.role in ROLES["menuitem"] - {"list item", "menu"}


def _is_other_tab(element: Element) -> bool:
    return element.role in ROLES["tab"] and "selected" not in element.states


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
    folding = _of_page(scene, lambda each: "expandable" in each.states and each.role not in ROLES["field"])
    named = resolve(what, scene.sight) if what.name else None
    if named is not None and (named.element or named.candidates):
        return named.element or (named.candidates[0] if named.ambiguous else None)
    at = max(0, what.ordinal - 1)
    return folding[at] if at < len(folding) else None
