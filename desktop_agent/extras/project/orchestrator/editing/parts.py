"""What of a file is meant: all of it, lines, a definition, or the lines that hold a text."""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from dataclasses import dataclass

from desktop_agent.extras.project.orchestrator.editing.definitions import Definition
from desktop_agent.extras.project.orchestrator.editing.outline import Outlines
from desktop_agent.extras.project.orchestrator.editing.text_file import EditRefused, TextFile

Range = tuple[int, int]
"""The first and the last line."""
_AROUND = 2
"""Lines shown before and after a line that holds the text."""
_NAMED = 12
"""Names told at most in one refusal."""


class NotThere(EditRefused):
    """The file holds no such part."""


class NoHit(EditRefused):
    """No line holds the text."""


class Unparsed(EditRefused):
    """The file cannot be parsed, so that its definitions are not known."""


@dataclass(frozen=True)
class FilePart:
    """Something of a file that is found anew each time."""

    def heading(self) -> str:
        """How it is called behind the path of a view's heading."""
        raise NotImplementedError

    def headed(self, place: str) -> str:
        """The same with where it is, "" where that is not known."""
        return f"{self.heading()}, {place}" if place else self.heading()

    def also(self, file: TextFile, outlines: Outlines) -> str:
        """A sentence on what else of the file is called so, "" for nothing."""
        del file, outlines
        return ""

    def subject(self, path: str) -> str:
        """How it is called in a sentence."""
        return path

    def ranges(self, file: TextFile, outlines: Outlines) -> list[Range]:
        """The lines it is in now; none for an empty file. Raises EditRefused where the file does not hold it."""
        raise NotImplementedError


@dataclass(frozen=True)
class Whole(FilePart):
    """All of the file."""

    def heading(self) -> str:
        """See FilePart."""
        return "whole file"

    def ranges(self, file: TextFile, outlines: Outlines) -> list[Range]:
        """See FilePart."""
        del outlines
        return [(1, len(file.lines))] if file.lines else []


@dataclass(frozen=True)
class Lines(FilePart):
    """Lines by their numbers."""

    first: int
    last: int

    def heading(self) -> str:
        """See FilePart."""
        return placed(self.first, self.last)

    def headed(self, place: str) -> str:
        """See FilePart."""
        return place or self.heading()

    def ranges(self, file: TextFile, outlines: Outlines) -> list[Range]:
        """See FilePart."""
        del outlines
        if self.first > len(file.lines):
            raise NotThere(
                f"{file.path} has only {counted(len(file.lines), 'line')}", "expected lines that it has"
            )
        return [(self.first, min(self.last, len(file.lines)))]


@dataclass(frozen=True)
class Named(FilePart):
    """A definition by its kind and name."""

    kind: str
    name: str

    def heading(self) -> str:
        """See FilePart."""
        return f'{self.kind} "{self.name}"'

    def subject(self, path: str) -> str:
        """See FilePart."""
        return f"{self.heading()} of {path}"

    def definitions(self, file: TextFile, outlines: Outlines) -> list[Definition]:
        """All that are called so, at least one."""
        outline = outlines.of(file)
        found = outline.named(self.kind, self.name)
        if found:
            return found
        if outline.error:
            raise Unparsed(
                f"{file.path} cannot be parsed: {outline.error}", "open the whole file or lines of it instead"
            )
        raise NotThere(f"{file.path} has no {self.heading()}", self._instead(outline.names(self.kind)))

    def ranges(self, file: TextFile, outlines: Outlines) -> list[Range]:
        """See FilePart; of several the first."""
        first = self.definitions(file, outlines)[0]
        return [(first.first, first.last)]

    def also(self, file: TextFile, outlines: Outlines) -> str:
        """See FilePart."""
        others = [placed(each.first, each.last) for each in self.definitions(file, outlines)[1:]]
        return f" It is defined again in {joined(others)}, not viewed." if others else ""

    def _instead(self, names: list[str]) -> str:
        if not names:
            return f"it has none of that kind; expected function or class and a name of {self.kind}s in it"
        like = [name for name in names if name.rpartition(".")[2] == self.name.rpartition(".")[2]]
        like = like or difflib.get_close_matches(self.name, names, 3)
        if like:
            return f"expected perhaps {joined(like)}"
        return f"it has {joined(names)}"


@dataclass(frozen=True)
class Holding(FilePart):
    """The lines that hold a text, with some around each."""

    text: str

    def heading(self) -> str:
        """See FilePart."""
        return f'search "{self.text}"'

    def subject(self, path: str) -> str:
        """See FilePart."""
        return f'what of {path} holds "{self.text}"'

    def hits(self, file: TextFile) -> list[int]:
        """The lines that hold it."""
        return [number for number, line in enumerate(file.lines, 1) if self.text in line]

    def ranges(self, file: TextFile, outlines: Outlines) -> list[Range]:
        """See FilePart."""
        del outlines
        found: list[Range] = []
        for hit in self.hits(file):
            first, last = max(1, hit - _AROUND), min(len(file.lines), hit + _AROUND)
            if found and first <= found[-1][1] + 1:
                found[-1] = (found[-1][0], last)
            else:
                found.append((first, last))
        if not found:
            raise NoHit(f'no line of {file.path} holds "{self.text}"')
        return found


def counted(number: int, noun: str) -> str:
    """`1 line`, `2 lines`."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def placed(first: int, last: int) -> str:
    """`line 4`, `lines 4-6`."""
    return f"line {first}" if first == last else f"lines {first}-{last}"


def joined(words: Iterable[str], most: int = _NAMED) -> str:
    """`a, b and c`; of many the first, with how many more there are."""
    listed = list(words)
    if len(listed) > most:
        return f"{', '.join(listed[:most])} and {len(listed) - most:,} more"
    return " and ".join([", ".join(listed[:-1]), listed[-1]] if len(listed) > 1 else listed)
