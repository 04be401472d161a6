"""The real brain, with its window: the program's own session, window and run loop; only the model is played.

As `lab.brain`: one JSON line on standard input (an Order) is one run whose model asks for these operations;
on standard output come the words `pids HAND GUARD WATCHER` once all are at work, `began INDEX` for each
operation, and `over WORDS` at the end of the run.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
import threading
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import msgspec

from desktop_agent import app
from desktop_agent.agent.dependencies import HandProcesses
from desktop_agent.agent.session import AgentSession
from desktop_agent.hand.client import Hands
from desktop_agent.hand.ipc.shared_block import Word
from desktop_agent.llm.base import Answer, Conversation, Model, Support
from desktop_agent.protocol import agent_events as say
from desktop_agent.protocol.agent_events import FeedEvent
from desktop_agent.protocol.dialects.json import decode
from desktop_agent.protocol.ops import Op
from desktop_agent.protocol.stop_flag import StopFlag
from desktop_agent.startup import assembly
from desktop_agent.startup.arguments import Arguments
from desktop_agent.support import config
from desktop_agent.targets.base import Address
from desktop_agent.ui.run_window import WindowOptions, run_window
from desktop_agent.vision.observation import Observation
from tests.support.brain import Order

HOMES = "PLAYED_BRAIN_HOMES"
"""Environment variable: the folder in which each brain makes its home."""


class PlayedModel(Model):
    """Asks once for the operations of the order, whatever it is shown, and says done then."""

    name = "played"

    def __init__(self) -> None:
        self.support = Support(images=False, proves_done=True)
        self.operations: tuple[Op, ...] = ()

    def reply(
        self,
        conversation: Conversation,
        observation: Observation,
        *,
        on_note: Callable[[str], None],
        stop: StopFlag,
    ) -> Answer:
        stop.check()
        operations, self.operations = self.operations, ()
        actions = [json.loads(msgspec.json.encode(each)) for each in operations]
        text = json.dumps({"notes": "", "actions": actions or [{"op": "done", "summary": "done"}]})
        return Answer(decode(text, conversation.operations), text)


class Player:
    """Takes orders and tells what becomes of them."""

    def __init__(self, session: AgentSession, model: PlayedModel, hands: Callable[[], Hands]) -> None:
        self._session, self._model, self._hands = session, model, hands
        self._index = 0
        self._order: tuple[Op, ...] = ()
        session.subscribe(self._follow)

    def serve(self) -> None:
        """In a thread, until standard input ends."""
        for line in sys.stdin.buffer:
            order = msgspec.json.decode(line, type=Order)
            self._order = self._model.operations = order.operations
            self._index = 0
            self._session.send("go on as told")
        os._exit(0)

    def _follow(self, event: FeedEvent) -> None:
        match event:
            case say.Action():
                if self._index == 0:
                    self._tell_pids()
                tell("began", self._index)
                self._index += 1
            case say.Status(state="done" | "error" | "stopped"):
                tell("over", event.state, event.detail)
            case say.ApprovalAsked():  # what is typed into a terminal, which may come from what was read there
                self._session.approve(event.id)
            case say.Result(
                outcome="refused"
            ):  # the first look of a new brain may not tell all: it looks again
                self._model.operations, self._index = self._order, 0
            case say.Question():
                tell("over", "asked", event.text.replace("\n", " "))

    def _tell_pids(self) -> None:
        pair = self._hands()._pair
        if pair is not None:
            tell("pids", *self._hands().pids, pair.shared[Word.WATCHER_PID])


def tell(*words: object) -> None:
    """One line to the benchmark."""
    os.write(1, " ".join(map(str, words)).encode() + b"\n")


def main() -> int:
    """Show the window on the display of the environment, and serve."""
    folder = Path(tempfile.mkdtemp(prefix="played-brain-", dir=os.environ.get(HOMES)))
    os.environ["HOME"] = str(folder)
    settings = assembly.with_arguments(config.Config(), Arguments(target="local", permission="full"))
    model, made = PlayedModel(), list[Hands]()
    session = app.build(settings, Arguments(), True, model, "")
    make = session._parts.make_hand

    def make_hand(address: Address, on_stop: Callable[[str], None]) -> HandProcesses:
        hands = make(address, on_stop)
        if isinstance(hands, Hands):
            made.append(hands)
        return hands

    session._parts = replace(session._parts, model=model, make_hand=make_hand)
    player = Player(session, model, lambda: made[-1])
    threading.Thread(target=player.serve, name="orders", daemon=True).start()
    return run_window(session, WindowOptions(folder, painted=lambda: tell("shown")))


if __name__ == "__main__":
    sys.exit(main())
