"""Asks the model for its next reply, and again with every error listed while the reply cannot be used."""

from __future__ import annotations

from dataclasses import dataclass

from desktop_agent.agent.inbox import Inbox
from desktop_agent.agent.memory import RunMemory
from desktop_agent.agent.pauses import until_paused
from desktop_agent.agent.prompting.prompt import Prompter
from desktop_agent.agent.runlog.publisher import Feed
from desktop_agent.llm.base import Answer, Conversation, Model
from desktop_agent.protocol import agent_events as say
from desktop_agent.protocol.errors import BadReply, DesktopAgentError, Problem
from desktop_agent.protocol.stop_flag import StopFlag
from desktop_agent.vision.observation import Observation

MAX_BAD_REPLIES = 3


class UnusableReplies(DesktopAgentError):
    """The model answered MAX_BAD_REPLIES times in a row with what cannot be used."""


@dataclass
class ModelDialogue:
    """The model of one run, its prompts, and the feed that its notes are streamed to."""

    model: Model
    prompter: Prompter
    inbox: Inbox
    feed: Feed

    def answer(self, memory: RunMemory, observation: Observation, stop: StopFlag) -> Answer | None:
        """The model's answer to what is seen; None when a pause came while waiting for it.

        Raises UnusableReplies, Stopped (an answer that arrives after a stop is discarded), ModelError.
        """
        problems: tuple[Problem, ...] = ()
        for _ in range(MAX_BAD_REPLIES):
            conversation = self.prompter.conversation(memory, observation, problems)
            try:
                answer = self._reply(conversation, observation, stop)
            except BadReply as error:
                problems = error.problems
                self.feed.record("bad_reply", {"raw": error.raw, "problems": [str(p) for p in problems]})
                continue
            stop.check()
            return answer
        raise UnusableReplies(f"The model's answers cannot be used: {problems[0]}.", "Try again.")

    def _reply(self, conversation: Conversation, observation: Observation, stop: StopFlag) -> Answer | None:
        def stream(piece: str) -> None:
            if not stop.is_set():
                self.feed.emit(say.NoteDelta(text=piece))

        with until_paused(stop, self.inbox) as halt:
            return self.model.reply(conversation, observation, on_note=stream, stop=halt)
        return None
