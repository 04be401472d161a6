"""Values in tables, and beside or below their labels."""

from __future__ import annotations

from collections.abc import Sequence

from desktop_agent.llm.offline.boxes import is_editable
from desktop_agent.llm.offline.likeness import likeness, plain
from desktop_agent.vision.observation import Element

_ALIKE = 80.0
_PLACES = frozenset(("table cell", "table column header", "table row header", "column header", "row header", "static", "label",
                     "text", "link", "heading", "list item", "description term", "description value", "definition"))  # fmt: skip


def value_of(name: str, things: Sequence[Element]) -> str | None:
    """What stands beside the label of that name (or under it, as the head of a column); None when nothing does."""
    for label in _labels(name, things):
        inside = _after_colon(label.name, name)
        if inside:
            return inside
        beside = _right_of(label, things) or _below(label, things)
        if beside is not None:
            return beside.value or beside.name
    return None


def crossing(row: str, column: str, things: Sequence[Element]) -> str | None:
    """What stands where the row with one name and the column with another meet."""
    for first in _labels(row, things):
        for head in _labels(column, things):
            found = [e for e in things if e is not first and _in_line(e, first) and _in_column(e, head)]
            if found:
                return found[0].value or found[0].name
    return None


def _labels(name: str, things: Sequence[Element]) -> list[Element]:
    scored = [(likeness(name, e.name.partition(":")[0]), e) for e in things if e.role in _PLACES and e.name]
    good = [(score, e) for score, e in scored if score >= _ALIKE]
    cells = sorted(good, key=lambda pair: (-pair[0], "table" not in pair[1].role))
    return [e for _, e in cells]


def _after_colon(text: str, name: str) -> str:
    """ "Total: 42" says its value itself."""
    head, _, tail = text.partition(":")
    return tail.strip() if plain(head) == plain(name) else ""


def _right_of(label: Element, things: Sequence[Element]) -> Element | None:
    line = [
        e for e in things if e is not label and _in_line(e, label) and e.bounds.x >= label.bounds.right - 4
    ]
    shown = [e for e in line if (e.value or e.name) and (e.role in _PLACES or is_editable(e))]
    return min(shown, key=lambda e: e.bounds.x, default=None)


def _below(label: Element, things: Sequence[Element]) -> Element | None:
    column = [
        e for e in things if e is not label and _in_column(e, label) and e.bounds.y >= label.bounds.bottom - 4
    ]
    shown = [e for e in column if (e.value or e.name) and e.role in _PLACES]
    return min(shown, key=lambda e: e.bounds.y, default=None)


def _in_line(one: Element, other: Element) -> bool:
    return one.bounds.y < other.bounds.center.y < one.bounds.bottom


def _in_column(one: Element, head: Element) -> bool:
    return one.bounds.x < head.bounds.center.x < one.bounds.right
