"""One goal of a scene, worked by a model in the whole loop and judged by what is in the store afterwards."""

from __future__ import annotations

import re
import shutil
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import msgspec

from desktop_agent.agent.dependencies import Circumstances, Parts
from desktop_agent.agent.port import AgentInfo
from desktop_agent.agent.session import AgentSession
from desktop_agent.extras.avis.simulation.expressions import holds
from desktop_agent.extras.avis.simulation.scene_file import SceneFile, SceneGoal
from desktop_agent.extras.avis.targets.simulated import Options, SimulatedTarget
from desktop_agent.hand.in_process import InlineHands
from desktop_agent.llm.base import Model
from desktop_agent.protocol import agent_events as say
from desktop_agent.protocol.agent_events import FeedEvent
from desktop_agent.protocol.dialects.base import Dialect
from desktop_agent.protocol.dialects.json import JSON
from desktop_agent.support.config import AgentSettings, Config, SimulationSettings

FAST = 1_000_000.0
"""Events a second: nobody watches."""


class Case(msgspec.Struct, frozen=True):
    """A goal of a scene in a skin, with a fault."""

    scene: str
    goal: str
    skin: str = "light"
    fault: str = ""
    seed: int = 0


class SceneRun(msgspec.Struct, frozen=True):
    """What came of it. `reached` and `harmless` are read from the store; `told` is the verdict of the agent's own "done"."""

    case: Case
    held_out: bool
    reached: bool
    harmless: bool
    told: str
    ended: str
    detail: str
    steps: int
    seconds: float
    held: bool

    @property
    def solved(self) -> bool:
        """Is all as it was asked for, and nothing else changed?"""
        return self.reached and self.harmless

    @property
    def false_done(self) -> bool:
        """Did the agent say, as verified, that it was done when it was not?"""
        return self.told == "verified" and not self.solved


class SceneSession:
    """A session on one scene; `events` are all that it told. Nobody answers: a question ends the run."""

    def __init__(
        self,
        target: SimulatedTarget,
        model: Model,
        folder: Path,
        *,
        dialect: Dialect = JSON,
        max_steps: int = 60,
    ) -> None:
        self.target = target
        self.events: list[FeedEvent] = []
        self.on_event: Callable[[FeedEvent], None] = lambda event: None
        self.hands: InlineHands | None = None

        def hands(_address: object, on_stop: Callable[[str], None]) -> InlineHands:
            self.hands = InlineHands(target.inline_input, on_stop=on_stop, max_rate=FAST)
            return self.hands

        agent = AgentSettings(max_steps=max_steps, timeout=120.0, permission="restricted")
        parts = Parts(target, model, hands, lambda frame, stop: (), dialect=dialect)
        self.session = AgentSession(
            parts,
            Config(agent=agent),
            Circumstances(folder, previews_while_waiting=False),
            AgentInfo("simulated", model.name, "off", max_steps, True),
        )
        self.session.subscribe(self._hear)

    def _hear(self, event: FeedEvent) -> None:
        self.events.append(event)
        self.on_event(event)
        if isinstance(event, say.ApprovalAsked | say.Question):
            self.session.stop("nobody answers")

    def run(self, words: str) -> None:
        """Work one goal to its end in this thread."""
        self.session.send(words)
        self.session.run_next()

    def close(self) -> None:
        """End the session."""
        if self.hands is not None:
            self.hands.close()


def run_case(
    scene: SceneFile, case: Case, model: Model, language: str = "en", dialect: Dialect = JSON
) -> SceneRun:
    """Work a case; `language` is that of the user's words."""
    goal = next(each for each in scene.goals if each.id == case.goal)
    target = SimulatedTarget(
        scene, Options(skin=case.skin, fault=case.fault, seed=case.seed, clock="stepped")
    )
    target.grant(SimulationSettings(can_execute_code=True))
    folder = Path(tempfile.mkdtemp(prefix="scene-"))
    began = time.perf_counter()
    try:
        session = SceneSession(target, model, folder, dialect=dialect)
        try:
            session.run(goal.say.get(language) or goal.say["en"])
            return _judged(session, case, goal, time.perf_counter() - began)
        finally:
            session.close()
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _judged(session: SceneSession, case: Case, goal: SceneGoal, seconds: float) -> SceneRun:
    desktop = session.target.desktop
    events = session.events
    done = next((each for each in reversed(events) if isinstance(each, say.GoalReached)), None)
    status = next(
        (each for each in reversed(events) if isinstance(each, say.Status)), say.Status(state="idle")
    )
    asked = next((each.text for each in reversed(events) if isinstance(each, say.Question)), "")
    error = next((each.message for each in reversed(events) if isinstance(each, say.Error)), "")
    reached = holds(goal.reached, desktop.names)
    if goal.answer:
        reached = reached and done is not None and _says(done.summary, goal.answer)
    return SceneRun(
        case,
        goal.held_out,
        reached,
        goal.harmless is None or holds(goal.harmless, desktop.names),
        done.verdict if done is not None else "",
        status.state,
        asked or error or (done.summary if done is not None else status.detail),
        sum(isinstance(each, say.Turn) for each in events),
        seconds,
        bool(desktop.buttons or desktop.keyboard.held),
    )


def _says(words: str, answer: str) -> bool:
    """Does the answer stand in the words, as a word or number of its own?"""
    return re.search(rf"(?<![\w.,]){re.escape(answer)}(?!\w|[.,]\d)", words, re.IGNORECASE) is not None
