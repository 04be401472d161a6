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
- `schema(operations: Iterable[str]) -> dict`: the JSON Schema of the text. Only for a text that is JSON:
  servers hold the model to it. Without one they are asked for plain text;
- `NoteStream(on_note)`: reads the note out of a text that comes in pieces. Without one the note is shown
  when the answer is complete;
- `messages(text: str) -> tuple[Message, ...]`: what the text becomes in the conversation: its thoughts as the
  assistant's, its operations as commands. Without one all of it is the assistant's.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import ModuleType
from typing import Any, Protocol

from desktop_agent.protocol.chat_messages import Message, words_of
from desktop_agent.protocol.errors import BadReply, Problem
from desktop_agent.protocol.reply import Reply, check, plain

MAX_REPLY_BYTES = 1_000_000


class Unreadable(ValueError):
    """The text is not of the dialect's form; the message says where it is not."""


class NoteReader(Protocol):
    """Reads the note of a reply out of pieces of its text."""

    @property
    def started(self) -> bool:
        """True once a piece of the note was passed on."""

    def feed(self, piece: str) -> None:
        """Read on; passes on what of the note this piece completes."""


@dataclass(frozen=True)
class Dialect:
    """The functions of a dialect's module; `schema` is None where the text is not JSON."""

    name: str
    parse: Callable[[bytes], object]
    prompt: Callable[[Sequence[str], int], str]
    reminder: str
    schema: Callable[[Iterable[str]], Mapping[str, Any]] | None
    note_reader: Callable[[Callable[[str], None]], NoteReader]
    messages: Callable[[str], tuple[Message, ...]]

    def decode(self, text: str | bytes, allowed: Iterable[str] | None = None) -> Reply:
        """A model's text as a Reply; `allowed` limits the operations by name.

        Raises BadReply with every problem and its path, `$` for the text as a whole.
        """
        raw = text.encode("utf-8", "surrogatepass") if isinstance(text, str) else text
        if len(raw) > MAX_REPLY_BYTES:
            words = f"the reply has {len(raw)} bytes; at most {MAX_REPLY_BYTES} are read"
            raise BadReply((Problem("$", words),), "")
        shown = raw.decode("utf-8", "replace")
        try:
            data = self.parse(raw)
        except RecursionError as error:
            raise BadReply((Problem("$", "the reply is nested too deeply"),), shown) from error
        except ValueError as error:
            raise BadReply((Problem("$", plain(str(error))),), shown) from error
        return check(data, allowed, shown)


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
