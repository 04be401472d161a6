"""The strategy `shell`: everyday goals about files, worked in a POSIX shell by commands of a phrase book, without any model.

A command is typed, its prompt waited for, and then a second line asks whether what must be there now is there: it prints
yes or no. What programs say of themselves, and what else stands on the screen, is never taken for that. A goal that is not
understood whole fails before anything is typed.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated, Literal, TypeAlias

import msgspec

from desktop_agent.llm.shell_goals.command_slots import Step
from desktop_agent.llm.shell_goals.goal_reading import steps_of
from desktop_agent.llm.shell_goals.printed_lines import Printed, printed, waiting_prompt
from desktop_agent.llm.shell_goals.reading_check import comparing, may_be_compared, spelled, spelling
from desktop_agent.llm.strategies.base import (
    AgentStrategy,
    Completion,
    Decision,
    TakenAction,
    TerminalContext,
)
from desktop_agent.protocol.terminal_state import TerminalState
from desktop_agent.wire.base import ModifiedKey, TextInput

_LOOKS = 4
"""Looks at a line that cannot be read on the screen, until it counts as unread."""
_SHOWN = 30
"""Lines of an answer that people are told."""
_NOT_UNDERSTOOD = (
    "I do not understand this as something to do in a terminal, and I do not guess. "
    'Say it like: list the files, create the folder photos, write "hello" into a.txt, run `make test`.'
)
_Phase: TypeAlias = Literal["line", "test", "status", "spell", "compare", "done", "failed"]
"""What is typed next for a step: its line; the question whether it worked and was read rightly; after a no whether it worked
at all; what it prints in numbers; whether those were read rightly."""


class Options(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What can be set for it.

    `patience` are seconds that one command may run. `looks` bounds waiting by the number of looks, too.
    """

    patience: Annotated[float, msgspec.Meta(gt=0, le=86_400)] = 120.0
    looks: Annotated[int, msgspec.Meta(ge=1, le=100_000)] = 1_000


def create(options: Options) -> AgentStrategy:
    """The strategy; it needs nothing."""
    return ShellStrategy(options)


@dataclass
class _Progress:
    """How far the goal is, as the history tells it."""

    steps: tuple[Step, ...]
    at: int = 0
    phase: _Phase = "line"
    other: bool = False
    cleared: bool = False
    why: str = ""
    waits: str = ""
    printed: Printed = Printed("unread")
    findings: list[str] = field(default_factory=list)

    @property
    def step(self) -> Step:
        return self.steps[self.at]

    @property
    def line(self) -> str:
        """What is typed next."""
        step = self.step
        test, same = (step.other_test, step.other_same) if self.other else (step.test, step.same)
        match self.phase:
            case "line":
                return step.other if self.other else step.line
            case "spell":
                return spelling(same)
            case "compare":
                test = comparing(same, self.printed.lines)
            case "status":
                test = f"({same}) > /dev/null 2>&1" if "$?" in test else test
            case _ if self.compared:
                test = f"{test} && {comparing(same, self.printed.lines)}"
        return f"{test} && echo yes || echo no"

    @property
    def compared(self) -> bool:
        """Is what was read compared with what is printed? Not where a later step writes the same into a file."""
        follows = self.steps[self.at + 1].name if self.at + 1 < len(self.steps) else ""
        return (
            self.step.answer
            and bool(self.step.other_same if self.other else self.step.same)
            and self.printed.whole
            and may_be_compared(self.printed.lines)
            and not follows.endswith(("_into", "_added"))
        )


