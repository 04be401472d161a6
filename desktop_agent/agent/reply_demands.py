"""What a reply has to hold beside what decodes: the fields its form demands, and a plan before the first action.

The model is told once, with what is missing. One that answers the same again is taken as it is, for a small model
would otherwise be of no use: its own words become the plan, and nothing of the kind is demanded again in this run.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass, field

import msgspec

from desktop_agent.agent.op_text import request
from desktop_agent.llm.base import Answer
from desktop_agent.protocol.dialects.base import Dialect
from desktop_agent.protocol.errors import Problem
from desktop_agent.protocol.reply import Reply
from desktop_agent.vision.observation import Element

_STEP_LENGTH = 300
_FIELD = "missing: it is always there, as an empty list where it has nothing new"
_PLAN = "missing: before the first action the user is told the whole plan, as short steps"


@dataclass
class ReplyDemands:
    """Demands of one run; each is made until it was told once and not met."""

    _dropped: set[str] = field(default_factory=set)

    def unmet(self, answer: Answer, dialect: Dialect, plan: tuple[str, ...]) -> tuple[Problem, ...]:
        """What the answer lacks of what is still demanded, where the run has this plan."""
        found = [Problem(name, _FIELD) for name in dialect.lacking(answer.raw)]
        if _acts_without_plan(answer.reply, plan) and not dialect.screen_last:  # its thoughts are the plan
            path = "high_level" if dialect.tools is None else "plan"
            found = [each for each in found if each.path != path] + [Problem(path, _PLAN)]
        return tuple(each for each in found if each.path not in self._dropped)

    def drop(self, problems: tuple[Problem, ...]) -> None:
        """Demand these no more."""
        self._dropped |= {each.path for each in problems}


def with_plan(answer: Answer, plan: tuple[str, ...], elements: Mapping[str, Element]) -> Answer:
    """The answer; with its note, or its first action in words, as the plan where it acts and the run has none."""
    reply = answer.reply
    if not _acts_without_plan(reply, plan):
        return answer
    first = next(op for op in reply.actions if op.traits.acts)
    note = next((line.strip() for line in reply.notes.splitlines() if line.strip()), "")
    step = (note or request(first, elements))[:_STEP_LENGTH]
    return dataclasses.replace(answer, reply=msgspec.structs.replace(reply, high_level=(step,), step=1))


def _acts_without_plan(reply: Reply, plan: tuple[str, ...]) -> bool:
    return not plan and not reply.high_level and any(op.traits.acts for op in reply.actions)
