"""Choosing by how it starts or ends: out of options in sight, or what a box offers once one types."""

from __future__ import annotations

from desktop_agent.extras.offline.llm.offline.intents import Choose, Match, Phrase
from desktop_agent.extras.offline.llm.offline.moves import Act, Instead, Move, Question, Reached
from desktop_agent.extras.offline.llm.offline.phrase import phrase
from desktop_agent.extras.offline.llm.offline.policies.locate import locate
from desktop_agent.extras.offline.llm.offline.policies.typing import default_box, takes_text
from desktop_agent.extras.offline.llm.offline.quoting import Masked
from desktop_agent.extras.offline.llm.offline.roles import ROLES
from desktop_agent.extras.offline.llm.offline.scene import Scene
from desktop_agent.protocol import ops
from desktop_agent.vision.observation import Element

_OPTIONS = ROLES["option"] | ROLES["menuitem"] | ROLES["radio"] | {"static", "label"}


def match(intent: Match, scene: Scene) -> Move:
    """Choose what fits the description; type its beginning first where a box completes it."""
    if not scene.done(ops.Type):
        shown = _shown(intent, scene)
        if shown:
            return Instead((Choose(Phrase(shown.name, quoted=True, spoken=shown.name)),))
    box = _box(intent, scene)
    if isinstance(box, Act | Question):
        return box
    return _complete(intent, box, scene)


def _box(intent: Match, scene: Scene) -> Element | Act | Question:
    if intent.into:
        return locate(scene, phrase(intent.into, Masked(intent.into)), allow=takes_text)
    box = default_box(scene)
    return box or scene.wait(3) or Question("I see no box to type into. Where shall I enter it?")


def _shown(intent: Match, scene: Scene) -> Element | None:
    """An option in sight that fits, before anything is typed."""
    fitting = [e for e in scene.sight.front if e.role in ROLES["option"] and _fits(intent, e.name)]
    return fitting[0] if fitting else None


def _fits(intent: Match, text: str) -> bool:
    plain = text.strip().lower()
    return (
        bool(plain)
        and plain.startswith(intent.starts.lower())
        and plain.endswith(intent.ends.lower())
        and intent.contains.lower() in plain
    )


def _complete(intent: Match, box: Element, scene: Scene) -> Move:
    clue = intent.starts or intent.contains or intent.ends
    said = _said(intent)
    if _fits(intent, box.value) and (box.value.strip().lower() != clue.lower() or "chosen" in scene.memo):
        return Reached(f"“{box.value}” is entered.")
    if not scene.done(ops.Type):
        note = f"I type “{clue}” to see what is offered."
        return scene.approach(box, note) or Act(scene.overtype(box, clue), note)
    offered = _offered(intent, box, scene)
    if offered and "chosen" not in scene.memo:
        scene.memo["chosen"] = offered.name
        return Act((scene.click(offered),), f"I choose “{offered.name}”.")
    return scene.wait(4) or Question(f"Nothing that is offered {said}. What shall I enter?")


def _said(intent: Match) -> str:
    ways = (("starts with", intent.starts), ("ends with", intent.ends), ("contains", intent.contains))
    return " and ".join(f"{way} “{text}”" for way, text in ways if text)


def _offered(intent: Match, box: Element, scene: Scene) -> Element | None:
    """What is offered below (or above) the box and fits; the first of several."""
    column = [
        e
        for e in scene.sight.front
        if e.id != box.id and e.role in _OPTIONS and _fits(intent, e.name) and _in_column(e, box)
    ]
    return min(column, key=lambda e: abs(e.bounds.y - box.bounds.y), default=None)


def suggestion(text: str, box: Element, scene: Scene) -> Element | None:
    """What a page offers for a text right at its box; the one that says it soonest."""
    lists = [
        e
        for e in scene.sight.on_page(scene.sight.front)
        if e.role in ("list", "list box", "menu") and _in_column(e, box)
    ]
    inside = [
        e for e in scene.sight.front if e.name and any(scene.sight.is_inside(e, each) for each in lists)
    ]
    fits = [e for e in inside if text.lower() in e.name.lower()]
    return min(fits, key=lambda e: (e.name.lower().find(text.lower()), e.bounds.y), default=None)


def _in_column(element: Element, box: Element) -> bool:
    overlap = min(element.bounds.right, box.bounds.right) - max(element.bounds.x, box.bounds.x)
    return overlap > 0 and not box.bounds.contains(element.bounds.center)
