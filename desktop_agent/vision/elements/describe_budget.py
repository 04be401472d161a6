"""Chooses which element lines fit a character budget: elements to act on come before texts to read."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from desktop_agent.vision.observation import Element

_NOTE = "… {} more lines left out; use look on a region to see more."

# A click on these does nothing, unless they can have the focus.
_TEXTS = frozenset((
    "block quote", "caption", "column header", "description term", "description value", "footer", "form", "grouping",
    "header", "heading", "image", "label", "landmark", "list", "log", "marquee", "notification", "panel", "paragraph",
    "progress bar", "row header", "section", "static", "status bar", "subscript", "superscript", "table", "title bar",
))  # fmt: skip
_CELLS = frozenset(("list item", "table cell", "table row"))
_ACTIVE = frozenset(("editable", "focusable", "focused", "selected", "expanded", "checked", "pressed"))


class Line(NamedTuple):
    """A line of the description; `plain` when its element is only text to read."""

    text: str
    plain: bool


def is_plain(element: Element, by_id: Mapping[str, Element]) -> bool:
    """True when the element is only text to read. Cells count on web pages only: in programs they can be selected."""
    if element.source == "ocr" or element.states & _ACTIVE:
        return False
    return element.role in _TEXTS or (element.role in _CELLS and _in_page(element, by_id))


def _in_page(element: Element, by_id: Mapping[str, Element]) -> bool:
    passed: set[str] = set()
    each: Element | None = element
    while each is not None and each.id not in passed:
        if each.role.startswith("document"):
            return each.role != "document spreadsheet"
        passed.add(each.id)
        each = by_id.get(each.parent)
    return False


def repeated_labels(elements: Sequence[Element]) -> Iterator[str]:
    """Ids of texts that only repeat the name of the control directly inside them (a label around its box)."""
    by_id = {each.id: each for each in elements}
    for element in elements:
        around = by_id.get(element.parent)
        if around is None or around.name != element.name or around.value:
            continue
        if is_plain(around, by_id) and not is_plain(element, by_id):
            yield around.id


def blank_cells(elements: Sequence[Element]) -> Iterator[str]:
    """Ids of the empty spreadsheet cells to the right of or below all filled cells: nearly all of a sheet."""
    sheets: dict[str, list[Element]] = {}
    by_id = {each.id: each for each in elements}
    for element in elements:
        table = by_id.get(element.parent)
        around = by_id.get(table.parent) if table else None
        if element.role == "table cell" and around and around.role == "document spreadsheet":
            sheets.setdefault(element.parent, []).append(element)
    for cells in sheets.values():
        written = [each.bounds for each in cells if each.value or "focused" in each.states]
        right = max((each.right for each in written), default=cells[0].bounds.right)
        bottom = max((each.bottom for each in written), default=cells[0].bounds.bottom)
        for each in cells:
            if not each.value and (each.bounds.x > right or each.bounds.y > bottom):
                yield each.id


def fit_lines(lines: Sequence[Line], budget: int) -> str:
    """The lines in order in at most `budget` characters, plain ones dropped first; a last line says how many are missing."""
    if sum(len(line.text) + 1 for line in lines) <= budget:
        return "\n".join(line.text for line in lines)
    left = budget - len(_NOTE) - 8
    needed, left = _first([i for i, line in enumerate(lines) if not line.plain], lines, left)
    texts, _ = _first([i for i, line in enumerate(lines) if line.plain], lines, left)
    kept = [lines[index].text for index in sorted(needed + texts)]
    return "\n".join([*kept, _NOTE.format(len(lines) - len(kept))])


def _first(indexes: Sequence[int], lines: Sequence[Line], room: int) -> tuple[list[int], int]:
    """The first of the indexes whose lines fit into `room` characters, and the room left."""
    for count, index in enumerate(indexes):
        if len(lines[index].text) + 1 > room:
            return list(indexes[:count]), 0
        room -= len(lines[index].text) + 1
    return list(indexes), room
