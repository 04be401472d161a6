"""The goals of a scene with whether each is reached now."""

from __future__ import annotations

from typing import Literal, TypeAlias

import msgspec

from desktop_agent.simulation.rules.expressions import holds
from desktop_agent.simulation.scene_file import SceneGoal
from desktop_agent.support.language import language_in_use
from desktop_agent.targets.simulated import SimulatedTarget

GoalState: TypeAlias = Literal["open", "reached", "harmed"]


class JudgedGoal(msgspec.Struct, frozen=True):
    """A goal in the user's language; "harmed": it is reached, and something else is not as it was."""

    words: str
    state: GoalState


def judged_goals(target: SimulatedTarget, report: str) -> tuple[JudgedGoal, ...]:
    """All goals of the scene; `report` is what the agent said last at the end of a run, which answers are looked for in."""
    with target.screen.lock:
        return tuple(
            JudgedGoal(goal_words(each), _state(target, each, report)) for each in target.scene_file.goals
        )


def goal_words(goal: SceneGoal) -> str:
    """What a user may say for it, in the language of the program where it has one."""
    return goal.say.get(language_in_use()) or goal.say["en"]


def _state(target: SimulatedTarget, goal: SceneGoal, report: str) -> GoalState:
    names = target.desktop.names
    if not holds(goal.reached, names) or (goal.answer and goal.answer.casefold() not in report.casefold()):
        return "open"
    return "reached" if goal.harmless is None or holds(goal.harmless, names) else "harmed"
