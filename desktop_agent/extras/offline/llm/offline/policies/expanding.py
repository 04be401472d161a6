"""Opening out what is folded up (a section, a branch), or folding it up again."""

from __future__ import annotations

from desktop_agent.extras.offline.llm.offline.intents import Expand, Phrase
from desktop_agent.extras.offline.llm.offline.moves import Act, Move, Question, Reached
from desktop_agent.extras.offline.llm.offline.places import reading_order
from desktop_agent.extras.offline.llm.offline.policies.known_ways import known_way
from desktop_agent.extras.offline.llm.offline.resolve import resolve
from desktop_agent.extras.offline.llm.offline.roles import ROLES
from desktop_agent.extras.offline.llm.offline.scene import Scene
from desktop_agent.vision.observation import Element


def expand(intent: Expand, scene: Scene) -> Move:
    """Open a section, branch or menu out, or fold it up."""
    clicked = scene.clicks()
    if clicked:
        waiting = scene.wait(1) if clicked[-1].effect == "unchanged" else None
        return waiting or Reached()
    found = _foldable(intent.what, scene)
    if found is None:
        return (
            known_way(intent.what, scene)
            or scene.wait(3)
            or Question(f"I see nothing called “{intent.what.spoken}” to open out. What is it called?")
        )
    if ("expanded" in found.states) == intent.on and "expandable" in found.states:
        return Reached(f"“{found.name}” is {'open' if intent.on else 'closed'}.")
    return Act((scene.click(found),), f"I {'open' if intent.on else 'close'} “{found.name}”.")


def _foldable(what: Phrase, scene: Scene) -> Element | None:
    """The thing of that name; of a kind alone ("the section") the first that is not yet as it shall be."""
    page = scene.sight.document
    folding = reading_order(
        each
        for each in scene.sight.front
        if each.source == "tree" and each.name and "expandable" in each.states
        and each.role not in ROLES["field"] and (page is None or page.bounds.contains(each.bounds.center))
    )  # fmt: skip
    named = resolve(what, scene.sight) if what.name else None
    if named is not None and (named.element or named.candidates):
        return named.element or (named.candidates[0] if named.ambiguous else None)
    at = max(0, what.ordinal - 1)
    return folding[at] if at < len(folding) else None
