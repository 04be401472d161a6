"""Plays a case through the product's own wiring, once as it is and once with nothing in the way."""

from __future__ import annotations

import os
import threading
import time
import traceback
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, nullcontext
from functools import partial
from typing import Any
from unittest import mock

import msgspec

from benchmarks.attacks import memory
from benchmarks.report import BenchmarkError
from benchmarks.walls_parts import as_program
from benchmarks.walls_parts.case import Case
from benchmarks.walls_parts.human import ScriptedHuman
from benchmarks.walls_parts.obedient import ObedientModel
from benchmarks.walls_parts.stage import Stage
from desktop_agent import app
from desktop_agent.agent.session import AgentSession
from desktop_agent.llm.base import Model
from desktop_agent.protocol import agent_events as say
from desktop_agent.protocol.errors import DesktopAgentError
from desktop_agent.protocol.permission import Level
from desktop_agent.startup.arguments import Arguments

STEPS = 60
_ARRIVAL_SECONDS = 1.2
EVERYTHING = ("",)
"""The yes to whatever is asked."""


class Played(msgspec.Struct, frozen=True):
    """What came of a case at a level. `found` are the forbidden effects, in words; `trouble` why it does not count."""

    name: str
    kind: str
    level: str
    found: tuple[str, ...]
    asked: int
    granted: int
    refused: int
    said: int
    missed: tuple[str, ...]
    seconds: float
    end: str
    trouble: str = ""
    hindered: bool = False

    @property
    def unexplained(self) -> bool:
        """Nothing forbidden came about, though nothing was in the way: the case was not really played."""
        return not (self.found or self.hindered or self.trouble)


def play(stage: Stage, case: Case, level: Level) -> Played:
    """The product as it is, and the human of the case; once more when what came of it has no explanation."""
    first = _played(stage, case, level, free=False)
    return _played(stage, case, level, free=False) if first.unexplained or first.trouble else first


def prove(stage: Stage, case: Case) -> Played:
    """The same with the policy off and a human who says yes to all: what is forbidden must come about, in one of two tries."""
    first = _played(stage, case, "full", free=True)
    return first if first.found and not first.trouble else _played(stage, case, "full", free=True)


def _played(stage: Stage, case: Case, level: Level, *, free: bool) -> Played:
    start = time.monotonic()
    change = partial(case.on_question, stage) if case.on_question is not None else None
    human = ScriptedHuman(EVERYTHING if free else case.yes, None if free else change)
    model = ObedientModel(case.steps, stage.fill, change if free and change else lambda: None)
    found: tuple[str, ...] = ()
    trouble = end = ""
    try:
        with stage.set_for(case), mock.patch.dict(os.environ, case.environment):
            before = [effect.before(stage) for effect in case.forbidden]
            stage.site.forget()
            end = _run(stage, case, level, human, model, free)
            found = tuple(arrived(stage, case, before, hoped=free))
    except (BenchmarkError, DesktopAgentError, OSError) as error:
        trouble = f"{type(error).__name__}: {error}"
    except Exception:  # noqa: BLE001 - one case that breaks is not to end the benchmark
        trouble = traceback.format_exc(limit=-3)
    outcomes = [each.outcome for each in human.events if isinstance(each, say.Result)]
    return Played(
        name=case.name, kind=case.kind, level="free" if free else level, found=found, asked=len(human.asked),
        granted=len(human.granted), refused=outcomes.count("refused"), said=len(model.said),
        missed=tuple(model.missed), seconds=round(time.monotonic() - start, 1), end=end, trouble=trouble,
        hindered=bool(human.asked) or any(each != "done" for each in outcomes) or not _done(end),
    )  # fmt: skip


def _done(end: str) -> bool:
    return end.startswith("done") or end == "exit code 0"


def _run(
    stage: Stage, case: Case, level: Level, human: ScriptedHuman, model: ObedientModel, free: bool
) -> str:
    goal = stage.fill(case.goal)
    if case.how == "program":
        return as_program.run(stage, case, level, human, model, free=free)
    return work(goal, level, human, model, case.seconds, free=free)


def work(
    goal: str, level: Level, human: ScriptedHuman, model: Model | str, seconds: float, *, free: bool = False
) -> str:
    """One run on the display of this process's environment, by the way of the command; says how it ended."""
    arguments = Arguments(
        goal=goal,
        window=False,
        json=True,
        target="local",
        permission=level,
        timeout=seconds,
        max_steps=STEPS,
        model=model if isinstance(model, str) else "offline",
    )
    with unguarded() if free else nullcontext(), _surrounded(human, model):
        code = app.run(arguments)
    ends = [f"{each.state} {each.detail}".strip() for each in human.events if isinstance(each, say.Status)]
    return f"{ends[-1] if ends else 'nothing'} ({code})"


@contextmanager
def _surrounded(human: ScriptedHuman, model: Model | str) -> Iterator[None]:
    """Put our human and our model where the command has the terminal and a model of its own."""
    build = app.build

    def built(*given: Any) -> AgentSession:
        session = build(*given)
        human.stopping(lambda: session.stop("the human had enough"))
        return session

    with ExitStack() as stack:
        replace = partial(mock.patch.object, app)
        stack.enter_context(replace("build", built))
        stack.enter_context(replace("_terminal", lambda _: human))
        stack.enter_context(replace("json_printer", lambda _: human.see))
        if not isinstance(model, str):
            stack.enter_context(replace("make_model", lambda _: (model, "")))
        yield


@contextmanager
def unguarded() -> Iterator[None]:
    """Nothing in the way, as far as it can be taken away; what is left is answered with yes."""
    with memory.unguarded():
        yield


def arrived(stage: Stage, case: Case, before: Sequence[object], *, hoped: bool) -> list[str]:
    """What has been begun may need a moment; in a proof more is waited for."""
    deadline = time.monotonic() + _ARRIVAL_SECONDS * (3 if hoped else 1)
    pairs = list(zip(case.forbidden, before, strict=True))
    while True:
        found = [words for effect, was in pairs if (words := effect.found(stage, was))]
        if found or time.monotonic() > deadline:
            return found
        threading.Event().wait(0.1)
