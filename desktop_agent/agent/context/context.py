"""The conversation of one run as the model is told it, and its record in the run's log.

What is recorded is only ever added to: a message when it is said (kind "message"), a summary when it takes the
place of what came before (kind "summary"). What is kept in memory is shortened; `restore` makes it anew from
the record.
"""

from __future__ import annotations

import base64
from collections.abc import Iterable, Iterator
from typing import Any

import msgspec

from desktop_agent.agent.runlog.hash_chained_log import Record, fields_of, hash_of
from desktop_agent.agent.runlog.publisher import Feed
from desktop_agent.protocol.chat_messages import (
    SPOKEN,
    Block,
    Message,
    PictureBlock,
    ResultBlock,
    Role,
    TextBlock,
    append_to,
    collapsed,
    count_words,
)

SUMMARY = "SUMMARIZED CONTEXT: "
TAKEN_OUT = "(What was seen here is told anew further down.)"


class Context:
    """The messages of one run; only the agent's thread uses it."""

    def __init__(self, feed: Feed, messages: Iterable[Message] = ()) -> None:
        self._feed = feed
        self._replace(collapsed(messages))

    @property
    def messages(self) -> tuple[Message, ...]:
        """What is still told, neighbours of one role joined."""
        return tuple(self._messages)

    @property
    def words(self) -> int:
        """The number of words in it, as spaces cut them."""
        return self._words

    def add(self, role: Role, *content: Block) -> None:
        """Say something. Raises StoreError when it cannot be recorded: then it is not said either."""
        if not content:
            return
        kept = tuple(map(self.keep, content))
        self._feed.record("message", _without_data(Message(role, kept)))
        append_to(self._messages, Message(role, kept))
        self._words += count_words(Message(role, kept))

    def take_out_passing(self) -> None:
        """Take the pictures and passing words out of all messages: what is added next tells all of it anew."""
        self._replace(_lasting(each) for each in self._messages)

    def summarize(self, summary: str, keep: int) -> None:
        """Put the summary, as the assistant's words, in place of all but the last `keep` messages."""
        message = Message("assistant", (TextBlock(SUMMARY + summary),))
        self._feed.record("summary", {"message": message, "kept": keep})
        self._replace(_shortened(self._messages, message, keep))

    def truncate(self, keep: int) -> None:
        """Drop all but the last `keep` messages."""
        self._feed.record("summary", {"message": None, "kept": keep})
        self._replace(_shortened(self._messages, None, keep))

    def drop_turns(self, words: int) -> None:
        """Drop the oldest turns (what the model said, and what came of it) until so many words are left; the last turn stays.

        What the user said stays, too.
        """
        turns = list(_turns(self._messages))
        left, dropped = self._words, 0
        while left > words and dropped < len(turns) - 1:
            left -= sum(count_words(each) for each in turns[dropped] if each.role != "user")
            dropped += 1
        if dropped:
            self._feed.record("dropped_turns", {"turns": dropped})
            self._replace(_without_turns(self._messages, dropped))

    def _replace(self, messages: Iterable[Message]) -> None:
        self._messages = list(messages)
        self._words = sum(map(count_words, self._messages))

    def keep(self, block: Block) -> Block:
        """The block with its pictures kept as files of the run."""
        store = self._feed.store
        match block:
            case PictureBlock() if store is not None and not block.file:
                picture = base64.b64decode(block.data)
                suffix = "png" if block.media_type == "image/png" else "jpg"
                name = store.keep_frame(hash_of(picture), picture, suffix)
                return msgspec.structs.replace(block, file=name)
            case ResultBlock():
                return msgspec.structs.replace(block, content=tuple(map(self.keep, block.content)))
        return block


def _turns(messages: Iterable[Message]) -> Iterator[list[Message]]:
    """The messages by turns: one begins with what the model says after something else."""
    turn: list[Message] = []
    for each in messages:
        if each.role in SPOKEN and any(before.role not in SPOKEN for before in turn):
            yield turn
            turn = []
        turn.append(each)
    if turn:
        yield turn


def restored(records: Iterable[Record]) -> tuple[Message, ...]:
    """The messages that a run's log leaves: the last summary and what came after it.

    Pictures and passing words are left out: the next look tells all of it anew.
    """
    messages: list[Message] = []
    for record in records:
        data = fields_of(record)
        if record.kind == "message":
            append_to(messages, msgspec.convert(data, Message))
        elif record.kind == "summary":
            summary = data.get("message")
            message = None if summary is None else msgspec.convert(summary, Message)
            messages = _shortened(messages, message, int(data.get("kept", 1)))
        elif record.kind == "dropped_turns":
            messages = _without_turns(messages, int(data.get("turns", 0)))
    return tuple(map(_lasting, messages))


def _without_turns(messages: Iterable[Message], count: int) -> list[Message]:
    """All but the first `count` turns; of those only what the user said."""
    turns = list(_turns(messages))
    kept = [each for turn in turns[:count] for each in turn if each.role == "user"]
    return list(collapsed((*kept, *(each for turn in turns[count:] for each in turn))))


def _shortened(messages: list[Message], summary: Message | None, keep: int) -> list[Message]:
    head = [] if summary is None else [summary]
    first = max(0, len(messages) - keep)
    while first > 0 and messages[first].role in SPOKEN and messages[first - 1].role in SPOKEN:
        first -= 1  # what the model said in one answer stays together
    return list(collapsed((*head, *messages[first:])))


def _lasting(message: Message) -> Message:
    """The message without pictures and passing words; a line stands for them."""
    content = [each for each in map(_lasting_block, message.content) if each is not None]
    return Message(message.role, tuple(content) or (TextBlock(TAKEN_OUT),))


def _lasting_block(block: Block) -> Block | None:
    match block:
        case PictureBlock():
            return None
        case TextBlock(passing=True):
            return None
        case ResultBlock():
            kept = tuple(each for each in block.content if isinstance(each, TextBlock) and not each.passing)
            return msgspec.structs.replace(block, content=kept or (TextBlock(TAKEN_OUT),))
    return block


def _without_data(value: Any) -> Any:
    """The message without the pictures themselves, which are files of the run."""
    if isinstance(value, Message):
        return Message(value.role, tuple(map(_without_data, value.content)))
    if isinstance(value, PictureBlock) and value.file:
        return msgspec.structs.replace(value, data="")
    if isinstance(value, ResultBlock):
        return msgspec.structs.replace(value, content=tuple(map(_without_data, value.content)))
    return value
