"""Reads the text of a command; what is wrong with one says what was expected."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from desktop_agent.extras.project.orchestrator.editing.parts import (
    FilePart,
    Holding,
    Lines,
    Named,
    Whole,
    joined,
)
from desktop_agent.extras.project.orchestrator.editing.text_file import EditRefused

_STEP = 20
"""Lines that scroll moves unless told."""
_WORD = re.compile(r"""\s*("[^"]*"|'[^']*'|\S+)""")
_QUOTED = re.compile(r"""(?P<quote>["'])(?P<text>(?:(?!(?P=quote)).)+)(?P=quote)(?:\s+(?P<rest>\S+))?\s*""")
_LINES = re.compile(r"(\d{1,9})(?:-(\d{1,9}))?")
_LEAST = 7
"""Signs of a marker at least."""


@dataclass(frozen=True)
class EditorCommand:
    """What is to be done."""


@dataclass(frozen=True)
class OpenView(EditorCommand):
    """View a part of a file."""

    path: str
    part: FilePart


@dataclass(frozen=True)
class GotoDefinition(EditorCommand):
    """Find a definition, in one file or folder where told, and view it."""

    name: str
    path: str | None


@dataclass(frozen=True)
class Search(EditorCommand):
    """List the lines that hold the text; `words` is the text where its last word is no glob."""

    text: str
    glob: str | None
    words: str


@dataclass(frozen=True)
class ScrollView(EditorCommand):
    """Move a view down, up where negative."""

    number: int
    lines: int


@dataclass(frozen=True)
class Close(EditorCommand):
    """Close one view, all where None."""

    number: int | None


@dataclass(frozen=True)
class Create(EditorCommand):
    """Make a file."""

    path: str
    text: tuple[str, ...]


@dataclass(frozen=True)
class Insert(EditorCommand):
    """Put lines before a line."""

    path: str
    line: int
    text: tuple[str, ...]


@dataclass(frozen=True)
class ReplacePart(EditorCommand):
    """Put lines in the place of lines or of a definition."""

    path: str
    part: Lines | Named
    text: tuple[str, ...]


@dataclass(frozen=True)
class ReplaceText(EditorCommand):
    """Put new text in the place of old."""

    path: str
    old: tuple[str, ...]
    new: tuple[str, ...]


@dataclass(frozen=True)
class Undo(EditorCommand):
    """Take back the last change, of this file where told."""

    path: str | None


def parse(command: str) -> EditorCommand:
    """The command that this text is; refused, with what was expected, where it is none."""
    first, _, text = command.replace("\r\n", "\n").lstrip("\n").partition("\n")
    word, rest = _first_word(first)
    reader = _READERS.get(word)
    if reader is None:
        known = joined(_READERS)
        raise EditRefused(f"unknown command {word}" if word else "there is no command", f"expected {known}")
    lines = tuple(text.split("\n")[: -1 if text.endswith("\n") else None]) if text else ()
    return reader(rest, lines)


def _first_word(line: str) -> tuple[str, str]:
    """The first word without its quotes, and what follows it; "" where there is none."""
    match = _WORD.match(line)
    if match is None:
        return "", ""
    word = match[1]
    quoted = len(word) > 1 and word[0] in "\"'" and word[-1] == word[0]
    return word[1:-1] if quoted else word, line[match.end() :].strip()


def _path(line: str, form: str) -> tuple[str, str]:
    path, rest = _first_word(line)
    if not path:
        raise EditRefused("a path is missing", f"expected {form}")
    return path, rest


def _alone(lines: Sequence[str], form: str) -> None:
    """Refuses text behind a command that takes none."""
    if any(line.strip() for line in lines):
        raise EditRefused(
            "this command takes no text on further lines", f"expected one command, {form}, alone"
        )


def _read_open(line: str, lines: Sequence[str]) -> EditorCommand:
    form = "open PATH, with behind it nothing, A-B, function NAME, class NAME or search TEXT"
    _alone(lines, form)
    path, rest = _path(line, form)
    word, about = _first_word(rest)
    if not word:
        return OpenView(path, Whole())
    if word == "search" and about:
        return OpenView(path, Holding(_unquoted(about)))
    part = _part(word, about)
    if part is None:
        raise EditRefused(
            f"what follows {path} is not known: {rest}", f"expected {form} (a path with blanks in quotes)"
        )
    return OpenView(path, part)


def _part(word: str, about: str) -> Lines | Named | None:
    match = _LINES.fullmatch(word)
    if match is not None and not about:
        first, last = int(match[1]), int(match[2] or match[1])
        if not 1 <= first <= last:
            raise EditRefused(f"there are no lines {word}", "expected A-B, A of 1 or more and not above B")
        return Lines(first, last)
    if word in ("function", "class") and len(about.split()) == 1:
        return Named(word, about.replace("::", ".").removesuffix("()"))
    return None


def _unquoted(text: str) -> str:
    match = _QUOTED.fullmatch(text)
    return match["text"] if match is not None and match["rest"] is None else text


