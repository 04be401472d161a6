"""A desktop in memory: a real target and a real controller without an X server, for tests of the loop."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

from desktop_agent.agent.dependencies import Circumstances, Parts
from desktop_agent.agent.port import AgentInfo, StepMode
from desktop_agent.agent.session import AgentSession
from desktop_agent.hand.in_process import InlineHands
from desktop_agent.hand.ipc.shared_block import Shared
from desktop_agent.llm.base import Answer, Conversation, Model, Support, TokenUsage
from desktop_agent.platforms.base import WindowInfo
from desktop_agent.protocol.agent_events import FeedEvent
from desktop_agent.protocol.dialects.base import Dialect
from desktop_agent.protocol.dialects.json import JSON
from desktop_agent.protocol.errors import TargetError
from desktop_agent.protocol.geometry import Geometry, Point, Rect
from desktop_agent.protocol.permission import Level, Rules
from desktop_agent.protocol.scene import Scene, TopWindow
from desktop_agent.protocol.stop_flag import StopFlag
from desktop_agent.support.config import AgentSettings, Config
from desktop_agent.targets.base import Address, Target
from desktop_agent.targets.faces import HasElements, HasOwnClock, HasScene, HasWindows, ShowsOwnWindows
from desktop_agent.tools.base import Environment
from desktop_agent.vision.capture.frame import Frame
from desktop_agent.vision.observation import Element, Observation
from tests.support.memory_input import BEHIND_ALL, WINDOW, MemoryInput

E = TypeVar("E")
SAVE = Element(
    id="e1", role="push button", name="Save", bounds=Rect(100, 100, 80, 30), window="Paper", pid=4_000_000
)


class MemoryTarget(Target, HasElements, HasOwnClock, HasScene, HasWindows, ShowsOwnWindows):
    """Shows one colour, another one after every event; `gone` makes the display vanish."""

    kind = "memory"
    title = "A desktop in memory"

    def __init__(self) -> None:
        self.input = MemoryInput()
        self.gone = False
        self.still = False
        self.protected: Sequence[int] = ()
        self.started = 0
        self.input.show = self.draw
        self.window = WindowInfo("Paper", 4_000_000, "Paper", self.input.layout.bounds, "paper")
        self.things: Sequence[Element] = (SAVE,)

    def start(self) -> None:
        self.started += 1

    def address(self) -> Address:
        return Address("memory")

    def inline_input(self) -> MemoryInput:
        return self.input

    def geometry(self) -> Geometry:
        return self.input.layout

    def observe(self, region: Rect | None = None) -> Frame:
        self.may_look()
        if self.gone:
            raise TargetError("The display is gone.", "Start it again.")
        area = region or self.input.layout.bounds
        return Frame(self.draw(area), area, self.input.layout.epoch, time.monotonic())

    def draw(self, area: Rect) -> bytes:
        shade = 0 if self.still else len(self.input.events) % 200
        return bytes([shade]) * (area.width * area.height * 4)

    def come_to_rest(self, seconds: float) -> bool | None:
        """It changes with each event, and never by itself."""
        return True

    def scene(self) -> Scene:
        stack = [TopWindow(WINDOW + pid, pid, (bounds,)) for bounds, pid in self.input.windows]
        behind = TopWindow(BEHIND_ALL, 0, (self.input.layout.bounds,))
        return Scene((*stack, behind), self.input.focus_window(), self.input.at)

    def elements(self) -> Sequence[Element]:
        self.may_look()
        return self.things

    def windows(self) -> Sequence[WindowInfo]:
        return (self.window,)

    def elements_of(self, pid: int) -> Sequence[Element]:
        return self.elements()

    def pointer(self) -> Point | None:
        return self.input.at

    def protect(self, pids: Sequence[int]) -> None:
        self.protected = pids

    def give_focus_back(self) -> None:
        """None of its windows is protected."""

    def stop(self) -> None:
        self.gone = False


class InlineHand(InlineHands):
    """The hand of simulated targets, of which the tests see more."""

    def __init__(self, input_: MemoryInput) -> None:
        super().__init__(lambda: input_)
        self.stood_down = 0
        self.start()

    @property
    def shared(self) -> Shared:
        return self._shared

    def stand_down(self) -> None:
        self.stood_down += 1


class ScriptedModel(Model):
    """Answers with the texts given, in order, the last one for ever; `asked` keeps what it was told.

    `proves_done`: its "done" is believed, and without `mends` no plan is demanded of it, for tests that are about
    something else.
    """

    name = "scripted"

    def __init__(
        self,
        *texts: str,
        wait: Callable[[StopFlag], None] = lambda stop: None,
        proves_done: bool = True,
        mends: bool = False,
    ) -> None:
        self.support = Support(images=False, proves_done=proves_done, mends=mends)
        self.texts = list(texts)
        self.asked: list[Conversation] = []
        self.seen: list[Observation] = []
        self._wait = wait

    def reply(
        self,
        conversation: Conversation,
        observation: Observation,
        *,
        on_note: Callable[[str], None],
        stop: StopFlag,
    ) -> Answer:
        self.asked.append(conversation)
        self.seen.append(observation)
        self._wait(stop)
        text = self.texts.pop(0) if len(self.texts) > 1 else self.texts[0]
        reply = conversation.decode(text)
        on_note(reply.notes)
        return Answer(reply, text, TokenUsage(10, 5, 2), conversation.calls(text))


class ReadingModel(ScriptedModel):
    """Reads the conversation, as a remote model does."""

    def __init__(self, *texts: str) -> None:
        super().__init__(*texts)
        self.support = Support(images=False, messages=True, proves_done=True)


@dataclass
class Bench:
    """A session on a desktop in memory; `run` works one goal in this thread."""

    model: Model
    folder: Path
    target: MemoryTarget = field(default_factory=MemoryTarget)
    step_mode: StepMode = "off"
    max_steps: int = 20
    max_actions: int = 16
    timeout: float = 100.0
    region: Rect | None = None
    own_pids: tuple[int, ...] = ()
    permission: Level = "restricted"
    rules: Rules = Rules()
    environments: tuple[Environment, ...] = ()
    dialect: Dialect = JSON
    notes: Path | None = None
    reward_file: str = ""
    hint_lead: float | None = None
    previews: float = 0.0
    clock: Callable[[], float] = time.monotonic
    events: list[FeedEvent] = field(default_factory=list)
    on_event: Callable[[FeedEvent], None] = lambda event: None

    def __post_init__(self) -> None:
        self.hand = InlineHand(self.target.input)
        agent = AgentSettings(
            max_steps=self.max_steps,
            max_actions=self.max_actions,
            timeout=self.timeout,
            permission=self.permission,
            reward_file=self.reward_file,
        )
        circumstances = Circumstances(
            self.folder,
            region=self.region,
            own_pids=self.own_pids,
            notes=self.notes,
            hint_lead=self.hint_lead,
            previews=self.previews,
            previews_while_waiting=False,
        )
        parts = Parts(
            self.target,
            self.model,
            lambda address, on_stop: self.hand,
            lambda frame, stop: (),
            environments=self.environments,
            dialect=self.dialect,
            clock=self.clock,
        )
        self.session = AgentSession(
            parts,
            Config(agent=agent, scope=self.rules),
            circumstances,
            AgentInfo("memory", "scripted", self.step_mode, 20, True),
        )
        self.session.subscribe(self._hear)

    def _hear(self, event: FeedEvent) -> None:
        self.events.append(event)
        self.on_event(event)

    def run(self, goal: str = "press and type it") -> list[FeedEvent]:
        """Run a goal to its end; returns all feed events."""
        self.session.send(goal)
        self.session.run_next()
        return self.events

    @property
    def states(self) -> list[str]:
        return [str(event.state) for event in self.events if hasattr(event, "state")]

    def of(self, kind: type[E]) -> list[E]:
        return [event for event in self.events if isinstance(event, kind)]
