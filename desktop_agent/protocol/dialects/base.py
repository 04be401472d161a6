"""A dialect: the form in which a reply stands in a model's text.

Adding one is one new file `protocol/dialects/NAME.py`, or a module of an installed package that an entry
point of the group `desktop_agent.dialects` names. It defines

- `parse(text: bytes) -> object`: the text as plain data with the fields of a Reply, operations as in the
  JSON Schema (`{"op": "click", "x": 3, "y": 4}`). Raises Unreadable. The data is checked afterwards
  (protocol/reply.py), so it repairs and guesses nothing;
- `prompt(operations: Sequence[str], max_actions: int) -> str`: what the system prompt says about the form,
  with the operations that may be used (`protocol.schema.describe` lists them);

and, where it can,

- `REMINDER: str`: one or two sentences about the form for a model whose last answer could not be used;
- `schema(operations: Iterable[str], max_actions: int) -> dict`: the JSON Schema of the text. Only for a text that is
  JSON: servers hold the model to it. Without one they are asked for plain text;
- `lacking(text: str) -> tuple[str, ...]`: the fields of a Reply that the form demands and the text, which is
  readable, leaves out. The model is told once; a text without them is still decoded;
- `NoteStream(on_note)`: reads the note out of a text that comes in pieces. Without one the note is shown
  when the answer is complete;
- `messages(text: str) -> tuple[Message, ...]`: what the text becomes in the conversation: its thoughts as the
  assistant's, its operations as commands. Without one all of it is the assistant's;
- `MAX_ACTIONS: int`: the most operations in one reply where no fewer are set, at most `protocol.reply.MOST_ACTIONS`;
- `LONG_REPLIES: bool`: True where no fewer can be set: models of this dialect say in one answer all that comes next;
- `SCREEN_LAST: bool`: True where a request ends with one message that shows the environments as they are, told anew each time,
  and the system prompt lists them; what is beyond the limit is dropped by whole turns, the oldest first;
- `OPERATIONS: frozenset[str]`: the names of the operations it has a form for, where that is not all;
- `SYSTEM: str`: the file in assets/prompts that is the system prompt, where it is not the one for work at a desktop;
- `HOLDS_BUTTONS: bool`: True where a mouse button that is pressed stays down over replies until it is let go of, in any
  place but the user's own screen.

A dialect of a provider's own tools, whose text is the JSON of what the provider gave (`_tool_calls.py` has what
these share), also defines

- `PROVIDER: str`: the `provider` of the models that speak it;
- `tools(operations: Sequence[str]) -> tuple[FunctionTool, ...]`: what is offered beside the provider's own
  computer tool, and `COVERED`, the names of the operations that this one stands for;
- `calls(text: str, max_actions: int) -> tuple[ToolCall, ...]`: which operations of the reply came of which call, in
  order.

Its `parse` takes `max_actions`, too: of an answer with more actions only the first are taken, and `calls` tells it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import ModuleType
from typing import Any, Protocol

from desktop_agent.protocol.chat_messages import Message, words_of
from desktop_agent.protocol.errors import BadReply, Problem
from desktop_agent.protocol.reply import MAX_ACTIONS, MOST_ACTIONS, Reply, check, plain

MAX_REPLY_BYTES = 1_000_000


class Unreadable(ValueError):
    """The text is not of the dialect's form; the message says where it is not."""


@dataclass(frozen=True)
class ToolCall:
    """One call of a tool in a reply: its operations are the `count` from number `first` on.

    `problem` says why it could not be used, or not all of it. `picture`: its answer is a picture of the screen.
    `warnings` are what the provider wants the human to allow before anything of it is done.
    """

    id: str
    first: int
    count: int
    problem: str = ""
    picture: bool = False
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True)
class FunctionTool:
    """A tool that a model may call; `schema` is the strict JSON Schema of its arguments."""

    name: str
    description: str
    schema: Mapping[str, Any]


class NoteReader(Protocol):
    """Reads the note of a reply out of pieces of its text."""

    @property
    def started(self) -> bool:
        """True once a piece of the note was passed on."""

    def feed(self, piece: str) -> None:
        """Read on; passes on what of the note this piece completes."""


