"""The views on the screen: each a path and what it shows, found anew in the file on every screen."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import chain

from desktop_agent.extras.project.orchestrator.editing.outline import Outlines
from desktop_agent.extras.project.orchestrator.editing.parts import (
    FilePart,
    Lines,
    NoHit,
    NotThere,
    Range,
    Unparsed,
    counted,
    placed,
)
from desktop_agent.extras.project.orchestrator.editing.text_file import (
    EditRefused,
    Missing,
    ProjectFiles,
    TextFile,
)

MOST_VIEWS = 12
MOST_LINES = 400
_WIDEST = 500
"""Characters shown of one line."""
_OVERHEAD = 3
"""Lines of a view besides what it shows: its heading, the remark that it is cut, the empty line."""
_RANGES_TOLD = 6


@dataclass
class View:
    """One view; `top` is how many of its lines stand above what is shown, `place` where it was last."""

    number: int
    path: str
    part: FilePart
    top: int = 0
    place: str = ""


@dataclass(frozen=True)
class ViewBody:
    """What a view shows now: numbers of lines of the file, and remarks between and instead of them."""

    rows: list[int | str] = field(default_factory=list)
    place: str = ""
    file: TextFile | None = None

    def line(self, row: int | str) -> str:
        """A remark, or the line of this number, cut where it is very long."""
        if isinstance(row, str) or self.file is None:
            return f"({row})"
        line = self.file.lines[row - 1]
        if len(line) <= _WIDEST:
            return line
        return f"{line[:_WIDEST]} (… {counted(len(line) - _WIDEST, 'more character')})"


class Views:
    """The views that are open, by number."""

    def __init__(self, files: ProjectFiles, outlines: Outlines) -> None:
        self._files = files
        self._outlines = outlines
        self._views: list[View] = []

    def open(self, path: str, part: FilePart) -> str:
        """Opens a view and says where; what is viewed already is not viewed twice."""
        file = self._files.read(path)
        path = file.path
        try:
            place = _told(part.ranges(file, self._outlines))
        except NoHit:
            place = "no line now"
        subject = f"{part.subject(path)}, {place}"
        also = part.also(file, self._outlines)
        same = next((view for view in self._views if (view.path, view.part) == (path, part)), None)
        if same is not None:
            return f"Viewed already: {subject} (view {same.number}).{also}"
        if len(self._views) >= MOST_VIEWS:
            raise EditRefused(f"{MOST_VIEWS} views are open", "close one first: close N, or close all")
        view = View(1 + max((view.number for view in self._views), default=0), path, part, place=place)
        self._views.append(view)
        return f"Viewing {subject} (view {view.number}).{also}"

    def close(self, number: int) -> None:
        """Closes this view."""
        self._views.remove(self._numbered(number))

    def close_all(self) -> int:
        """Closes all views; returns how many there were."""
        closed = len(self._views)
        self._views.clear()
        return closed

    def scroll(self, number: int, lines: int) -> str:
        """Moves the view down by so many lines, up where negative; refused where it shows the end already."""
        view = self._numbered(number)
        bodies = [self._body(each) for each in self._views]
        index = self._views.index(view)
        body, height = bodies[index], _heights([len(each.rows) for each in bodies])[index]
        highest = max(0, len(body.rows) - height)
        if not highest and isinstance(view.part, Lines):
            return self._scroll_lines(view, view.part, lines)
        if not highest:
            raise EditRefused(f"view {number} is shown whole", "there is nothing to scroll to")
        before = min(view.top, highest)
        view.top = max(0, min(before + lines, highest))
        if view.top == before:
            raise EditRefused(f"view {number} shows its {'end' if lines > 0 else 'beginning'} already")
        return f"View {number} shows {_extent(body.rows[view.top : view.top + height])} now."

    def screen(self) -> str:
        """All views, each with a heading, its lines and an empty line."""
        bodies = [self._body(view) for view in self._views]
        heights = _heights([len(body.rows) for body in bodies])
        shown = [_shown(view, bodies[i], heights[i]) for i, view in enumerate(self._views)]
        return "\n".join(chain.from_iterable(shown)) or "(no view is open)"

    def _numbered(self, number: int) -> View:
        for view in self._views:
            if view.number == number:
                return view
        there = ", ".join(str(view.number) for view in self._views)
        raise EditRefused(
            f"there is no view {number}",
            f"open views: {there}" if there else "no view is open, open one first",
        )

    def _scroll_lines(self, view: View, part: Lines, lines: int) -> str:
        """Moves the numbers of a view of lines."""
        there = len(self._files.read(view.path).lines)
        least, most = 1 - part.first, max(there - part.last, 0)
        moved = max(least, min(lines, most))
        if not moved:
            end = "end" if lines > 0 else "beginning"
            raise EditRefused(f"view {view.number} shows the {end} of {view.path} already")
        view.part = Lines(part.first + moved, part.last + moved)
        view.top = 0
        return f"View {view.number} shows {placed(part.first + moved, part.last + moved)} of {view.path} now."

    def _body(self, view: View) -> ViewBody:
        """What the view shows now, or why it cannot."""
        try:
            file = self._files.read(view.path)
            ranges = view.part.ranges(file, self._outlines)
        except Unparsed as error:
            known = f"; the last known place was {view.place}" if view.place else ""
            return ViewBody([f"{error.what}{known}"])
        except (Missing, NotThere) as error:
            return ViewBody([f"gone: {error.what}"])
        except NoHit as error:
            return ViewBody([error.what])
        except (EditRefused, OSError) as error:
            return ViewBody([f"cannot be shown: {error}"])
        view.place = _told(ranges)
        return ViewBody(_rows(ranges), view.place, file)


def _rows(ranges: list[Range]) -> list[int | str]:
    rows: list[int | str] = []
    for first, last in ranges:
        if len(ranges) > 1:
            rows.append(placed(first, last))
        rows += range(first, last + 1)
    return rows


def _told(ranges: list[Range]) -> str:
    """Where these lines are, in words."""
    if not ranges:
        return "empty"
    if len(ranges) == 1:
        return placed(*ranges[0])
    parts = [str(first) if first == last else f"{first}-{last}" for first, last in ranges]
    more = f" and {len(parts) - _RANGES_TOLD} more places" if len(parts) > _RANGES_TOLD else ""
    return f"lines {', '.join(parts[:_RANGES_TOLD])}{more}"


def _shown(view: View, body: ViewBody, height: int) -> list[str]:
    view.top = max(0, min(view.top, len(body.rows) - height))
    rows = body.rows[view.top : view.top + height]
    lines = [body.line(row) for row in rows]
    if len(rows) < len(body.rows):
        lines.append(
            f"(cut: only {_extent(rows)} of {body.place}; scroll {view.number} {_ways(view, body, height)})"
        )
    return [f"> {view.path}: {view.part.headed(body.place)} (view {view.number})", *lines, ""]


def _ways(view: View, body: ViewBody, height: int) -> str:
    up, down = view.top > 0, view.top + height < len(body.rows)
    return " or ".join(way for way, there in (("up", up), ("down", down)) if there)


def _extent(rows: list[int | str]) -> str:
    numbers = [row for row in rows if isinstance(row, int)]
    return placed(numbers[0], numbers[-1]) if numbers else "nothing"


def _heights(wanted: list[int]) -> list[int]:
    """How many lines each view gets: what it wants while that is at most an equal share of what is left."""
    left = MOST_LINES - _OVERHEAD * len(wanted)
    given = [0] * len(wanted)
    order = sorted(range(len(wanted)), key=lambda index: wanted[index])
    for position, index in enumerate(order):
        given[index] = min(wanted[index], left // (len(order) - position))
        left -= given[index]
    return given
