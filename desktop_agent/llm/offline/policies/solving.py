"""Problems that stand on the page: worked out here, as there may be no calculator at hand."""

from __future__ import annotations

from desktop_agent.llm.offline import equations
from desktop_agent.llm.offline.cards import content
from desktop_agent.llm.offline.intents import Solve
from desktop_agent.llm.offline.moves import Move, Question, Reached
from desktop_agent.llm.offline.places import reading_order
from desktop_agent.llm.offline.scene import Scene


def solve(intent: Solve, scene: Scene) -> Move:
    """Find the problem, work it out, and remember the answer."""
    problem = intent.problem or scene.answer or _shown(scene)
    found = equations.answer(problem) if problem else None
    if found is not None:
        said = equations.written(found)
        return Reached(
            f"{problem.strip()} {said}" if problem.rstrip().endswith("=") else f"{problem}: {said}",
            f"{problem}: {said}",
            said,
        )
    waiting = scene.wait(2) or (scene.read() if scene.patience <= 2 else None)
    return waiting or Question("I see no sum or equation that I can work out. What is it?")


def _shown(scene: Scene) -> str:
    """The first text in sight that is a sum or an equation; one with an unknown before others."""
    texts = [e.name for e in reading_order(content(scene.sight)) if equations.is_problem(e.name)]
    return next(iter(texts), "")
