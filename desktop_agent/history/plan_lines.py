"""Words a change of the plan as one line of the conversation."""

from __future__ import annotations

from desktop_agent.support.language import tr

MOST_LETTERS = 120
"""Characters of each step in a line that lists them all."""


def plan_line(before: tuple[str, ...], at: int, steps: tuple[str, ...], current: int) -> str:
    """A new plan with its steps, or the step that has become the current one (from 0); "" where neither changed."""
    if not steps:
        return ""
    if steps != before:
        listed = (f"{number}. {_cut(step)}" for number, step in enumerate(steps, 1))
        return tr("Plan: {steps}").format(steps=" · ".join(listed))
    if current == at or not 0 <= current < len(steps):
        return ""
    return tr("Step {n} of {count}: {step}").format(n=current + 1, count=len(steps), step=steps[current])


def _cut(step: str) -> str:
    return step if len(step) <= MOST_LETTERS else f"{step[:MOST_LETTERS]}…"
