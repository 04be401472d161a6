"""Lists that come in pages: turning them, and the n-th of what they list."""

from __future__ import annotations

import re
from collections.abc import Sequence

from desktop_agent.extras.offline.llm.offline.cards import content
from desktop_agent.extras.offline.llm.offline.intents import Click
from desktop_agent.extras.offline.llm.offline.moves import Act, Move, Question, Reached
from desktop_agent.extras.offline.llm.offline.scene import Scene
from desktop_agent.vision.observation import Element

_NEXT = re.compile(r"(?:next(?: page)?|>|›|»|→|more(?: results)?|older)\W*", re.I)
_PAGER = re.compile(
    r"\d{1,3}|<|>|‹|›|«|»|←|→|next(?: page)?\W*|prev(?:ious)?(?: page)?\W*|first|last|\.\.\.|…", re.I
)
_PRESSED = ("link", "push button", "page tab", "list item")
_MAX_PAGES = 12


def _turn_page(scene: Scene, things: Sequence[Element]) -> Act | None:
    """To the next page of what is listed; None when there is none."""
    turned = int(scene.memo.get("page", "1"))
    found = next((e for e in things if e.role in _PRESSED and _NEXT.fullmatch(e.name.strip())), None)
    numbered = _page_link(things, turned + 1)
    target = found or numbered
    if target is None or turned >= _MAX_PAGES:
        return None
    scene.memo["page"] = str(turned + 1)
    return Act((scene.click(target),), f"I go on to page {turned + 1}.")


def _page_link(things: Sequence[Element], number: int) -> Element | None:
    return next((e for e in things if e.role in _PRESSED and e.name.strip() == str(number)), None)


def nth_result(intent: Click, scene: Scene) -> Move | None:
    """Press the n-th result, on whatever page it is; None when nothing is listed that looks like results."""
    if scene.memo.get("pressed"):
        return Reached()
    things = content(scene.sight)
    listed = results(things)
    if not listed:
        return scene.wait(3)
    nth, page, passed = (
        intent.what.ordinal,
        int(scene.memo.get("page", "1")),
        int(scene.memo.get("passed", "0")),
    )
    nth = len(listed) + passed + 1 + nth if nth < 0 else nth
    if nth - passed <= len(listed):
        found = listed[nth - passed - 1]
        scene.memo["pressed"] = "yes"
        return Act(
            (scene.click(found, intent.button, intent.count),), f"I press result {nth}, “{found.name}”."
        )
    wanted = (nth - 1) // len(listed) + 1
    link = _page_link(things, wanted) if page == 1 else None
    if link is not None:
        scene.memo.update(page=str(wanted), passed=str((wanted - 1) * len(listed)))
        return Act((scene.click(link),), f"That is on page {wanted}.")
    scene.memo["passed"] = str(passed + len(listed))
    return _turn_page(scene, things) or Question(
        f"I see only {passed + len(listed)} results. Which one do you mean?"
    )


def results(things: Sequence[Element]) -> list[Element]:
    """Links (or rows) one below the other that are no page numbers: the largest column of them."""
    links = [e for e in things if e.role == "link" and e.name and not _PAGER.fullmatch(e.name.strip())]
    columns: dict[int, list[Element]] = {}
    for each in links:
        columns.setdefault(each.bounds.x // 4, []).append(each)
    best = max(columns.values(), key=len, default=[])
    return sorted(best, key=lambda e: e.bounds.y)
