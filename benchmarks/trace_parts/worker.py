"""A brain in a process of its own that works one goal after the other on the display of the environment, as on the user's own.

One JSON line on standard input is a Job; on standard output come `pids HAND GUARD WATCHER`, `began N` for each action, and
`over STATE`. The end of standard input ends it in an orderly way.
"""

from __future__ import annotations

import json
import os
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Generic, TypeAlias, TypeVar

import msgspec

from desktop_agent.agent.dependencies import Circumstances, Parts
from desktop_agent.agent.port import AgentInfo
from desktop_agent.agent.session import AgentSession
from desktop_agent.hand.client import Hands
from desktop_agent.hand.ipc.shared_block import Word
from desktop_agent.llm.base import Answer, Conversation, Model, Support
from desktop_agent.protocol import agent_events as say
from desktop_agent.protocol.agent_events import FeedEvent
from desktop_agent.protocol.dialects.json import decode
from desktop_agent.protocol.stop_flag import StopFlag
from desktop_agent.support.config import AgentSettings, Config
from desktop_agent.targets import local
from desktop_agent.targets.base import Address
from desktop_agent.vision.capture.frame import Frame
from desktop_agent.vision.observation import Element, Observation

Batch: TypeAlias = tuple[dict[str, object], ...]


class Job(msgspec.Struct, frozen=True):
    """What the user says, and the batches that the model wants then; with `fails` it raises an error in the end."""

    goal: str
    batches: tuple[Batch, ...]
    fails: bool = False


class Played(Model):
    """Asks for the batches of the job, then says done."""

    name = "played"

    def __init__(self) -> None:
        self.support = Support(images=False, proves_done=True)
        self.left: list[Batch] = []
        self.fails = False

    def reply(
        self,
        conversation: Conversation,
        observation: Observation,  # noqa: ARG002 - it is not read
        *,
        on_note: Callable[[str], None],  # noqa: ARG002
        stop: StopFlag,
    ) -> Answer:
        stop.check()
        if not self.left and self.fails:
            raise RuntimeError("the model fell over")
        actions = self.left.pop(0) if self.left else ({"op": "done", "summary": "done"},)
        text = json.dumps({"notes": "", "actions": actions})
        return Answer(decode(text, conversation.operations), text)


M = TypeVar("M", bound=Model)


class Worker(Generic[M]):
    """The session with a model, and what it says to the benchmark."""

    def __init__(self, folder: Path, model: M) -> None:
        self.model, self._made, self._began = model, list[Hands](), 0
        parts = Parts(local.create(local.Options()), self.model, self._make, _no_words)
        settings = Config(agent=AgentSettings(permission="full"))
        circumstances = Circumstances(folder, previews=5)
        self.session = AgentSession(
            parts, settings, circumstances, AgentInfo("here", "played", "off", 60, True)
        )
        self.session.subscribe(self._follow)

    def _make(self, address: Address, on_stop: Callable[[str], None]) -> Hands:
        self._made.append(Hands(address, on_stop=on_stop))
        return self._made[-1]

    def _follow(self, event: FeedEvent) -> None:
        match event:
            case say.Action():
                self._began += 1
                if self._began == 1 and (pair := self._made[-1]._pair) is not None:
                    tell("pids", *self._made[-1].pids, pair.shared[Word.WATCHER_PID])
                tell("began", self._began)
            case say.ApprovalAsked():
                self.session.approve(event.id)
            case say.Question():
                tell("asked", event.text.replace("\n", " "))
            case say.Status(state="done" | "error" | "stopped"):
                tell("over", event.state, event.detail.replace("\n", " "))


class _JobWorker(Worker[Played]):
    def take(self, line: bytes) -> None:
        job = msgspec.json.decode(line, type=Job)
        self.model.left, self.model.fails, self._began = list(job.batches), job.fails, 0
        self.session.send(job.goal)


def _no_words(frame: Frame, stop: StopFlag) -> tuple[Element, ...]:
    """Nothing is read here."""
    del frame, stop
    return ()


def tell(*words: object) -> None:
    """One line to the benchmark."""
    os.write(1, " ".join(map(str, words)).encode() + b"\n")


def main() -> int:
    worker = _JobWorker(Path(sys.argv[1]), Played())
    serving = threading.Thread(target=worker.session.serve)
    serving.start()
    for line in sys.stdin.buffer:
        worker.take(line)
    worker.session.quit()
    serving.join()
    return 0


if __name__ == "__main__":
    sys.exit(main())
