"""A model whose replies are what an MCP client calls for: so its calls go the way of every run."""

from __future__ import annotations

import secrets
import threading
from collections.abc import Callable
from dataclasses import dataclass

import msgspec

from desktop_agent.llm.base import Answer, Conversation, Model, Support
from desktop_agent.protocol import ops
from desktop_agent.protocol.reply import Reply
from desktop_agent.protocol.stop_flag import StopFlag
from desktop_agent.vision.observation import Observation

IDLE_SECONDS = 300.0
"""After so long without a call the client's run ends: its next look begins another."""
FINISHED = "The MCP client is finished."
SILENT = "The MCP client asked for nothing more."


@dataclass(frozen=True)
class ClientTurn:
    """What the client may act on now: the look that `handle` names, and what the run tells its model."""

    handle: str
    conversation: Conversation
    observation: Observation


class ClientModel(Model):
    """Waits in each turn for the client's next wish.

    `on_turn` is called in the agent's thread with every turn that begins to wait, before `on_wait`, which
    tells that only the client is waited for: what the human does meanwhile is no takeover.
    """

    name = "MCP client"
    support = Support(
        strict_schema=False, messages=False, unshown_done="told"
    )  # its "done" ends a client's visit, whatever is shown

    def __init__(self, idle_seconds: float = IDLE_SECONDS) -> None:
        self.on_turn: Callable[[ClientTurn], None] = _ignore
        self.on_wait: Callable[[], None] = _nothing
        self._idle_seconds = idle_seconds
        self._changed = threading.Condition()
        self._turn: ClientTurn | None = None
        self._wish: Reply | None = None

    @property
    def turn(self) -> ClientTurn | None:
        """The turn that waits for a wish; None while the run works, and without one."""
        return self._turn

    def give(self, wish: Reply, handle: str | None = None) -> bool:
        """Have the waiting turn reply with `wish`; False when none waits, or not the one that `handle` names."""
        with self._changed:
            if self._turn is None or handle not in (None, self._turn.handle):
                return False
            self._turn, self._wish = None, wish
            self._changed.notify_all()
            return True

    def reply(
        self,
        conversation: Conversation,
        observation: Observation,
        *,
        on_note: Callable[[str], None],  # noqa: ARG002 - a client says nothing while it works
        stop: StopFlag,
    ) -> Answer:
        turn = ClientTurn(f"look-{secrets.token_hex(4)}", conversation, observation)
        with self._changed:
            self._turn, self._wish = turn, None
        self.on_wait()
        self.on_turn(turn)
        wish = self._wait(stop)
        return Answer(wish, msgspec.json.encode(wish).decode())

    def server(self) -> str:
        return "the MCP client that works here"

    def _wait(self, stop: StopFlag) -> Reply:
        """The client's wish, or the end of the run when none comes. Raises Stopped."""
        forget = stop.on_set(self._wake)
        try:
            with self._changed:
                self._changed.wait_for(lambda: self._wish or stop.is_set(), self._idle_seconds)
                wish, self._turn, self._wish = self._wish, None, None
        finally:
            forget()
        stop.check()
        return wish or Reply(actions=(ops.Done(SILENT),))

    def _wake(self) -> None:
        with self._changed:
            self._changed.notify_all()


def _ignore(turn: ClientTurn) -> None:
    """Until somebody listens."""


def _nothing() -> None:
    """Until somebody listens."""
