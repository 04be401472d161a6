"""What is drawn: clicking all of a kind, counting, naming, and points of a diagram."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from desktop_agent.llm.offline import figures
from desktop_agent.llm.offline.figures import Figure
from desktop_agent.llm.offline.intents import Phrase
from desktop_agent.llm.offline.intents_hand import ClickAll, Count, GridPoint, Identify
from desktop_agent.llm.offline.moves import Act, Move, Question, Reached
from desktop_agent.llm.offline.places import reading_order
from desktop_agent.llm.offline.resolve import resolve
from desktop_agent.llm.offline.roles import ROLES
from desktop_agent.llm.offline.scene import Scene
from desktop_agent.protocol import ops
from desktop_agent.protocol.geometry import Point
from desktop_agent.vision.observation import Element

_MOST_AT_ONCE = 8
_NEAR = 14
_SIDES = {3: "triangle", 4: "square", 5: "pentagon", 6: "hexagon", 7: "heptagon", 8: "octagon"}


def click_all(intent: ClickAll, scene: Scene) -> Move:
    """Click every figure of a kind, once each."""
    found = reading_order(figures.as_element(each, scene.look.window) for each in _found(intent.what, scene))
    if intent.order:
        found = sorted(found, key=lambda each: intent.order * int(each.value or 0))
    done = len(scene.clicks())
    if not found:
        return scene.wait(2) or Question(f"I see no {intent.what.spoken}. What shall I click?")
    if done >= len(found):
        return Reached(f"I clicked {done} of them.")
    return Act(
        tuple(scene.click(each) for each in found[done : done + _MOST_AT_ONCE]),
        f"I click all the {intent.what.spoken}.",
    )


def count(intent: Count, scene: Scene) -> Move:
    """Count figures, and give the answer where there is a place for it."""
    return answer(str(len(_found(intent.what, scene))), scene)


def identify(intent: Identify, scene: Scene) -> Move:
    """Tell what the figure is, or how many sides it has."""
    drawn = sorted(scene.sight.figures, key=lambda each: -each.bounds.width * each.bounds.height)
    if not drawn:
        return scene.wait(2) or Question("I see no figure. What do you mean?")
    if intent.what == "sides":
        return answer(str(drawn[0].sides), scene)
    return answer(_word(drawn[0], scene), scene)


def _word(figure: Figure, scene: Scene) -> str:
    """What it is called; where there are names to choose from, the one of them that fits."""
    words = {
        "digit": ("Digit", "Number"),
        "square": ("Square", "Rectangle"),
        "letter": ("Letter", "Character"),
    }
    names = words.get(
        figure.kind, (_SIDES.get(figure.sides, figure.kind).capitalize(), figure.kind.capitalize())
    )
    return next((name for name in names if _button(name, scene) is not None), names[0])


def _found(what: Phrase, scene: Scene) -> list[Figure]:
    said = figures.wanted(what.spoken)
    return figures.matching(said, scene.sight.figures) if said else []


def answer(text: str, scene: Scene) -> Move:
    """Click the button that says it, or type it where there is one box for it; else tell the user."""
    if scene.clicks() or scene.done(ops.Type):
        return Reached(finding=f"The answer is {text}.", result=text)
    button = _button(text, scene)
    if button is not None:
        return Act((scene.click(button),), f"The answer is {text}.")
    return Reached(finding=f"The answer is {text}.", result=text)


def _button(name: str, scene: Scene) -> Element | None:
    allowed = ROLES["button"] | ROLES["radio"] | ROLES["link"]
    here = [each for each in scene.sight.front if each.role in allowed and scene.sight.is_on_page(each)]
    kept = {each.id for each in here} or {each.id for each in scene.sight.front if each.role in allowed}
    return resolve(
        Phrase(name, quoted=True, spoken=name), scene.sight, allow=lambda each: each.id in kept
    ).element


# ---- diagrams ------------------------------------------------------------------------------------


def grid_point(intent: GridPoint, scene: Scene) -> Move:
    """Click a point of a diagram by the numbers at its axes."""
    if scene.clicks():
        return Reached()
    at = _place(intent, scene)
    if at is None:
        return scene.wait(2) or Question("I cannot read the numbers at the axes. Where shall I click?")
    spot = scene.look.viewport.to_image(at)
    return Act((ops.Click(spot.x, spot.y),), f"I click at {intent.x:g}, {intent.y:g} of the diagram.")


def _place(intent: GridPoint, scene: Scene) -> Point | None:
    """Where the point is on the screen; on the dot there, when there is one."""
    numbers = [
        (e, float(e.name))
        for e in scene.sight.front
        if e.role in ("static", "label", "text") and _is_number(e.name)
    ]
    across = _axis([(e.bounds.center.x, e.bounds.center.y, value) for e, value in numbers])
    along = _axis([(e.bounds.center.y, e.bounds.center.x, value) for e, value in numbers])
    if across is None or along is None:
        return None
    x, y = (round(origin + step * value) for (origin, step), value in ((across, intent.x), (along, intent.y)))
    dots = [each.bounds.center for each in scene.sight.figures if each.kind == "circle"]
    near = min(dots, key=lambda dot: abs(dot.x - x) + abs(dot.y - y), default=None)
    return near if near is not None and abs(near.x - x) + abs(near.y - y) <= _NEAR else Point(x, y)


def _axis(labels: Sequence[tuple[int, int, float]]) -> tuple[float, float] | None:
    """Pixel of zero and pixels of one, from labels (place along the axis, place across it, number) in one line."""
    lines = [[each for each in labels if abs(each[1] - line) <= 5] for line in {each[1] for each in labels}]
    longest = max(lines, key=lambda line: len({each[2] for each in line}), default=[])
    if len({each[2] for each in longest}) < 3:
        return None
    step, origin = np.polyfit([each[2] for each in longest], [each[0] for each in longest], 1)
    return float(origin), float(step)


def _is_number(text: str) -> bool:
    return text.replace("−", "-").lstrip("-").replace(".", "", 1).isdigit() and "−" not in text
