"""Words what the model is told, from the templates in assets/prompts.

Only the user's words and our own stand outside of blocks: whatever was read from the screen stands in
blocks with the run's mark (`untrusted_blocks`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Protocol

from desktop_agent.agent.context.keyframes import ToldLook
from desktop_agent.agent.memory import RunMemory
from desktop_agent.agent.prompting.untrusted_blocks import Boundary
from desktop_agent.llm.base import Conversation, Deed
from desktop_agent.protocol.chat_messages import Message
from desktop_agent.protocol.dialects.base import Dialect
from desktop_agent.protocol.dialects.json import JSON
from desktop_agent.protocol.errors import Problem
from desktop_agent.redaction.redactor import redactor
from desktop_agent.support import resources
from desktop_agent.tools.base import MAX_TOLD
from desktop_agent.vision.elements.describe import one_line

_QUOTE = "  | "
_WORDS = 1_000
"""Most characters of one line of the record."""


class ListedEnvironments(Protocol):
    """The environments of a run, as the system prompt lists them."""

    @property
    def commanded(self) -> tuple[str, ...]:
        """The names that a command may give."""

    def listed(self) -> str:
        """The names, with what each says of itself."""


class Prompter:
    """Words the messages of one run; every run has its own mark for untrusted blocks."""

    def __init__(
        self,
        operations: tuple[str, ...],
        max_actions: int,
        boundary: Boundary | None = None,
        dialect: Dialect = JSON,
        notes: str = "",
        earlier: str = "",
        environments: ListedEnvironments | None = None,
    ) -> None:
        """`environments` are those that are loaded, for a dialect whose system prompt lists them."""
        self.dialect = dialect
        self._boundary = boundary or Boundary()
        self.mark = self._boundary.mark
        self.operations = operations
        self._schema = dialect.schema(operations, max_actions) if dialect.schema is not None else None
        self._tools = dialect.tools(operations) if dialect.tools is not None else ()
        self._max_actions = max_actions
        self._notes = (
            _fill(resources.text("prompts", "notes.md"), notes=self._boundary.block("notes", notes))
            if notes
            else ""
        )
        self._earlier = (
            _fill(resources.text("prompts", "earlier.md"), earlier=self._boundary.block("earlier", earlier))
            if earlier
            else ""
        )
        self._turn = resources.text("prompts", "turn.md")
        self._strict = resources.text("prompts", "strict.md")
        # The same in every run, so that it can be read from a cache: the mark is told with the goal.
        self._system = _fill(
            resources.text("prompts", dialect.system), form=dialect.prompt(operations, max_actions)
        )
        self._environments = environments

    @property
    def system(self) -> str:
        """The system prompt, with the environments that are loaded now where it lists them."""
        if self._environments is None:
            return self._system
        # What they say of themselves is the project's own text, and no more trusted than what they show.
        listed = self._boundary.block("environments", self._environments.listed())
        return f"{self._system}\n{_fill(resources.text('prompts', 'listed.md'), environments=listed)}"

    def screen(self, memory: RunMemory) -> str:
        """The screen message: what every environment shows now."""
        shown = self._boundary.block("screen", memory.environments or "Nothing yet.")
        return redactor().clean(_fill(resources.text("prompts", "screen.md"), screen=shown))

    def conversation(
        self, memory: RunMemory, messages: tuple[Message, ...] = (), problems: tuple[Problem, ...] = ()
    ) -> Conversation:
        """What the model gets: `messages` as they are, the rest from memory; `problems` are of its last reply."""
        return Conversation(
            goal=memory.goal,
            system=self.system,
            schema=self._schema,
            messages=messages,
            operations=self.operations,
            said=tuple(memory.said),
            plan=memory.plan,
            step=memory.step,
            turn=memory.turn,
            deeds=tuple(memory.deeds),
            notes=tuple(memory.notes),
            problems=problems,
            dialect=self.dialect,
            tools=self._tools,
            max_actions=self._max_actions,
            map=memory.map,
        )

    def goal(self, memory: RunMemory) -> str:
        """What every conversation begins with: the run's mark, what was said before, the user's goal, the notes of earlier runs."""
        goal = _fill(
            resources.text("prompts", "goal.md"), mark=self.mark, earlier=self._earlier, goal=memory.goal
        )
        return redactor().clean(goal + self._notes)

    def said(self, turn: int, text: str) -> str:
        """What the user said in a later turn."""
        return redactor().clean(_fill(resources.text("prompts", "said.md"), turn=str(turn), text=text))

    def resumed(self, turn: int) -> str:
        """That the run was cut short and goes on."""
        return _fill(resources.text("prompts", "resumed.md"), turn=str(turn))

    def outcomes(self, deeds: Sequence[Deed]) -> str:
        """What came of operations; "" for none."""
        if not deeds:
            return ""
        return redactor().clean(self._boundary.block("record", "\n".join(map(_with_output, deeds))))

    def result(self, deeds: Sequence[Deed]) -> str:
        """What came of the operations of one call; "" for none."""
        if not deeds:
            return ""
        record = self._boundary.block("record", "\n".join(_deeds(deeds)))
        return redactor().clean(f"What came of it:\n{record}")

    def unusable(self, problem: str) -> str:
        """What a model is told of a call that could not be used."""
        return redactor().clean(f"Not executed: {self._boundary.neutral(problem)}")

    def look(self, memory: RunMemory, told: ToldLook, parts: TurnParts) -> str:
        """What is seen in this turn, with the `parts` beside it that have changed (at a keyframe all of them)."""
        block, neutral = self._boundary.block, self._boundary.neutral
        scope = neutral("\n".join(memory.scope) or "Look; for anything else the user is asked.")
        environments = memory.environments if parts.environments else ""
        text = _fill(
            self._turn,
            plan=_part_of("Plan so far", neutral(_plan(memory)) if parts.plan else ""),
            scope=_part_of("What you may do", scope if parts.scope else ""),
            environments=_part_of(
                "What the environments show", block("environments", environments) if environments else ""
            ),
            map=_part_of("Seen before, not in view now", block("map", parts.map) if parts.map else ""),
            turn=str(memory.turn),
            screen=self._screen(told),
        )
        return redactor().clean(text)

    def _screen(self, told: ToldLook) -> str:
        if told.whole_words:
            return self._boundary.block("screen", told.words)
        if not told.words:
            return "Windows and elements as before."
        changes = self._boundary.block("screen", told.words)
        return f"Changed:\n{changes}"

    def strict(self, problems: tuple[Problem, ...]) -> str:
        """What a model is told when its last reply could not be used."""
        listed = self._boundary.neutral(_listed(problems))
        names = ", ".join(self._environments.commanded) if self._environments is not None else ""
        form = self.dialect.reminder + (f" There is: {self._boundary.neutral(names)}." if names else "")
        return redactor().clean(_fill(self._strict, problems=listed, form=form))


@dataclass(frozen=True)
class TurnParts:
    """Which parts are told beside what is seen."""

    plan: bool = True
    scope: bool = True
    environments: bool = True
    map: str = ""
    """The short form of the map, where it is told."""


def _part_of(heading: str, text: str) -> str:
    return f"# {heading}\n{text}\n\n" if text else ""


def _fill(template: str, **values: str) -> str:
    """Replace each {name} by its value, in one pass: braces in a value, say from the screen, stay text."""
    parts = template.split("{")
    return parts[0] + "".join(_part(part, values) for part in parts[1:])


def _part(part: str, values: dict[str, str]) -> str:
    name, brace, rest = part.partition("}")
    return values[name] + rest if brace and name in values else "{" + part


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


def _with_output(deed: Deed) -> str:
    """The deed's line, and below it what a command printed, each line quoted."""
    return "\n".join((_deed(deed), *(f"{_QUOTE}{line}" for line in ends(deed.output, MAX_TOLD).splitlines())))


def _deeds(deeds: Sequence[Deed]) -> Iterator[str]:
    """A line for each deed; equal neighbours (a key that was repeated) in one."""
    for line, same in groupby(map(_with_output, deeds)):
        count = len(list(same))
        yield f"{line} ({count} times)" if count > 1 else line


_EFFECTS = {
    "changed": "unverified (the screen changed)",
    "unchanged": "no effect (nothing changed on the screen)",
    "confirmed": "confirmed",
}


def _listed(problems: tuple[Problem, ...]) -> str:
    return "\n".join(f"- {one_line(str(problem), _WORDS)}" for problem in problems)


def ends(text: str, most: int) -> str:
    """The text, or its beginning and end with a line between them about the rest; about `most` characters."""
    if len(text) <= most:
        return text
    half = most // 2
    return f"{text[:half]}\n… {len(text) - 2 * half} characters are left out here …\n{text[-half:]}"
