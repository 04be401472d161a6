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


class ResultBlock(msgspec.Struct, frozen=True, tag_field="type", tag="result", omit_defaults=True):
    """What came of the call `call` of a `GivenBlock`; `accepted`: the human allowed what the provider warned of."""

    call: str
    content: tuple[TextBlock | PictureBlock, ...] = ()
    error: bool = False
    accepted: bool = False


Block: TypeAlias = TextBlock | PictureBlock | GivenBlock | ResultBlock


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
        if joined and joined[-1].role == each.role:
            joined[-1] = Message(each.role, joined[-1].content + each.content)
        elif each.content:
            joined.append(each)
    return tuple(joined)


def for_provider(messages: Sequence[Message], go_on: str, provider: str = "") -> list[ApiMessage]:
    """The messages as a provider takes them: two roles in turn, ending with the user.

    `go_on` are the words of the user that are added where the assistant spoke last; they are stored nowhere.
    Blocks that another provider than `provider` gave become text, and so do results of calls that are not
    among the messages any more.
    """
    called = {
        block.call
        for message in messages
        for block in message.content
        if isinstance(block, GivenBlock) and block.provider == provider and block.call
    }
    joined: list[tuple[ApiRole, list[Block]]] = []
    for message in messages:
        role: ApiRole = "assistant" if message.role in ("assistant", "command") else "user"
        blocks = [plain for block in message.content for plain in _plain(block, provider, called)]
        if joined and joined[-1][0] == role:
            joined[-1][1].extend(blocks)
        elif blocks:
            joined.append((role, blocks))
    if joined and joined[-1][0] == "assistant":
        joined.append(("user", [TextBlock(go_on)]))
    return [ApiMessage(role, tuple(blocks)) for role, blocks in joined]


def _plain(block: Block, provider: str, called: set[str]) -> tuple[Block, ...]:
    match block:
        case GivenBlock() if block.provider != provider:
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
