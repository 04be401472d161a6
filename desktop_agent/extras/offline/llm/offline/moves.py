"""What a policy decides to do next about its intent."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from desktop_agent.extras.offline.llm.offline.intents import Intent
from desktop_agent.protocol.ops import MAX_CHOICE, MAX_CHOICES, Op

NOTHING = "(nothing)"
"""The result of what has printed or held nothing."""


@dataclass(frozen=True)
class Act:
    """Do these operations, then look again; `note` is for the user, said when something new begins.

    `result` is a value that was seen now and is wanted later, when it may not be in sight any more. `aside`: it belongs
    to no intent, and is not counted as done for the current one.
    """

    actions: tuple[Op, ...]
    note: str = ""
    result: str = ""
    aside: bool = False


@dataclass(frozen=True)
class Reached:
    """The intent is fulfilled, as seen.

    `finding` is something the user wants to be told at the end, `result` a value that later steps may use.
    """

    note: str = ""
    finding: str = ""
    result: str = ""


@dataclass(frozen=True)
class Question:
    """The user has to say something first; `choices` are what can be picked by name or number."""

    text: str
    choices: tuple[str, ...] = ()

    @property
    def offered(self) -> tuple[str, ...]:
        """The first choices, as `ask` takes them; none where their words do not tell them apart."""
        plain = tuple(" ".join(each.split()) for each in self.choices)
        told_apart = len({each.casefold() for each in plain}) == len(plain)
        fit = all(0 < len(each) <= MAX_CHOICE for each in plain)
        return plain[:MAX_CHOICES] if told_apart and fit else ()


@dataclass(frozen=True)
class Instead:
    """Now that the screen is seen, the intent is these ones, in order."""

    intents: tuple[Intent, ...]
    note: str = ""


Move: TypeAlias = Act | Reached | Question | Instead
