"""Renders the conversation for models that read prose; the words live in assets/prompts.

Only the user's words and our own stand free in it: whatever was read from the screen stands in blocks
with the run's mark (agent/untrusted.py).
"""

from __future__ import annotations

from desktop_agent.agent.memory import RunMemory
from desktop_agent.agent.prompting.untrusted_blocks import Boundary
from desktop_agent.llm.base import Conversation, Deed
from desktop_agent.protocol.errors import Problem
from desktop_agent.protocol.schema import describe, reply_schema
from desktop_agent.redaction.redactor import redactor
from desktop_agent.support import resources
from desktop_agent.vision.elements.describe import describe_observation, one_line
from desktop_agent.vision.observation import Observation

_WORDS = 1_000
"""Characters of one line of the record."""


class Prompter:
    """Makes a Conversation for each turn of one run from its context; every run has a mark of its own."""

    def __init__(
        self, operations: tuple[str, ...], max_actions: int, boundary: Boundary | None = None
    ) -> None:
        self._boundary = boundary or Boundary()
        self._operations = operations
        self._schema = reply_schema(operations)
        self._turn = resources.text("prompts", "turn.md")
        self._strict = resources.text("prompts", "strict.md")
        self._system = _fill(
            resources.text("prompts", "system.md"),
            max_actions=str(max_actions),
            operations=describe(operations),
            mark=self._boundary.mark,
        )

    def conversation(
        self, context: RunMemory, observation: Observation, problems: tuple[Problem, ...] = ()
    ) -> Conversation:
        """All a model is told in this turn; `problems` of its last answer make the prompt stricter."""
        return Conversation(
            goal=context.goal,
            system=self._system,
            text=self._text(context, observation, problems),
            schema=self._schema,
            operations=self._operations,
            said=tuple(context.said),
            plan=context.plan,
            step=context.step,
            turn=context.turn,
            deeds=tuple(context.deeds),
            notes=tuple(context.notes),
            problems=problems,
        )

    def _text(self, context: RunMemory, observation: Observation, problems: tuple[Problem, ...]) -> str:
        return redactor().clean(self._filled(context, observation, problems))

    def _filled(self, context: RunMemory, observation: Observation, problems: tuple[Problem, ...]) -> str:
        block, neutral = self._boundary.block, self._boundary.neutral
        return _fill(
            self._turn,
            goal=context.goal,
            said=_said(context),
            plan=neutral(_plan(context)),
            deeds=block("record", "\n".join(map(_deed, context.deeds)) or "Nothing yet."),
            turn=str(context.turn),
            screen=block("screen", describe_observation(observation)),
            problems=_fill(self._strict, problems=neutral(_listed(problems))) if problems else "",
        )


def _fill(template: str, **values: str) -> str:
    """Put values into {names}; values are never searched again, so text from the screen stays text."""
    parts = template.split("{")
    return parts[0] + "".join(_part(part, values) for part in parts[1:])


def _part(part: str, values: dict[str, str]) -> str:
    name, brace, rest = part.partition("}")
    return values[name] + rest if brace and name in values else "{" + part


def _said(context: RunMemory) -> str:
    lines = [f"The user said later (turn {turn}): {text}" for turn, text in context.said]
    return "\n".join(lines) + "\n" if lines else ""


def _plan(context: RunMemory) -> str:
    marks = [
        ("x" if i < context.step else ">" if i == context.step else " ") for i in range(len(context.plan))
    ]
    lines = [
        f"[{mark}] {i}. {one_line(step, _WORDS)}"
        for i, (mark, step) in enumerate(zip(marks, context.plan, strict=True), 1)
    ]
    return "\n".join(lines) or "No plan yet."


def _deed(deed: Deed) -> str:
    effect = "" if deed.effect == "unknown" else f", {_EFFECTS[deed.effect]}"
    detail = f": {one_line(deed.detail, _WORDS)}" if deed.detail else ""
    return f"- turn {deed.turn}: {one_line(deed.words, _WORDS)}: {deed.outcome}{effect}{detail}"


_EFFECTS = {
    "changed": "unverified (the screen changed)",
    "unchanged": "no effect (nothing changed on the screen)",
    "confirmed": "confirmed",
}


def _listed(problems: tuple[Problem, ...]) -> str:
    return "\n".join(f"- {one_line(str(problem), _WORDS)}" for problem in problems)
