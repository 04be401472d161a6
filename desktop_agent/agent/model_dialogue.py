"""Asks the model for its next reply, and again with every error listed while the reply cannot be used."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import dataclass, field

from desktop_agent.agent.context.context import Context
from desktop_agent.agent.context.summary import Shortener
from desktop_agent.agent.inbox import Inbox
from desktop_agent.agent.memory import RunMemory
from desktop_agent.agent.pauses import until_paused
from desktop_agent.agent.prompting.goal_pictures import GoalPictures
from desktop_agent.agent.prompting.prompt import Prompter
from desktop_agent.agent.prompting.turn_messages import TurnMessages
from desktop_agent.agent.reply_demands import ReplyDemands, with_plan
from desktop_agent.agent.runlog.asked_records import AskedRecords
from desktop_agent.agent.runlog.publisher import Feed
from desktop_agent.llm.base import Answer, Conversation, Model, PaidBadReply, TokenUsage
from desktop_agent.protocol import agent_events as say
from desktop_agent.protocol.chat_messages import (
    SPOKEN,
    Message,
    ResultBlock,
    TextBlock,
    calls_in,
    inline,
)
from desktop_agent.protocol.dialects.base import ToolCall
from desktop_agent.protocol.errors import BadReply, ContextExceeded, DesktopAgentError, Problem
from desktop_agent.protocol.stop_flag import StopFlag
from desktop_agent.redaction.redactor import redactor
from desktop_agent.vision.observation import Observation

MAX_BAD_REPLIES = 3
_RECORDED_BELOW = TextBlock("Cut short. What was carried out of it stands in the record that follows.")
NOT_USED = TextBlock("Not executed: this answer could not be used.")
_RECORDED = 4_000
"""Characters of a reply that cannot be used which go to the log."""
_SENT_BACK = 20_000
"""A longer one is not sent back to the model with what is wrong with it."""


class UnusableReplies(DesktopAgentError):
    """The model answered MAX_BAD_REPLIES times in a row with what cannot be used."""


def _show_nothing(_: StopFlag) -> str:
    """For a run without environments."""
    return ""


def _unpaid(_: TokenUsage) -> None:
    """Counts no cost."""


@dataclass
class ModelDialogue:
    """The model of one run, the conversation with it, and the feed that its notes are streamed to.

    `spend(usage)` is told what a question beside the replies cost.
    """

    model: Model
    prompter: Prompter
    inbox: Inbox
    feed: Feed
    context: Context
    environments: Callable[[StopFlag], str] = _show_nothing
    """What the environments show now, as the model is told it."""
    spend: Callable[[TokenUsage], None] = _unpaid
    _turns: TurnMessages = field(init=False)
    _shortener: Shortener = field(init=False)
    _asked: AskedRecords = field(init=False)
    pictures: GoalPictures = field(init=False)
    _demands: ReplyDemands = field(default_factory=ReplyDemands)
    _tokens: int = 0
    _calls: tuple[ToolCall, ...] = ()

    def __post_init__(self) -> None:
        self._turns = TurnMessages(self.prompter, self.context)
        self._shortener = Shortener(self.model, self.context, self.feed, self.spend)
        self._asked = AskedRecords(self.feed)
        sees = self.model.support.images and self.model.support.messages
        self.pictures = GoalPictures(self.feed, self.context.keep, sees=sees)

    def resume(self, turn: int, told_words: int) -> None:
        """Go on with a conversation that was cut short and holds so many later words of the user."""
        self._turns.told, self._turns.first = told_words, self.prompter.resumed(turn)
        self.context.add("environment", *(ResultBlock(call, (_RECORDED_BELOW,)) for call in self._open()))

    def _open(self) -> tuple[str, ...]:
        """The calls of the last answer: what was carried out of them is told by the record alone."""
        spoken = itertools.takewhile(lambda each: each.role in SPOKEN, reversed(self.context.messages))
        return calls_in([block for message in reversed(list(spoken)) for block in message.content])

    def answer(self, memory: RunMemory, observation: Observation, stop: StopFlag) -> Answer | None:
        """The model's answer to what is seen; None when a pause came while waiting for it.

        Raises UnusableReplies, Stopped (an answer that arrives after a stop is discarded), ModelError, StoreError.
        """
        self._asked.add(memory.turn, self.prompter.operations, observation)
        if not self.model.support.messages:
            return self._usable(memory, observation, (), stop)
        opening = (self.pictures.opening(self.prompter.goal(memory)),)
        if self.prompter.dialect.screen_last:
            self._shortener.drop_turns(self._tokens)
        elif self._shortener.shorten(self.prompter.system, opening, self._tokens, stop):
            self._turns.begin_anew()
        calls, self._calls = self._calls, ()
        self._turns.add(memory, observation, self.model.support, calls)
        try:
            answer = self._usable(memory, observation, opening, stop)
        except ContextExceeded:
            self.context.truncate(self.model.support.context.keep)
            self._turns.begin_anew()
            self._turns.add(memory, observation, self.model.support)
            answer = self._usable(memory, observation, opening, stop)
        if answer is not None:
            self._keep(answer)
        return answer

    def _keep(self, answer: Answer) -> None:
        self._tokens = answer.usage.input
        self._calls = answer.calls
        if answer.detail:
            self.feed.record("provider", dict(answer.detail))
        self.context.add("assistant", *answer.given)
        for message in self._said(answer.raw):
            self.context.add(message.role, *message.content)
        if any(each.stands_for_the_past for each in answer.given):
            self.context.truncate(keep=1)
            self._turns.begin_anew()

    def _usable(
        self, memory: RunMemory, observation: Observation, opening: tuple[Message, ...], stop: StopFlag
    ) -> Answer | None:
        """The first answer that can be used; those before it stay in the conversation until then."""
        problems: tuple[Problem, ...] = ()
        refused: tuple[Message, ...] = ()
        for left in reversed(range(MAX_BAD_REPLIES)):
            messages = (*opening, *self.context.messages, *refused) if opening else ()
            if messages and self.prompter.dialect.screen_last:
                if refused:
                    memory.environments = self.environments(stop)
                messages = (*messages, Message("environment", (TextBlock(self.prompter.screen(memory)),)))
            conversation = self.prompter.conversation(memory, messages, problems)
            try:
                answer = self._reply(conversation, observation, stop)
                stop.check()
                return self._complete(answer, problems, memory, observation, last=not left)
            except BadReply as error:
                if isinstance(error, PaidBadReply):
                    self.spend(error.usage)
                problems = error.problems
                told = {"raw": error.raw[:_RECORDED], "problems": [str(each) for each in problems]}
                self.feed.record("bad_reply", told)
                refused = (*refused, *self._refused(error))
        raise UnusableReplies(f"The model's answers cannot be used: {problems[0]}.", "Try again.")

    def _complete(
        self,
        answer: Answer | None,
        told: tuple[Problem, ...],
        memory: RunMemory,
        observation: Observation,
        *,
        last: bool,
    ) -> Answer | None:
        """The answer with a plan. Raises PaidBadReply where it lacks what is demanded and the model was not `told` yet.

        After the `last` try it is taken as it is: it can be carried out.
        """
        if answer is None or not self.model.support.mends:
            return answer
        unmet = self._demands.unmet(answer, self.prompter.dialect, memory.plan)
        if unmet and not last and not set(unmet) <= set(told):
            raise PaidBadReply(BadReply(unmet, answer.raw), answer.usage)
        self._demands.drop(unmet)
        return with_plan(answer, memory.plan, {each.id: each for each in observation.elements})

    def _refused(self, error: BadReply) -> tuple[Message, ...]:
        """A reply that cannot be used and what is wrong with it, as the model is told."""
        shown = 0 < len(error.raw.strip()) <= _SENT_BACK
        said = self._said(error.raw) if shown else ()
        calls = calls_in([block for message in said for block in message.content])
        answers = (ResultBlock(call, (NOT_USED,), error=True) for call in calls)
        words = TextBlock(self.prompter.strict(error.problems))
        return (*said, Message("environment", (*answers, words)))

    def _said(self, raw: str) -> tuple[Message, ...]:
        """What the model said, as it is told to it again."""
        clean = redactor().clean(raw)
        # What was changed is no longer as the provider gave it, and it would not take it back.
        return tuple(
            each if clean == raw else Message(each.role, tuple(inline(each.content)))
            for each in self.prompter.dialect.messages(clean)
        )

    def _reply(self, conversation: Conversation, observation: Observation, stop: StopFlag) -> Answer | None:
        def stream(piece: str) -> None:
            if not stop.is_set():
                self.feed.emit(say.NoteDelta(text=piece))

        with until_paused(stop, self.inbox) as halt:
            return self.model.reply(conversation, observation, on_note=stream, stop=halt)
        return None
