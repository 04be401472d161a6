"""A model that calls every goal done."""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from desktop_agent.llm.base import Answer, Conversation, Model, Support
from desktop_agent.protocol.stop_flag import StopFlag
from desktop_agent.vision.observation import Observation


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`[llm.trial]`: what it says at the end."""

    summary: str = "Tried."


def create(options: Options) -> Model:
    return TrialModel(options.summary)


class TrialModel(Model):
    name = "trial"
    support = Support(images=False, strict_schema=False, proves_done=True)
    dialect = "trial"

    def __init__(self, summary: str) -> None:
        self._summary = summary

    def reply(
        self,
        conversation: Conversation,
        observation: Observation,
        *,
        on_note: Callable[[str], None],
        stop: StopFlag,
    ) -> Answer:
        stop.check()
        text = f"# Nothing to do.\ndone {msgspec.json.encode({'summary': self._summary}).decode()}"
        if conversation.dialect.name == "json":
            text = msgspec.json.encode({"actions": [{"op": "done", "summary": self._summary}]}).decode()
        return Answer(conversation.dialect.decode(text, conversation.operations or None), text)
