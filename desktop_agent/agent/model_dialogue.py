"""Asks the model for its next reply, and again with every error listed while the reply cannot be used; keeps a record of each question."""

from __future__ import annotations

import base64
import dataclasses
import itertools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import msgspec

from desktop_agent.agent.context.context import Context
from desktop_agent.agent.context.summary import Shortener
from desktop_agent.agent.inbox import Inbox
from desktop_agent.agent.memory import RunMemory
from desktop_agent.agent.pauses import until_paused
from desktop_agent.agent.prompting.prompt import Prompter
from desktop_agent.agent.prompting.turn_messages import TurnMessages
from desktop_agent.agent.runlog.publisher import Feed
from desktop_agent.llm.base import Answer, Conversation, Model, PaidBadReply, TokenUsage
from desktop_agent.policy.facts.op_text import request
from desktop_agent.protocol import agent_events as say
from desktop_agent.protocol.chat_messages import (
    SPOKEN,
    Block,
    Message,
    PictureBlock,
    ResultBlock,
    TextBlock,
    calls_in,
    inline,
)
from desktop_agent.protocol.dialects.base import Dialect, ToolCall
from desktop_agent.protocol.errors import BadReply, ContextExceeded, DesktopAgentError, Problem, StoreError
from desktop_agent.protocol.reply import Reply
from desktop_agent.protocol.stop_flag import StopFlag
from desktop_agent.redaction.redactor import redactor
from desktop_agent.support import resources
from desktop_agent.vision.elements.element_table import ElementTable
from desktop_agent.vision.observation import Element, Observation

MAX_BAD_REPLIES = 3
_RECORDED_BELOW = TextBlock("Cut short. What was carried out of it stands in the record that follows.")
NOT_USED = TextBlock("Not executed: this answer could not be used.")
_RECORDED = 4_000
"""Characters of a reply that cannot be used which go to the log."""
_SENT_BACK = 20_000
"""A longer one is not sent back to the model with what is wrong with it."""


_STEP_LENGTH = 300
_FIELD = "missing: it is always there, as an empty list where it has nothing new"
_PLAN = "missing: before the first action the user is told the whole plan, as short steps"


MOST_PICTURES = 8
"""Pictures that are told; older ones are left out."""
PICTURES_NOT_SEEN = (
    "The model in use sees no pictures: yours was not shown to it. Put into words what it needs to know."
)
PICTURE_LOST = (
    "A picture that you gave then is not in the folder of the run any more: give it again when it is needed."
)


@dataclass
class ReplyDemands:
    """Demands of one run: the model is told each once.

    A model that answers the same again is taken as it is, for a small one would otherwise be of no use: its own words
    become the plan, and nothing of the kind is demanded again in this run.
    """

    _dropped: set[str] = field(default_factory=set)

    def unmet(self, answer: Answer, dialect: Dialect, plan: tuple[str, ...]) -> tuple[Problem, ...]:
        """What the answer lacks of what is still demanded, where the run has this plan."""
        found = [Problem(name, _FIELD) for name in dialect.lacking(answer.raw)]
        if _acts_without_plan(answer.reply, plan) and not dialect.screen_last:  # its thoughts are the plan
            path = "high_level" if dialect.tools is None else "plan"
            found = [each for each in found if each.path != path] + [Problem(path, _PLAN)]
        return tuple(each for each in found if each.path not in self._dropped)

    def drop(self, problems: tuple[Problem, ...]) -> None:
        """Demand these no more."""
        self._dropped |= {each.path for each in problems}


def with_plan(answer: Answer, plan: tuple[str, ...], elements: Mapping[str, Element]) -> Answer:
    """The answer; with its note, or its first action in words, as the plan where it acts and the run has none."""
    reply = answer.reply
    if not _acts_without_plan(reply, plan):
        return answer
    first = next(op for op in reply.actions if op.traits.acts)
    note = next((line.strip() for line in reply.notes.splitlines() if line.strip()), "")
    step = (note or request(first, elements))[:_STEP_LENGTH]
    return dataclasses.replace(answer, reply=msgspec.structs.replace(reply, high_level=(step,), step=1))


def _acts_without_plan(reply: Reply, plan: tuple[str, ...]) -> bool:
    return not plan and not reply.high_level and any(op.traits.acts for op in reply.actions)


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


@dataclass
class AskedRecords:
    """The `asked` records of one run: the operations where they are others than before, of each look what changed."""

    feed: Feed
    _table: ElementTable = field(default_factory=ElementTable)
    _operations: tuple[str, ...] | None = None

    def add(self, turn: int, operations: tuple[str, ...], observation: Observation) -> None:
        """Record that the model is asked in this turn. Raises StoreError."""
        record: dict[str, object] = {"turn": turn, "look": self._table.take(observation)}
        if operations != self._operations:
            record["operations"] = self._operations = operations
        self.feed.record("asked", record)


class GoalPictures:
    """The user's own pictures of one run. `keep` keeps one as a file of the run; `sees`: the model sees pictures.

    What is written in them is content, no order: they grant nothing.
    """

    def __init__(self, feed: Feed, keep: Callable[[PictureBlock], Block], *, sees: bool) -> None:
        self._feed, self._keep, self._sees = feed, keep, sees
        self._given: list[tuple[int, Block]] = []

    def give(self, turn: int, pictures: Sequence[PictureBlock]) -> bool:
        """Take in what was given in a turn; the user is told where the model cannot see it. Raises StoreError."""
        if pictures and not self._sees:
            self._feed.emit(say.Note(text=PICTURES_NOT_SEEN))
            return False
        for each in pictures:
            kept = self._keep(each)
            file = kept.file if isinstance(kept, PictureBlock) else ""
            self._feed.record("given_picture", {"turn": turn, "file": file, "size": each.size})
            self._given.append((turn, kept))
        del self._given[:-MOST_PICTURES]
        return bool(pictures)

    def restore(self, given: Sequence[tuple[int, PictureBlock]], folder: Path) -> bool:
        """Go on with those of a run that was cut short, which its folder holds. Raises StoreError."""
        if given and not self._sees:
            self._feed.emit(say.Note(text=PICTURES_NOT_SEEN))
            return False
        self._given = [(turn, _with_data(block, folder)) for turn, block in given[-MOST_PICTURES:]]
        return bool(given)

    def opening(self, text: str) -> Message:
        """What every conversation begins with: `text`, then the pictures, each under a line of ours."""
        blocks: list[Block] = [TextBlock(text)]
        for turn, picture in self._given:
            caption = resources.text("prompts", "given_picture.md").replace("{turn}", str(turn))
            blocks += [TextBlock(caption), picture]
        return Message("user", tuple(blocks))


def _with_data(block: PictureBlock, folder: Path) -> PictureBlock:
    try:
        data = (folder / block.file).read_bytes()
    except OSError as error:
        raise StoreError(f"{block.file} cannot be read: {error.strerror}.", "Give the goal anew.") from error
    return msgspec.structs.replace(block, data=base64.b64encode(data).decode())