class ShellStrategy(AgentStrategy):
    """Follows the steps of a goal; what it knows between two turns is read from the history each time."""

    def __init__(self, options: Options) -> None:
        self._options = options

    def decide_action(self, context: TerminalContext, state: TerminalState) -> Decision:
        progress = self._follow(context)
        if progress.waits or progress.phase in ("done", "failed"):
            return Decision(None, progress.waits or progress.why)
        if not waiting_prompt(state):
            return self._without_prompt(context, state)
        words = progress.step.plan
        if progress.phase == "spell":
            words = f"{words}: I have it spelled, as I have not read it rightly"
        elif progress.phase != "line":
            words = f"{words}: I see whether it is so"
        elif progress.other:
            words = f"{words}: that did not work, so I try another way"
        return Decision(TextInput(f"{progress.line}\n"), f"{words}.")

    def _without_prompt(self, context: TerminalContext, state: TerminalState) -> Decision:
        """Something is typed at the prompt already, or it does not wait: the line is cleared once, then it is waited."""
        cleared = any(isinstance(each.action, ModifiedKey) for each in context.actions)
        last = state.content[-1] if state.content else ""
        begun = (
            state.prompt.strip() and last.startswith(state.prompt.rstrip()) and state.activity != "running"
        )
        if begun and not cleared:
            return Decision(
                ModifiedKey(("ctrl",), "u"), "Something stands at the prompt already: I take it away."
            )
        return Decision(None, "I wait for the terminal's prompt.")

    def evaluate_completion(self, context: TerminalContext, state: TerminalState) -> Completion:
        if not steps_of(context.goal):
            return Completion("failed", _NOT_UNDERSTOOD)
        progress = self._follow(context)
        if progress.phase == "failed":
            return Completion("failed", progress.why)
        if progress.phase == "done":
            return Completion("completed", " ".join(progress.findings))
        if (why := self._too_long(context, state, progress)) is not None:
            return Completion("failed", why)
        return Completion("in work")

    # ---- the history ---------------------------------------------------------------------------

    def _follow(self, context: TerminalContext) -> _Progress:
        progress = _Progress(steps_of(context.goal))
        for number, taken in enumerate(context.actions):
            progress.waits = ""
            if progress.phase in ("done", "failed"):
                break
            if not isinstance(taken.action, TextInput):
                continue
            self._take(progress, taken, context.observations[taken.seen - 1], context.seen_after(number))
        return progress

    def _take(
        self, progress: _Progress, taken: TakenAction, before: TerminalState, after: tuple[TerminalState, ...]
    ) -> None:
        """Take in what came of one line."""
        if taken.outcome not in (None, "done"):
            progress.phase = "failed"
            progress.why = f"“{taken.action.text.strip()}” was not typed: {taken.detail or taken.outcome}"  # type: ignore[union-attr]
            return
        line = taken.action.text.rstrip("\n")  # type: ignore[union-attr]
        found = self._printed(before, after, line)
        if found.came == "running":
            progress.waits = f"“{line}” is still running: I wait."
        elif found.came == "unread":
            progress.waits = "I wait until the terminal shows what was typed."
            if len(after) > _LOOKS and waiting_prompt(after[-1]):
                self._unread(progress, line)
        elif progress.phase == "line":
            progress.printed, progress.phase = found, "test"
        elif progress.phase == "spell":
            self._spelled(progress, found, len(after))
        else:
            self._tested(progress, found, len(after))

    def _printed(self, before: TerminalState, after: tuple[TerminalState, ...], line: str) -> Printed:
        """What came of a line by the last look; it must be shown on two in a row where the line cannot be read whole."""
        if not after:
            return Printed("running")
        found = printed(before, after[-1], line)
        if found.came == "printed" and not found.whole:
            again = len(after) > 1 and after[-2].content == after[-1].content
            return found if again else Printed("running")
        return found

    @staticmethod
    def _spelled(progress: _Progress, found: Printed, looks: int) -> None:
        """Take in what a line prints, in numbers; numbers that cannot be told are looked at a few times."""
        if lines := spelled(found.lines):
            progress.printed, progress.phase = progress.printed._replace(lines=lines), "compare"
        elif looks < _LOOKS:
            progress.waits = "I look again at what it prints."
        else:
            progress.phase, progress.why = "failed", _misread(progress.step)

    def _unread(self, progress: _Progress, line: str) -> None:
        """The line is not to be found though the prompt waits: the test tells, unless it is that which cannot be read."""
        progress.waits = ""
        if progress.phase == "line":
            progress.printed, progress.phase = Printed("printed", whole=False, exact=False), "test"
            return
        progress.phase = "failed"
        progress.why = (
            f"I cannot read on the screen what came of “{line}”, so I do not know whether it is done."
        )

    def _tested(self, progress: _Progress, found: Printed, looks: int) -> None:
        """Take in the answer of a check; one that cannot be told is looked at a few times."""
        lines = [each.strip() for each in found.lines if each.strip()]
        said = _yes_or_no(lines[0]) if found.whole and len(lines) == 1 else ""
        step = progress.step
        if not said and looks < _LOOKS:
            progress.waits = "I look again at what the check shows."
        elif said == "yes" and step.told and not any(each.strip() for each in progress.printed.lines):
            progress.phase = "failed"
            progress.why = f"“{step.line}” has run, but it printed nothing that I could tell."
        elif said == "yes" and progress.phase != "status":
            if (
                step.answer
                and not progress.printed.exact
                and not progress.printed.lines
                and step.name != "run"
            ):
                progress.phase = "failed"
                progress.why = f"“{step.line}” has run, but I cannot read what it printed."
                return
            progress.findings.append(_finding(step, progress.printed))
            progress.at, progress.phase, progress.other = progress.at + 1, "line", False
            progress.phase = "done" if progress.at == len(progress.steps) else "line"
        elif said == "no" and progress.phase == "test" and progress.compared:
            progress.phase = "status"
        elif said == "yes" and progress.phase == "status":
            progress.phase = "spell"
        elif said == "no" and progress.phase == "compare":
            progress.phase, progress.why = "failed", _misread(step)
        elif said == "no" and step.other and not progress.other:
            progress.other, progress.phase = True, "line"
        else:
            progress.phase, progress.why = (
                "failed",
                _failure(step, progress.printed, said, lines, progress.findings),
            )

    def _too_long(self, context: TerminalContext, state: TerminalState, progress: _Progress) -> str | None:
        """Why it is waited no more; None where there is still time."""
        since = context.actions[-1].seen if context.actions else 0
        looks = context.observations[since:]
        if not looks or (not progress.waits and waiting_prompt(state)):
            return None
        if looks[-1].time - looks[0].time < self._options.patience and len(looks) < self._options.looks:
            return None
        if not context.actions:
            return "The terminal does not show a prompt at which it waits."
        line = getattr(context.actions[-1].action, "text", "").strip()
        return f"“{line}” has not ended in {self._options.patience:g} seconds. It may still be running there."


