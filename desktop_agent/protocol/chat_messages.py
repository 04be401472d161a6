"""Messages of a conversation between the user, the model and its environment.

Four roles are kept apart: the words of the *user*, what the *assistant* said, the *command* part of what it
said, and what the *environment* showed. Providers know only two; `for_provider` joins them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Literal, TypeAlias

import msgspec

from desktop_agent.protocol.geometry import Size

Role: TypeAlias = Literal["user", "assistant", "command", "environment"]
ApiRole: TypeAlias = Literal["user", "assistant"]


class TextBlock(msgspec.Struct, frozen=True, tag_field="type", tag="text", omit_defaults=True):
    """Words. `passing` words tell one moment: they are taken out once a later look has told all of it again."""

    text: str
    passing: bool = False


class PictureBlock(msgspec.Struct, frozen=True, tag_field="type", tag="image", omit_defaults=True):
    """A picture of `size`, `data` in base64; `file` is its name in the run's folder, "" where it is not kept."""

    media_type: str
    size: Size
    data: str = ""
    file: str = ""

    @property
    def data_url(self) -> str:
        return f"data:{self.media_type};base64,{self.data}"


class GivenBlock(msgspec.Struct, frozen=True, tag_field="type", tag="given", omit_defaults=True):
    """A block as `provider` gave it, handed back to it unchanged; any other model gets `text` instead.

    `call` is the id under which the provider expects a `ResultBlock`, "" where it expects none.
    """

    provider: str
    data: dict[str, Any]
    text: str = ""
    call: str = ""

    @property
    def is_compaction(self) -> bool:
        """True where the provider made it of all that comes before it."""
        return self.data.get("type") == "compaction"

    @property
    def stands_for_the_past(self) -> bool:
        """True where that has succeeded, so that nothing before it is needed any more."""
        made = self.data.get("content") or self.data.get("encrypted_content")
        return self.is_compaction and bool(made)


class ResultBlock(msgspec.Struct, frozen=True, tag_field="type", tag="result", omit_defaults=True):
    """What came of the call `call` of a `GivenBlock`; `accepted`: the human allowed what the provider warned of."""

    call: str
    content: tuple[TextBlock | PictureBlock, ...] = ()
    error: bool = False
    accepted: bool = False


Block: TypeAlias = TextBlock | PictureBlock | GivenBlock | ResultBlock


SPOKEN: tuple[Role, ...] = ("assistant", "command")
"""Roles of what the model has said."""
UNANSWERED = TextBlock("Not executed: the turn was interrupted before this.")
"""What a model is told of a call of which nothing came."""


class Message(msgspec.Struct, frozen=True):
    """Blocks of one role."""

    role: Role
    content: tuple[Block, ...]


class ApiMessage(msgspec.Struct, frozen=True):
    """Blocks of one of the two roles that providers know."""

    role: ApiRole
    content: tuple[Block, ...]


def words_of(text: str, role: Role = "user") -> Message:
    """A message of one text."""
    return Message(role, (TextBlock(text),))


def collapsed(messages: Iterable[Message]) -> tuple[Message, ...]:
    """The messages with neighbours of one role joined; those without content are left out."""
    joined: list[Message] = []
    for each in messages:
        append_to(joined, each)
    return tuple(joined)


def append_to(messages: list[Message], message: Message) -> None:
    """Put a message at the end, joined with a last one of its role; one without content is left out."""
    if messages and messages[-1].role == message.role:
        messages[-1] = Message(message.role, messages[-1].content + message.content)
    elif message.content:
        messages.append(message)


def for_provider(
    messages: Sequence[Message], go_on: str, provider: str = "", *, calls: bool = True
) -> list[ApiMessage]:
    """The messages as a provider takes them: two roles in turn, ending with the user.

    `go_on` are the words of the user that are added where the assistant spoke last; they are stored nowhere.
    Blocks that another provider than `provider` gave become text, and so do results of calls that are not
    among the messages any more. Every call of `provider` is answered first thing in the message that follows it:
    one of which nothing came was not carried out. Without `calls` (to a model that is offered no tools) only what
    the provider made of older messages stays as it was given.
    """
    called = {
        block.call
        for message in messages
        for block in message.content
        if isinstance(block, GivenBlock) and _stays(block, provider, calls) and block.call
    }
    joined: list[tuple[ApiRole, list[Block]]] = []
    for message in messages:
        role: ApiRole = "assistant" if message.role in ("assistant", "command") else "user"
        blocks = [plain for block in message.content for plain in _plain(block, provider, called, calls)]
        if joined and joined[-1][0] == role:
            joined[-1][1].extend(blocks)
        elif blocks:
            joined.append((role, blocks))
    if joined and joined[-1][0] == "assistant":
        joined.append(("user", [] if calls_in(joined[-1][1]) else [TextBlock(go_on)]))
    return _answered([ApiMessage(role, tuple(blocks)) for role, blocks in joined])


def _answered(messages: Sequence[ApiMessage]) -> list[ApiMessage]:
    """The messages with an answer to each call where providers want it; answers elsewhere become text."""
    told: list[ApiMessage] = []
    calls: tuple[str, ...] = ()
    for message in messages:
        if message.role == "user":
            given = {block.call: block for block in message.content if isinstance(block, ResultBlock)}
            answers: list[Block] = [
                given.get(call, ResultBlock(call, (UNANSWERED,), error=True)) for call in calls
            ]
            rest = [plain for block in message.content if block not in answers for plain in _unpaired(block)]
            message = ApiMessage("user", (*answers, *rest))
        calls = calls_in(message.content)
        told.append(message)
    return told


def calls_in(blocks: Iterable[Block]) -> tuple[str, ...]:
    """The ids under which results are expected, in order."""
    return tuple(block.call for block in blocks if isinstance(block, GivenBlock) and block.call)


def _unpaired(block: Block) -> tuple[Block, ...]:
    return block.content if isinstance(block, ResultBlock) else (block,)


def _stays(block: GivenBlock, provider: str, calls: bool) -> bool:
    return block.provider == provider and (calls or block.is_compaction)


def _plain(block: Block, provider: str, called: set[str], calls: bool) -> tuple[Block, ...]:
    match block:
        case GivenBlock() if not _stays(block, provider, calls):
            return (TextBlock(block.text),) if block.text else ()
        case ResultBlock() if block.call not in called:
            return block.content
    return (block,)


def inline(blocks: Iterable[Block]) -> Iterator[TextBlock | PictureBlock]:
    """The words and pictures in the blocks, for a model that knows no calls: results and given blocks become those."""
    for block in blocks:
        match block:
            case TextBlock() | PictureBlock():
                yield block
            case GivenBlock() if block.text:
                yield TextBlock(block.text)
            case ResultBlock():
                yield from block.content


def text_of(messages: Iterable[Message | ApiMessage]) -> str:
    """All words of the messages, a paragraph a block; pictures and blocks without words are left out."""
    return "\n\n".join(text for message in messages for text in texts_in(message.content))


def texts_in(blocks: Iterable[Block]) -> list[str]:
    """The words in the blocks, also those within results; what a provider gave in the words for others."""
    found: list[str] = []
    for block in blocks:
        match block:
            case TextBlock() | GivenBlock():
                found += [block.text] if block.text else []
            case ResultBlock():
                found += texts_in(block.content)
    return found


def count_words(message: Message) -> int:
    """The number of words in a message, as spaces cut them."""
    return sum(len(text.split()) for text in texts_in(message.content))