def _read_goto(line: str, lines: Sequence[str]) -> EditorCommand:
    form = "goto_definition NAME, with behind it nothing or a PATH"
    _alone(lines, form)
    name, rest = _first_word(line)
    path, more = _first_word(rest)
    if not name or more:
        raise EditRefused("one name and at most one path can be given", f"expected {form}")
    return GotoDefinition(name.replace("::", ".").removesuffix("()"), path or None)


def _read_search(line: str, lines: Sequence[str]) -> EditorCommand:
    form = "search TEXT, with behind it nothing or a GLOB such as *.py"
    _alone(lines, form)
    words = line.strip()
    if not words:
        raise EditRefused("the text to search is missing", f"expected {form}")
    match = _QUOTED.fullmatch(words)
    if match is not None:
        return Search(match["text"], match["rest"], match["text"] if match["rest"] is None else "")
    text, _, last = words.rpartition(" ")
    return Search(text.rstrip(), last, words) if text else Search(words, None, words)


def _read_scroll(line: str, lines: Sequence[str]) -> EditorCommand:
    form = "scroll N up or scroll N down, with behind it nothing or a number of lines"
    _alone(lines, form)
    match = re.fullmatch(r"(\d{1,6})\s+(up|down)(?:\s+(\d{1,6}))?", line.strip())
    if match is None or match[3] == "0":
        raise EditRefused("this does not say what to scroll", f"expected {form}")
    step = int(match[3] or _STEP)
    return ScrollView(int(match[1]), step if match[2] == "down" else -step)


def _read_close(line: str, lines: Sequence[str]) -> EditorCommand:
    form = "close N, the number of a view, or close all"
    _alone(lines, form)
    word = line.strip()
    if word == "all":
        return Close(None)
    if not re.fullmatch(r"\d{1,6}", word):
        raise EditRefused("this does not say what to close", f"expected {form}")
    return Close(int(word))


def _read_create(line: str, lines: Sequence[str]) -> EditorCommand:
    form = "create PATH and on further lines the text"
    path, rest = _path(line, form)
    if rest:
        raise EditRefused(
            f"something follows the path: {rest}", f"expected {form} (a path with blanks in quotes)"
        )
    return Create(path, tuple(lines))


def _read_insert(line: str, lines: Sequence[str]) -> EditorCommand:
    form = "insert PATH LINE and on further lines the text"
    path, rest = _path(line, form)
    if not re.fullmatch(r"\d{1,9}", rest):
        raise EditRefused("the number of a line is missing behind the path", f"expected {form}")
    if not lines:
        raise EditRefused("there is no text to insert", f"expected {form}")
    return Insert(path, int(rest), tuple(lines))


def _read_replace(line: str, lines: Sequence[str]) -> EditorCommand:
    form = "replace PATH, behind it nothing, A-B, function NAME or class NAME, and on further lines the text"
    path, rest = _path(line, form)
    word, about = _first_word(rest)
    if not word:
        return _marked(path, lines)
    part = _part(word, about)
    if part is None:
        raise EditRefused(
            f"what follows {path} is not known: {rest}", f"expected {form} (a path with blanks in quotes)"
        )
    return ReplacePart(path, part, tuple(lines))


def _marked(path: str, lines: Sequence[str]) -> EditorCommand:
    """Old and new text between markers of one length."""
    form = (
        "a line <<<<<<<, the old text, a line =======, the new text, a line >>>>>>> (each of 7 or more signs)"
    )
    marked = [line.rstrip() for line in lines]
    while marked and not marked[-1]:
        marked.pop()
    size = len(marked[0]) if marked and set(marked[0]) == {"<"} else 0
    if size < _LEAST:
        raise EditRefused("the text does not begin with a marker", f"expected {form}")
    middle = [index for index, line in enumerate(marked) if line == "=" * size]
    ends = [index for index, line in enumerate(marked) if line == ">" * size]
    begins = [index for index, line in enumerate(marked) if line == "<" * size]
    if not middle or not ends or ends[-1] != len(marked) - 1:
        raise EditRefused(
            f"markers of {size} signs are missing or something follows the last", f"expected {form}"
        )
    if len(middle) + len(ends) + len(begins) > 3 or middle[0] > ends[0]:
        raise EditRefused(
            f"a marker of {size} signs stands there twice",
            "expected one replacement; where the text itself holds such lines, use longer markers",
        )
    return ReplaceText(path, tuple(lines[1 : middle[0]]), tuple(lines[middle[0] + 1 : ends[0]]))


def _read_undo(line: str, lines: Sequence[str]) -> EditorCommand:
    form = "undo, with behind it nothing or a PATH"
    _alone(lines, form)
    path, rest = _first_word(line)
    if rest:
        raise EditRefused(
            f"something follows the path: {rest}", f"expected {form} (a path with blanks in quotes)"
        )
    return Undo(path or None)


_READERS: dict[str, Callable[[str, Sequence[str]], EditorCommand]] = {
    "open": _read_open,
    "goto_definition": _read_goto,
    "search": _read_search,
    "scroll": _read_scroll,
    "close": _read_close,
    "create": _read_create,
    "insert": _read_insert,
    "replace": _read_replace,
    "undo": _read_undo,
}
