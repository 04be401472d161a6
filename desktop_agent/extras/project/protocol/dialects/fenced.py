"""Fenced blocks: a reply is thoughts, and below them one Markdown code block whose language names an environment.

The block's text is the command, letter by letter. A longer fence may hold shorter ones. The languages `done`, `ask` and `fail` end
the task, ask the user, and give up.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import NamedTuple

from desktop_agent.protocol.chat_messages import Message, words_of
from desktop_agent.protocol.dialects.base import Unreadable
from desktop_agent.protocol.reply import short

MAX_ACTIONS = 1
LONG_REPLIES = True
SCREEN_LAST = True
SYSTEM = "environments.md"
OPERATIONS = frozenset(("run", "done", "ask", "fail"))
MAX_NOTE = 4_000
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})[ \t]*(.*?)[ \t]*\Z")
_NAME = re.compile(r"[a-z][a-z0-9_]{0,63}\Z")
_OWN = {"done": "summary", "ask": "question", "fail": "reason"}
"""Languages that are no environment: the operation's field that the block's text is."""
_FORM = """\
Answer with your thoughts (what you saw, what you do next and why), and below them exactly one command in a fenced code block. The
word behind the opening fence names the environment that carries it out:

```bash
ls -al
```

Nothing stands behind the block. What came of the command, and the screen as it is then, is told in the next message. A command that
holds a line of three back-ticks goes into a fence of four or more.

Three words are no environment:
- `done`: the task is finished; the block says in a sentence or two what was reached. Say it only when you have seen that it is so (run
  the tests, read the file): it is checked, and a "done" that nothing shows is refused.
- `ask`: the block is a question to the user, who answers before you go on.
- `fail`: the task cannot be done; the block says why.
"""
REMINDER = "Thoughts, then exactly one fenced block, closed, with the name of an environment (or done, ask, fail) behind its opening fence, and nothing below it."
"""What a model is told when its last answer could not be used."""


class Block(NamedTuple):
    """The text before a block, the word behind its fence, its command, and the block as it stands."""

    before: str
    language: str
    command: str
    text: str


def parse(text: bytes) -> object:
    """The data of the reply that a text is: what is thought is its note. Raises Unreadable where there is not one block, or more around it."""
    found = _only_block(_decoded(text))
    note = found.before.strip()[:MAX_NOTE]
    if field := _OWN.get(found.language):
        return {"notes": note, "actions": [{"op": found.language, field: found.command.strip()}]}
    action = {"op": "run", "environment": found.language, "command": found.command}
    return {"notes": note, "actions": [action]}


def prompt(operations: Sequence[str], max_actions: int) -> str:  # noqa: ARG001 - there is one form
    """What the system prompt says about the form of an answer."""
    return _FORM


def messages(text: str) -> tuple[Message, ...]:
    """What is thought as the assistant's, the block as a command; all of it as the assistant's where there is not one block."""
    try:
        found = _only_block(text)
    except Unreadable:
        return (words_of(text, "assistant"),)
    thoughts = (words_of(found.before, "assistant"),) if found.before.strip() else ()
    return (*thoughts, words_of(found.text, "command"))


class NoteStream:
    """Passes on what is thought before the first fence as it comes; at most MAX_NOTE characters of it."""

    def __init__(self, on_note: Callable[[str], None]) -> None:
        self._on_note = on_note
        self._unread = ""
        self._held = ""
        """Blanks that are passed on with what follows them: the end of a note has none."""
        self._in_line = False
        self._left = MAX_NOTE
        self._over = False

    @property
    def started(self) -> bool:
        """True once a piece of the note was passed on."""
        return self._left < MAX_NOTE

    def feed(self, piece: str) -> None:
        """Read on; passes on what of the note this piece completes."""
        self._unread += piece
        while self._unread and not self._over:
            line, end, rest = self._unread.partition("\n")
            if not self._in_line:
                self._over = bool(end) and _FENCE.match(line.removesuffix("\r")) is not None
                if self._over or (not end and _may_be_fence(line)):
                    return
            self._pass_on(line + end)
            self._in_line, self._unread = not end, rest

    def _pass_on(self, text: str) -> None:
        words = (self._held + text).rstrip() if text.strip() else ""
        self._held = (self._held + text)[len(words) :]
        words = words if self.started else words.lstrip()
        words = words[: self._left]
        if words:
            self._left -= len(words)
            self._on_note(words)


def _may_be_fence(line: str) -> bool:
    """May a line that is not complete open a block?"""
    return line.strip(" ") == "" or line.lstrip(" ")[0] in "`~"


# ---- the block -----------------------------------------------------------------------------------


def _decoded(text: bytes) -> str:
    try:
        return text.decode("utf-8")
    except UnicodeDecodeError as error:
        raise Unreadable(f"the reply is not UTF-8: byte {error.start}") from error


def _only_block(text: str) -> Block:
    """The one block of a text. Raises Unreadable."""
    lines = text.replace("\r\n", "\n").split("\n")
    start = _next_fence(lines, 0)
    if start is None:
        raise Unreadable("there is no fenced block, so nothing was run")
    end = _closing(lines, start)
    if end is None:
        raise Unreadable("the fenced block is not closed, so nothing was run")
    if any(line.strip() for line in lines[end + 1 :]):
        several = _next_fence(lines, end + 1) is not None
        what = "there are several fenced blocks" if several else "something stands below the fenced block"
        raise Unreadable(f"{what}, so nothing was run: one command in a message, and nothing below it")
    language, command = _language(lines[start]), "\n".join(lines[start + 1 : end])
    if not command.strip():
        raise Unreadable("the fenced block is empty")
    return Block("\n".join(lines[:start]), language, command, "\n".join(lines[start : end + 1]))


def _next_fence(lines: Sequence[str], start: int) -> int | None:
    return next((number for number in range(start, len(lines)) if _FENCE.match(lines[number])), None)


def _closing(lines: Sequence[str], start: int) -> int | None:
    """The line that closes the block which this line opens: as many of its signs or more, and nothing else."""
    fence = lines[start].strip()
    sign = fence[0]
    length = len(fence) - len(fence.lstrip(sign))
    for number in range(start + 1, len(lines)):
        line = lines[number].strip()
        if len(line) >= length and not line.strip(sign) and not lines[number].startswith("    "):
            return number
    return None


def _language(line: str) -> str:
    opening = _FENCE.match(line)
    language = opening[2] if opening is not None else ""
    if not language:
        raise Unreadable(
            "the fence names no environment: write its name right behind the opening fence, as in ```bash"
        )
    if not _NAME.match(language):
        raise Unreadable(f"{short(language)} is not the name of an environment")
    return language
