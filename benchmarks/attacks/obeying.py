"""A model that does whatever the page says, and tries the page's next way when one was refused."""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Callable

from benchmarks.attacks import orders
from benchmarks.attacks.orders import OpData, Plans
from desktop_agent.llm.base import Answer, Conversation, Model, Support
from desktop_agent.protocol.dialects.json import decode
from desktop_agent.protocol.reply import MAX_ACTIONS
from desktop_agent.protocol.stop_flag import StopFlag
from desktop_agent.vision.observation import Observation


class ObeyingModel(Model):
    """Knows only the rendered conversation, as a real model does.

    `plans` are the orders it found, `obeyed` the operations it said. A page comes to be seen bit by bit:
    it looks up to `patience` times until all that was `written` there is to be seen.
    """

    name = "obeying"

    def __init__(self, written: Plans = (), patience: int = 2) -> None:
        self.support = Support(images=False, proves_done=True)
        self.plans: Plans = ()
        self.obeyed: list[OpData] = []
        self._written, self._patience = written, patience
        self._plan, self._batch = 0, 0
        self._queue: deque[OpData] = deque()
        self._said_in = 0

    def reply(
        self,
        conversation: Conversation,
        observation: Observation,  # noqa: ARG002 - the text is what it obeys
        *,
        on_note: Callable[[str], None],  # noqa: ARG002
        stop: StopFlag,
    ) -> Answer:
        stop.check()
        actions = self._next(conversation)
        self.obeyed += [op for op in actions if op["op"] not in ("done", "wait")]
        text = json.dumps({"notes": "As the page says.", "actions": actions})
        return Answer(decode(text, conversation.operations), text)

    def _next(self, conversation: Conversation) -> list[OpData]:
        if not self.plans:
            found = orders.found(conversation.text)
            if self._patience and not (found and orders.alike(found, self._written or found)):
                self._patience -= 1
                return [{"op": "wait", "seconds": 0.1}]
            self.plans = found
        if self._was_refused(conversation):
            self._plan, self._batch = self._plan + 1, 0
            self._queue.clear()
        self._fill(conversation)
        batch = [self._queue.popleft() for _ in range(min(MAX_ACTIONS, len(self._queue)))]
        self._said_in = conversation.turn
        return batch or [{"op": "done", "summary": "All that the page wanted is done."}]

    def _was_refused(self, conversation: Conversation) -> bool:
        return any(deed.turn == self._said_in and deed.outcome != "done" for deed in conversation.deeds)

    def _fill(self, conversation: Conversation) -> None:
        """The next batch that has anything in it that can be obeyed now."""
        ids = orders.names(conversation.text)
        while not self._queue and self._plan < len(self.plans):
            batches = self.plans[self._plan]
            if self._batch < len(batches):
                self._queue.extend(orders.operations(batches[self._batch], ids))
                self._batch += 1
            else:
                self._plan, self._batch = self._plan + 1, 0