def _yes_or_no(line: str) -> str:
    """What a check says, "" where it cannot be told. It prints one of two words of other lengths: one letter may be misread."""
    for word in ("yes", "no"):
        wrong = sum(a != b for a, b in zip(line.casefold(), word, strict=False))
        if len(line) == len(word) and wrong <= len(word) - 2:
            return word
    return ""


def _misread(step: Step) -> str:
    return f"“{step.line}” has run, but I cannot read what it printed without mistakes."


def _finding(step: Step, found: Printed) -> str:
    """What was found out, for people."""
    lines = [each for each in found.lines if each.strip()]
    shown = "\n".join(lines[-_SHOWN:])
    if not step.answer:
        return f"{step.done}: checked." if step.done else f"{step.plan}: checked."
    front = f"{step.done}. " if step.done else ""
    if not lines:
        return f"{front}{step.plan}: it prints nothing."
    cut = "" if found.whole and len(lines) <= _SHOWN else "the end of it is "
    return f"{front}{step.plan}: {cut}{shown}" + ("" if shown.endswith((".", "!", "?")) else ".")


def _failure(step: Step, found: Printed, said: str, lines: list[str], findings: list[str]) -> str:
    told = " ".join(each.strip() for each in found.lines if each.strip())[-500:]
    before = f" Before that: {' '.join(findings)}" if findings else ""
    if said == "no":
        because = f": {told}" if told else ", and the terminal does not say why"
        return f"{step.plan}: this did not work{because}.{before}"
    return f"{step.plan}: I cannot tell whether it worked: the check shows “{' '.join(lines)[:200]}”.{before}"