def _no_calls(_text: str, _max_actions: int) -> tuple[ToolCall, ...]:
    """For a dialect whose operations are not calls of tools."""
    return ()


def _lacks_nothing(_: str) -> tuple[str, ...]:
    """For a dialect that demands no fields."""
    return ()


@dataclass(frozen=True)
class Dialect:
    """The functions of a dialect's module; `schema` is None where the text is not JSON, `tools` where it calls none."""

    name: str
    parse: Callable[..., object]
    prompt: Callable[[Sequence[str], int], str]
    reminder: str
    schema: Callable[[Iterable[str], int], Mapping[str, Any]] | None
    note_reader: Callable[[Callable[[str], None]], NoteReader]
    messages: Callable[[str], tuple[Message, ...]]
    max_actions: int = MAX_ACTIONS
    long_replies: bool = False
    holds_buttons: bool = False
    screen_last: bool = False
    system: str = "system.md"
    operations: frozenset[str] | None = None
    provider: str = ""
    tools: Callable[[Sequence[str]], tuple[FunctionTool, ...]] | None = None
    covered: frozenset[str] = frozenset()
    calls: Callable[[str, int], tuple[ToolCall, ...]] = _no_calls
    lacking: Callable[[str], tuple[str, ...]] = _lacks_nothing

    def decode(
        self, text: str | bytes, allowed: Iterable[str] | None = None, max_actions: int | None = None
    ) -> Reply:
        """A model's text as a Reply; `allowed` limits the operations by name, `max_actions` their number.

        More operations are a problem; of more calls of tools the first are taken. Raises BadReply with every problem and its path, `$` for the text as a whole.
        """
        raw = text.encode("utf-8", "surrogatepass") if isinstance(text, str) else text
        if len(raw) > MAX_REPLY_BYTES:
            words = f"the reply has {len(raw)} bytes; at most {MAX_REPLY_BYTES} are read"
            raise BadReply((Problem("$", words),), "")
        shown = raw.decode("utf-8", "replace")
        try:
            most = self.max_actions if max_actions is None else min(max_actions, self.max_actions)
            data = self.parse(raw) if self.tools is None else self.parse(raw, most)
        except RecursionError as error:
            raise BadReply((Problem("$", "the reply is nested too deeply"),), shown) from error
        except ValueError as error:
            raise BadReply((Problem("$", plain(str(error))),), shown) from error
        return check(data, allowed, shown, most if self.tools is None else self.max_actions)


def dialect_of(name: str, module: ModuleType) -> Dialect:
    """The dialect that a module defines."""
    return Dialect(
        name=name,
        parse=module.parse,
        prompt=module.prompt,
        reminder=getattr(module, "REMINDER", "Exactly in the form you were told, and nothing around it."),
        schema=getattr(module, "schema", None),
        note_reader=getattr(module, "NoteStream", _NoNotes),
        messages=getattr(module, "messages", assistant_said),
        max_actions=min(getattr(module, "MAX_ACTIONS", MAX_ACTIONS), MOST_ACTIONS),
        long_replies=getattr(module, "LONG_REPLIES", False),
        holds_buttons=getattr(module, "HOLDS_BUTTONS", False),
        screen_last=getattr(module, "SCREEN_LAST", False),
        system=getattr(module, "SYSTEM", "system.md"),
        operations=getattr(module, "OPERATIONS", None),
        provider=getattr(module, "PROVIDER", ""),
        tools=getattr(module, "tools", None),
        covered=getattr(module, "COVERED", frozenset()),
        calls=getattr(module, "calls", _no_calls),
        lacking=getattr(module, "lacking", _lacks_nothing),
    )


def assistant_said(text: str) -> tuple[Message, ...]:
    """The whole text as the assistant's words."""
    return (words_of(text, "assistant"),)


class _NoNotes:
    """For a dialect whose notes cannot be read before the answer is complete."""

    started = False

    def __init__(self, on_note: Callable[[str], None]) -> None:
        pass

    def feed(self, piece: str) -> None:
        pass
