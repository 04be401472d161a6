"""Renders the conversation as a prompt in prose, from the templates in assets/prompts.

Only the user's words and our own stand outside of blocks: whatever was read from the screen stands in
blocks with the run's mark (`untrusted_blocks`).
"""

from __future__ import annotations

from collections.abc import Callable

from desktop_agent.agent.memory import RunMemory
from desktop_agent.agent.prompting.untrusted_blocks import Boundary
from desktop_agent.llm.base import Conversation, Deed
from desktop_agent.protocol.dialects.base import Dialect
from desktop_agent.protocol.dialects.json import JSON
from desktop_agent.protocol.errors import Problem
from desktop_agent.redaction.redactor import redactor
from desktop_agent.support import resources
from desktop_agent.vision.elements.describe import describe_observation, one_line
from desktop_agent.vision.observation import Observation

_WORDS = 1_000
"""Most characters of one line of the record."""


class Prompter:
    """Makes the Conversation of each turn of one run; every run has its own mark for untrusted blocks."""

    def __init__(
        self,
        operations: tuple[str, ...],
        max_actions: int,
        boundary: Boundary | None = None,
        dialect: Dialect = JSON,
    ) -> None:
        self._dialect = dialect
        self._boundary = boundary or Boundary()
        self._operations = operations
        self._schema = dialect.schema(operations) if dialect.schema is not None else None
        self._turn = resources.text("prompts", "turn.md")
        self._strict = resources.text("prompts", "strict.md")
        self._system = _fill(
            resources.text("prompts", "system.md"),
            form=dialect.prompt(operations, max_actions),
            mark=self._boundary.mark,
        )

    def conversation(
        self, context: RunMemory, observation: Observation, problems: tuple[Problem, ...] = ()
    ) -> Conversation:
        """What the model gets in this turn; `problems` of its last reply are listed, in a stricter prompt."""
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
            dialect=self._dialect,
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
            scope=neutral("\n".join(context.scope) or "Look; for anything else the user is asked."),
            deeds=block("record", "\n".join(map(_deed, context.deeds)) or "Nothing yet."),
            turn=str(context.turn),
            screen=block("screen", describe_observation(observation)),
            environments=_environments(block, context.environments),
            problems=_fill(self._strict, problems=neutral(_listed(problems)), form=self._dialect.reminder)
            if problems
            else "",
        )


def _fill(template: str, **values: str) -> str:
    """Replace each {name} by its value, in one pass: braces in a value, say from the screen, stay text."""
    parts = template.split("{")
    return parts[0] + "".join(_part(part, values) for part in parts[1:])


def _part(part: str, values: dict[str, str]) -> str:
    name, brace, rest = part.partition("}")
    return values[name] + rest if brace and name in values else "{" + part


def _said(context: RunMemory) -> str:
    lines = [f"The user said later (turn {turn}): {text}" for turn, text in context.said]
    return "\n".join(lines) + "\n" if lines else ""


def _environments(block: Callable[[str, str], str], text: str) -> str:
    return f"\n# What the environments show\n{block('environments', text)}\n" if text else ""


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
