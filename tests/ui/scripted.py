"""A real AgentPort that plays feed events given by the test and writes down what it was told."""

from __future__ import annotations

import queue
from collections.abc import Callable, Iterable

import msgspec

from desktop_agent.agent.port import AgentInfo, AgentPort, StepMode
from desktop_agent.protocol.agent_events import FeedEvent, StandingGrant
from desktop_agent.protocol.chat_messages import PictureBlock
from desktop_agent.protocol.op_change import OpChange

INFO = AgentInfo(
    target="This desktop", model="claude-sonnet-5-5", step_mode="off", max_steps=40, key_found=True
)
OFFLINE = msgspec.structs.replace(INFO, model="offline", key_found=False)


class ScriptedPort(AgentPort):
    """`play` hands events to the agent's thread, which reports them; `told` lists the calls in order."""

    def __init__(self, info: AgentInfo = INFO) -> None:
        self._info = info
        self._listeners: list[Callable[[FeedEvent], None]] = []
        self._work: queue.SimpleQueue[FeedEvent | BaseException | None] = queue.SimpleQueue()
        self.told: list[tuple[str, ...]] = []
        self.seen: list[str] = []
        self.changes: tuple[OpChange, ...] = ()
        self.promised = 0.0
        self.pictures: tuple[PictureBlock, ...] = ()

    def play(self, *events: FeedEvent | BaseException) -> None:
        for event in events:
            self._work.put(event)

    def play_all(self, events: Iterable[FeedEvent]) -> None:
        self.play(*events)

    def serve(self) -> None:
        while (event := self._work.get()) is not None:
            if isinstance(event, BaseException):
                raise event
            for listener in self._listeners:
                listener(event)

    def subscribe(self, listener: Callable[[FeedEvent], None]) -> None:
        self._listeners.append(listener)

    def send(self, text: str, pictures: tuple[PictureBlock, ...] = ()) -> None:
        self.told.append(("send", text))
        self.pictures += pictures

    def resume_run(self, folder: str) -> None:
        self.told.append(("resume_run", folder))

    def new_conversation(self) -> None:
        self.told.append(("new_conversation",))

    def approve(self, id: str, always: bool = False) -> None:
        self.told.append(("approve", id, str(always)))

    def skip(self, id: str) -> None:
        self.told.append(("skip", id))

    def edit(self, id: str, changes: tuple[OpChange, ...]) -> None:
        self.told.append(("edit", id))
        self.changes = changes

    def promise_to_show(self, seconds: float) -> None:
        self.promised = seconds

    def shown(self, id: str) -> None:
        self.seen.append(id)

    def not_shown(self, id: str, why: str) -> None:
        self.told.append(("not_shown", id, why))

    def standing(self) -> tuple[StandingGrant, ...]:
        return ()

    def take_back(self, id: str) -> None:
        self.told.append(("take_back", id))

    def pause(self) -> None:
        self.told.append(("pause",))

    def resume(self) -> None:
        self.told.append(("resume",))

    def stop(self, reason: str = "you pressed Stop") -> None:
        self.told.append(("stop", reason))

    def reset(self) -> None:
        self.told.append(("reset",))

    def set_step_mode(self, mode: StepMode) -> None:
        self.told.append(("step", mode))
        self._info = msgspec.structs.replace(self._info, step_mode=mode)

    def quit(self) -> None:
        self.told.append(("quit",))
        self._work.put(None)

    @property
    def info(self) -> AgentInfo:
        return self._info
