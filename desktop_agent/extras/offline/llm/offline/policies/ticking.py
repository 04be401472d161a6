"""Ticking several boxes: all that are meant in one go, then a look whether they are as they should be."""

from __future__ import annotations

import re
from collections.abc import Sequence

from desktop_agent.extras.offline.llm.offline.intents import Phrase
from desktop_agent.extras.offline.llm.offline.moves import Act, Move, Question, Reached
from desktop_agent.extras.offline.llm.offline.places import reading_order
from desktop_agent.extras.offline.llm.offline.policies.locate import missing
from desktop_agent.extras.offline.llm.offline.resolve import Resolved, resolve
from desktop_agent.extras.offline.llm.offline.roles import ROLES
from desktop_agent.extras.offline.llm.offline.scene import Scene
from desktop_agent.extras.offline.llm.offline.states import is_on
from desktop_agent.vision.observation import Element

BOXES = ROLES["checkbox"] | ROLES["toggle"]
_BATCH = 8
_TRIES = 2
_KINDS = r"(?: ?(?:of )?(?:the )?(?:check ?boxes|box(?:es)?|options?|items?|choices|ones|of them))?"
_ALL = re.compile(
    rf"(?:all|every|each|both|everything|every(?: single)? one){_KINDS}"
    r"(?:\s*,?\s+(?:but|except(?: for)?|besides|other than|apart from|save)(?: the)?\s+(?P<but>.+))?",
    re.I,
)


def all_but(said: str) -> str | None:
    """What "all boxes except …" leaves out, "" for all of them; None when it does not say all."""
    found = _ALL.fullmatch(said.strip())
    return (found["but"] or "") if found else None


def boxes(scene: Scene) -> list[Element]:
    """Check boxes in front, in reading order."""
    return reading_order(e for e in scene.sight.front if e.role in ROLES["checkbox"])


def find(name: str, scene: Scene) -> Resolved:
    """The box of a name."""
    what = Phrase(name, spoken=name)
    return resolve(what, scene.sight, allow=lambda e: e.role in BOXES and scene.sight.in_front(e))


def are_boxes(names: Sequence[str], scene: Scene) -> bool:
    """Is at least one of the names that of a check box?"""
    return any(find(name, scene).element is not None for name in names)


def tick(names: Sequence[str], on: bool, scene: Scene) -> Move:
    """Have the boxes of these names on (or off)."""
    found = {name: find(name, scene).element for name in names}
    lost = [name for name, box in found.items() if box is None]
    if lost:
        return scene.wait(3) or missing(
            scene, Phrase(lost[0], spoken=lost[0]), find(lost[0], scene).candidates
        )
    return _have([box for box in found.values() if box], on, scene)


def tick_all(on: bool, but: Sequence[str], scene: Scene) -> Move:
    """Have all boxes on (or off), and those of these names the other way round."""
    every = boxes(scene)
    if not every:
        return scene.wait(3) or missing(scene, Phrase("boxes", spoken="check boxes"))
    out = [box for name in but if (box := find(name, scene).element)]
    if len(out) < len(but):
        return missing(scene, Phrase(", ".join(but), spoken=", ".join(but)))
    wrong = [box for box in out if is_on(box) == on and "ticked" not in scene.memo]
    return _have([box for box in every if box not in out], on, scene, turn_back=wrong)


def _have(wanted: Sequence[Element], on: bool, scene: Scene, turn_back: Sequence[Element] = ()) -> Move:
    """Click those that are not as they should be; the ones just clicked get a moment to tell."""
    wrong = [*turn_back, *(box for box in wanted if is_on(box) != on)]
    state = "on" if on else "off"
    if not wrong:
        return Reached(f"{', '.join(box.name for box in wanted if box.name) or 'All'}: {state}.")
    tries = int(scene.memo.get("ticked", "0"))
    if tries and (waiting := scene.wait(1)):
        return waiting
    if tries > _TRIES + len(wanted) // _BATCH:
        return Question(f"“{wrong[0].name}” does not turn {state} although I clicked it. What shall I do?")
    scene.memo["ticked"] = str(tries + 1)
    note = f"I turn {state} {', '.join(f'“{box.name}”' for box in wrong[:_BATCH])}."
    return Act(tuple(scene.click(box) for box in wrong[:_BATCH]), note)
