"""Changes files, and takes changes back."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from desktop_agent.extras.project.orchestrator.editing.outline import Outlines
from desktop_agent.extras.project.orchestrator.editing.parts import Lines, Named, counted, joined, placed
from desktop_agent.extras.project.orchestrator.editing.text_file import EditRefused, ProjectFiles, TextFile

_KEPT = 50
"""Changes that can be taken back."""
_TOLD = 10
"""Places told at most of a text that occurs several times."""


@dataclass(frozen=True)
class TextChange:
    """One change: the bytes before (None for a new file) and after, in words, and the folders made."""

    path: str
    before: bytes | None
    after: bytes
    words: str
    folders: tuple[Path, ...] = ()


@dataclass(frozen=True)
class ChangePlace:
    """Where a text stands: from a character of line `first` to one of line `last`."""

    first: int
    start: int
    last: int
    end: int


class TextChanges:
    """The changes that were made, the last of which can be taken back."""

    def __init__(self, files: ProjectFiles, outlines: Outlines) -> None:
        self._files = files
        self._outlines = outlines
        self._made: deque[TextChange] = deque(maxlen=_KEPT)

    def create(self, path: str, lines: Sequence[str]) -> str:
        """Makes a file of these lines."""
        name = self._files.name(path)
        data = TextFile(name, tuple(lines), ("\n",) * len(lines)).data()
        folders = self._files.create(name, data)
        self._made.append(TextChange(name, None, data, f"the making of {name}", folders))
        return f"Made {name}, {counted(len(lines), 'line')}."

    def insert(self, path: str, line: int, lines: Sequence[str]) -> str:
        """Puts the lines before this one, or behind the last."""
        file = self._files.read(path)
        if not 1 <= line <= len(file.lines) + 1:
            raise EditRefused(
                f"{file.path} has no line {line}", f"expected 1 to {len(file.lines) + 1}; the last appends"
            )
        new = placed(line, line + len(lines) - 1)
        return self._put(file, file.spliced(line, line - 1, lines), f"Inserted {new} in {file.path}.")

    def replace_lines(self, path: str, lines: Lines, new: Sequence[str]) -> str:
        """Puts new lines in the place of these."""
        file = self._files.read(path)
        if lines.last > len(file.lines):
            raise EditRefused(
                f"{file.path} has {counted(len(file.lines), 'line')}, not {lines.last}",
                "expected lines that it has",
            )
        return self._splice(file, lines, new)

    def replace_definition(self, path: str, named: Named, new: Sequence[str]) -> str:
        """Puts new lines in the place of the definition, which must be the only one of its name."""
        file = self._files.read(path)
        found = named.definitions(file, self._outlines)
        places = joined(placed(each.first, each.last) for each in found)
        if len(found) > 1:
            raise EditRefused(
                f"{named.subject(file.path)} is defined {len(found)} times, in {places}",
                "replace the lines of one of them by their numbers",
            )
        if not found[0].alone:
            raise EditRefused(
                f"{named.subject(file.path)}, {places}, has a syntax error or shares a line with other code",
                "replace its lines by their numbers, or old text by new",
            )
        return self._splice(file, Lines(found[0].first, found[0].last), new)

    def replace_text(self, path: str, old: Sequence[str], new: Sequence[str]) -> str:
        """Puts new text in the place of old, which must occur once: as whole lines, or else within lines."""
        file = self._files.read(path)
        if not any(old):
            raise EditRefused("the old text is empty", "use insert to add lines, or name lines by number")
        places = list(_whole_lines(file, old)) or list(_within_lines(file, old))
        if not places:
            raise EditRefused(f"the old text does not occur in {file.path}", _nearly(file, old))
        if len(places) > 1:
            lines = ", ".join(placed(place.first, place.last) for place in places[:_TOLD])
            more = f" and {len(places) - _TOLD} more" if len(places) > _TOLD else ""
            raise EditRefused(
                f"the old text occurs {len(places)} times in {file.path}: {lines}{more}",
                "take more lines around it into the old text, or name the lines by number",
            )
        place = places[0]
        return self._splice(file, Lines(place.first, place.last), _with_new(file, place, new))

    def undo(self, path: str | None) -> str:
        """Takes back the last change (of this file); refused where the file has changed since."""
        name = None if path is None else self._files.name(path)
        change = next((each for each in reversed(self._made) if name in (None, each.path)), None)
        if change is None:
            of = "" if name is None else f" of {name}"
            raise EditRefused(
                f"there is no change{of} to take back", "undo takes back this editor's changes only"
            )
        if self._files.read_bytes(change.path) != change.after:
            raise EditRefused(
                f"{change.path} has changed since this editor changed it",
                "change it by replace or insert instead",
            )
        if change.before is None:
            self._files.remove(change.path, change.folders)
        else:
            self._files.write(change.path, change.before)
        self._made.remove(change)
        return f"Took back {change.words}."

    def _splice(self, file: TextFile, lines: Lines, new: Sequence[str]) -> str:
        gone = placed(lines.first, lines.last)
        after = file.spliced(lines.first, lines.last, new)
        if not new:
            return self._put(file, after, f"Removed {gone} of {file.path}.")
        now = placed(lines.first, lines.first + len(new) - 1)
        same = now == gone
        return self._put(file, after, f"Replaced {gone} of {file.path}{'' if same else f', now {now}'}.")

    def _put(self, before: TextFile, after: TextFile, told: str) -> str:
        """Writes the file; what is told is followed by where it cannot be parsed any more."""
        old, data = before.data(), after.data()
        if old == data:
            raise EditRefused("nothing would change", "the new text is what stands there already")
        was_broken, error = bool(self._error(before)), self._error(after)
        self._files.write(before.path, data)
        self._made.append(TextChange(before.path, old, data, f'"{told[:-1]}"'))
        return (
            f"{told} It {'still cannot' if was_broken else 'cannot'} be parsed: {error}." if error else told
        )

    def _error(self, file: TextFile) -> str:
        try:
            return self._outlines.of(file).error
        except EditRefused:
            return ""


def _whole_lines(file: TextFile, old: Sequence[str]) -> Iterator[ChangePlace]:
    wanted = tuple(old)
    for first in range(len(file.lines) - len(wanted) + 1):
        if file.lines[first] == wanted[0] and file.lines[first : first + len(wanted)] == wanted:
            last = first + len(wanted)
            yield ChangePlace(first + 1, 0, last, len(file.lines[last - 1]))


def _within_lines(file: TextFile, old: Sequence[str]) -> Iterator[ChangePlace]:
    """Where the old text begins and ends within lines; an empty line of it is a whole one."""
    if len(old) == 1:
        for number, line in enumerate(file.lines, 1):
            start = line.find(old[0])
            while start >= 0:
                yield ChangePlace(number, start, number, start + len(old[0]))
                start = line.find(old[0], start + 1)
        return
    head, middle, tail = old[0], tuple(old[1:-1]), old[-1]
    for first in range(len(file.lines) - len(old) + 1):
        last = first + len(old) - 1
        begin, end = file.lines[first], file.lines[last]
        fits = (begin.endswith(head) if head else not begin) and (end.startswith(tail) if tail else not end)
        if fits and file.lines[first + 1 : last] == middle:
            yield ChangePlace(first + 1, len(begin) - len(head), last + 1, len(tail))


def _with_new(file: TextFile, place: ChangePlace, new: Sequence[str]) -> list[str]:
    """The lines in the place of those of the old text; none where whole lines go."""
    head = file.lines[place.first - 1][: place.start]
    tail = file.lines[place.last - 1][place.end :]
    if not new and not head and not tail:
        return []
    return f"{head}{chr(10).join(new)}{tail}".split("\n")


def _nearly(file: TextFile, old: Sequence[str]) -> str:
    """Where the text would occur but for blanks; else what to do."""
    wanted = [line.strip() for line in old]
    lines = [line.strip() for line in file.lines]
    found = [
        placed(first + 1, first + len(wanted))
        for first in range(len(lines) - len(wanted) + 1)
        if lines[first] == wanted[0] and lines[first : first + len(wanted)] == wanted
    ]
    if found:
        return f"{joined(found, 3)} would be the same but for blanks: copy the old text from the screen"
    return "copy it from the screen, every blank of it"
