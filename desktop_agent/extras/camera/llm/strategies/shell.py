"""The strategy `shell`: types the commands of a goal into a POSIX shell as they stand, one after the other.

A command is typed, its prompt waited for, and then a second line asks whether it ended without an error: it prints yes or
no. What programs say of themselves, and what else stands on the screen, is never taken for that. A goal in plain words
fails before anything is typed.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Annotated, Literal, NamedTuple, TypeAlias

import msgspec

from desktop_agent.extras.camera.llm.strategies._printed_lines import Printed, printed, waiting_prompt
from desktop_agent.extras.camera.llm.strategies.base import (
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
_CHECK = "test $? -eq 0 && echo yes || echo no"
_PLAIN_WORDS = (
    "A goal in plain words needs a model with a key or a local model; "
    "I only type commands as they stand, as in: run `make test`."
)
_QUOTED = r"`[^`]+`|“[^”]+”|„[^“”]+[“”]|«[^»]+»|\"[^\"]+\"|'[^']+'"
_LEAD = re.compile(r"(?:(?:please|bitte|run|execute|führe?|the command|den befehl):? )*", re.I)
_GIVEN = re.compile(
    rf"(?P<line>{_QUOTED})(?: aus| please)?"
    r"(?P<told>,? (?:and (?:then )?tell me what it prints|und sag mir, was es ausgibt))?[.!]?",
    re.I,
)
_NAMES = frozenset(("ls", "cat", "pwd", "whoami", "echo", "git", "grep", "mkdir", "cp", "mv", "df", "du", "wc", "uname", "chmod", "tar", "python3", "pip", "npm", "docker", "cd", "ps"))  # fmt: skip
"""Commands that begin no sentence in plain words."""
_PROSE = re.compile(r"(?<!\S)[^\W\d_]+ [^\W\d_]+(?!\S)")
"""Two plain words in a row."""
_Phase: TypeAlias = Literal["line", "test", "done", "failed"]
"""What is typed next for a command: its line, or the question whether it worked."""


class _Command(NamedTuple):
    """A line to be typed; `told`: the user asked to be told what it prints, so that nothing is not enough."""

    line: str
    told: bool = False


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

    commands: tuple[_Command, ...]
    at: int = 0
    phase: _Phase = "line"
    why: str = ""
    waits: str = ""
    printed: Printed = Printed("unread")
    findings: list[str] = field(default_factory=list)

    @property
    def command(self) -> _Command:
        return self.commands[self.at]

    def fail(self, why: str) -> None:
        self.phase, self.why = "failed", why


class ShellStrategy(AgentStrategy):
    """Follows the commands of a goal; what it knows between two turns is read from the history each time."""

    def __init__(self, options: Options) -> None:
        self._options = options

    def decide_action(self, context: TerminalContext, state: TerminalState) -> Decision:
        progress = self._follow(context)
        if progress.waits or progress.phase in ("done", "failed"):
            return Decision(None, progress.waits or progress.why)
        if not waiting_prompt(state):
            return self._without_prompt(context, state)
        line = progress.command.line
        if progress.phase == "test":
            return Decision(TextInput(f"{_CHECK}\n"), f"Run “{line}”: I see whether it worked.")
        return Decision(TextInput(f"{line}\n"), f"Run “{line}”.")

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
        if not _commands_of(context.goal):
            return Completion("failed", _PLAIN_WORDS)
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
        progress = _Progress(_commands_of(context.goal))
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
            progress.fail(f"“{taken.action.text.strip()}” was not typed: {taken.detail or taken.outcome}")  # type: ignore[union-attr]
            return
        line = taken.action.text.rstrip("\n")  # type: ignore[union-attr]
        found = self._printed(before, after, line)
        if found.came == "running":
            progress.waits = f"“{line}” is still running: I wait."
        elif found.came == "unread":
            progress.waits = "I wait until the terminal shows what was typed."
            if len(after) > _LOOKS and waiting_prompt(after[-1]):
                progress.waits = ""
                progress.fail(
                    f"I cannot read on the screen what came of “{line}”, so I do not know whether it is done."
                )
        elif progress.phase == "line":
            progress.printed, progress.phase = found, "test"
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

    def _tested(self, progress: _Progress, found: Printed, looks: int) -> None:
        """Take in the answer of a check; one that cannot be told is looked at a few times."""
        lines = _written(found)
        said = _yes_or_no(lines[0]) if found.whole and len(lines) == 1 else ""
        command = progress.command
        if not said and looks < _LOOKS:
            progress.waits = "I look again at what the check shows."
        elif said != "yes":
            progress.fail(_failure(progress, said, " ".join(lines)[:200]))
        elif command.told and not _written(progress.printed):
            progress.fail(f"“{command.line}” has run, but it printed nothing that I could tell.")
        else:
            progress.findings.append(_finding(command, progress.printed))
            progress.at += 1
            progress.phase = "done" if progress.at == len(progress.commands) else "line"

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


def _written(found: Printed) -> list[str]:
    """The lines that are not blank."""
    return [each for each in found.lines if each.strip()]


def _finding(command: _Command, found: Printed) -> str:
    """What was found out, for people."""
    lines = _written(found)
    if not lines:
        return f"Run “{command.line}”: it prints nothing."
    shown = "\n".join(lines[-_SHOWN:])
    cut = "" if found.whole and len(lines) <= _SHOWN else "the end of it is "
    return f"Run “{command.line}”: {cut}{shown}" + ("" if shown.endswith((".", "!", "?")) else ".")


def _failure(progress: _Progress, said: str, shown: str) -> str:
    """Why a command did not work, or why that cannot be told, for people."""
    told = " ".join(each.strip() for each in _written(progress.printed))[-500:]
    before = f" Before that: {' '.join(progress.findings)}" if progress.findings else ""
    what = f"I cannot tell whether it worked: the check shows “{shown}”"
    if said == "no":
        what = f"this did not work{f': {told}' if told else ', and the terminal does not say why'}"
    return f"Run “{progress.command.line}”: {what}.{before}"


def _commands_of(goal: str) -> tuple[_Command, ...]:
    """The commands of a goal that is nothing else, one on each line; () for any other goal."""
    found = [_command_of(each.strip()) for each in goal.split("\n") if each.strip()]
    return tuple(filter(None, found)) if all(found) else ()


def _command_of(said: str) -> _Command | None:
    """The command that a line of a goal gives between quotation marks, or is itself; None for anything else."""
    said = _LEAD.sub("", said, count=1)
    given = _GIVEN.fullmatch(said)
    line = given["line"][1:-1].strip() if given else said
    name, _, rest = re.sub(_QUOTED, "''", line).partition(" ")
    bare = name in _NAMES and not _PROSE.search(rest.partition(" ")[2])
    if not line.isprintable() or not (line if given else bare):
        return None
    return _Command(line, bool(given and given["told"]))
