"""Describes an observation as text within a budget: for models without image input, and beside the picture for the others; groups roles of elements."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from desktop_agent.protocol.geometry import Rect
from desktop_agent.vision.observation import Element, Observation

BUDGET = 12_000
"""Characters; about 4,000 tokens."""

SINCE = "Since the last look: "
BEHIND = "The elements below may be older than the picture: something was drawn that they do not tell of yet. Look again."
_NAME = 120
_VALUE_BEGINS, _VALUE_ENDS = 60, 100
_SECTION = 4_000
_QUOTE = "| "
_WINDOWS = 12
_CHECKABLE = frozenset(("check box", "check menu item", "radio button", "radio menu item", "switch"))
_UNSEEN = ", which you are not shown: go by the elements and words that were read from it"
_NOTHING_KNOWN = "No elements are known; go by the picture."
_NOTHING_AT_ALL = "No elements are known, and no words could be read."
_TOLD_STATES = ("focused", "checked", "selected", "expanded", "pressed")


_NOTE = "… {} more lines left out; use look on a region to see more."
# A click on these does nothing, unless they can have the focus.
_TEXTS = frozenset((
    "block quote", "caption", "column header", "description term", "description value", "footer", "form", "grouping",
    "header", "heading", "image", "label", "landmark", "list", "log", "marquee", "notification", "panel", "paragraph",
    "progress bar", "row header", "section", "static", "status bar", "subscript", "superscript", "table", "title bar",
))  # fmt: skip
_CELLS = frozenset(("list item", "table cell", "table row"))
_ACTIVE = frozenset(("editable", "focusable", "focused", "selected", "expanded", "checked", "pressed"))


MESSAGES = frozenset((
    "label", "static", "text label", "heading", "paragraph", "alert", "notification", "status bar", "info bar",
    "tool tip", "image", "section", "panel", "marquee", "caption", "log", "filler", "separator",
))  # fmt: skip
"""Roles of what only says something: a screen may say anything."""
ROWS = frozenset(("list item", "table cell", "tree item", "table row", "row header"))
"""Roles of what lists and tables are made of."""
EDITED = frozenset(("entry", "text", "document text", "spin button", "editbar", "combo box"))
"""Roles of what takes text, or a choice."""
NUMBERS = re.compile(r"\d+(?:[.,:]\d+)*")
"""A number in a name: it may count by itself (a clock, a counter), so names are compared without."""


def describe_observation(observation: Observation, budget: int = BUDGET, *, sees: bool = True) -> str:
    """Windows, elements and text sections in at most `budget` characters; coordinates are picture pixels.

    `sees`: the reader is shown the picture, too; one who is not is told so.
    What does not fit is left out, and a line says how much: first text-only elements from the end, then
    the others from the end.
    """
    head = "\n".join(_head(observation, sees))
    sections = "".join(_sections(observation.texts, (budget - len(head)) // 2))
    left = budget - len(head) - len(sections) - 1
    return head + "\n" + fit_lines(list(_element_lines(observation, sees)), left) + sections


def _head(observation: Observation, sees: bool) -> Iterator[str]:
    size = observation.viewport.image
    yield f"Picture: {size.width}x{size.height}{'' if sees else _UNSEEN}"
    yield f"Active window: {_quoted(observation.window, _NAME) if observation.window else 'none'}"
    others = [title for title in observation.windows if title != observation.window]
    if others:
        more = f" and {len(others) - _WINDOWS} more" if len(others) > _WINDOWS else ""
        yield "Other windows: " + ", ".join(_quoted(title, _NAME) for title in others[:_WINDOWS]) + more
    if observation.changed:
        yield "; ".join(filter(None, (f"{SINCE}{observation.changed}", observation.news)))
    if observation.behind:
        yield BEHIND


def _element_lines(observation: Observation, sees: bool) -> Iterator[Line]:
    """For each window, the active one first, a heading and one line per element."""
    by_id = {each.id: each for each in observation.elements}
    untold = {*repeated_labels(observation.elements), *blank_cells(observation.elements)}
    placed = [(each, observation.viewport.rect_to_image(each.bounds)) for each in observation.elements]
    visible = [(each, rect) for each, rect in placed if not rect.empty]
    if not visible:
        yield Line(_NOTHING_KNOWN if sees else _NOTHING_AT_ALL, plain=False)
    tree = [(element, rect) for element, rect in visible if element.source != "ocr"]
    groups: dict[tuple[str, str], list[tuple[Element, Rect]]] = {}
    for element, rect in visible:
        if element.source != "ocr" or not _told_by(tree, element, rect):
            groups.setdefault((element.window, element.source), []).append((element, rect))
    for window, source in sorted(groups, key=lambda key: (key[1] == "ocr", key[0] != observation.window)):
        yield Line(_heading(window, source, groups[window, source]), plain=False)
        for element, rect in groups[window, source]:
            if element.id not in untold:
                yield Line(_line(element, rect), is_plain(element, by_id))


def _told_by(tree: Sequence[tuple[Element, Rect]], word: Element, place: Rect) -> bool:
    """True when an element at that place already has the word that OCR read there."""
    said = word.name.casefold()
    return any(
        rect.contains(place.center) and said in f"{each.name}\n{each.value}".casefold() for each, rect in tree
    )


def _heading(window: str, source: str, group: Sequence[tuple[Element, Rect]]) -> str:
    if source == "ocr":
        return "Text read from the picture:"
    application = group[0][0].application
    return f"In window {_quoted(window, _NAME)}" + (
        f" ({one_line(application, _NAME)}):" if application else ":"
    )


def _line(element: Element, rect: Rect) -> str:
    parts = [element.id, one_line(element.role, _NAME)]
    if element.name:
        parts.append(_quoted(element.name, _NAME))
    if element.value:
        parts.append(f"= {_quoted_value(element.value)}")
    parts.append(f"{rect.x},{rect.y} {rect.width}x{rect.height}")
    if states := _states(element):
        parts.append(f"[{', '.join(states)}]")
    return " ".join(parts)


def _states(element: Element) -> list[str]:
    told = [state for state in _TOLD_STATES if state in element.states]
    if element.role in _CHECKABLE and "checked" not in element.states:
        told.append("not checked")
    if "password" in element.states:
        told.append("value hidden")
    if "enabled" not in element.states:
        told.append("disabled")
    return told


def one_line(text: str, limit: int) -> str:
    """The first `limit` characters on one line, with quotes escaped, so that screen text cannot imitate our format."""
    text = text[:limit]
    if text.isprintable() and '"' not in text and "\\" not in text:
        return text
    return "".join(map(_escaped, text))


def _quoted(text: str, limit: int) -> str:
    """The text on one line in double quotes; when it is cut, followed by the number of missing characters."""
    rest = len(text) - limit
    return f'"{one_line(text, limit)}"' + (f"… ({rest} more characters)" if rest > 0 else "")


def _quoted_value(text: str) -> str:
    """The text on one line in double quotes; of a long one the beginning and the end, which is where it is written on."""
    rest = len(text) - _VALUE_BEGINS - _VALUE_ENDS
    if rest <= 0:
        return _quoted(text, len(text))
    begins, ends = one_line(text, _VALUE_BEGINS), one_line(text[-_VALUE_ENDS:], _VALUE_ENDS)
    return f'"{begins}"… ({rest} more characters) …"{ends}"'


def _escaped(letter: str) -> str:
    """One character of screen text, escaped so that it cannot imitate our format."""
    if letter in '\\"':
        return "\\" + letter
    if letter.isprintable():
        return letter
    return {"\n": r"\n", "\t": r"\t"}.get(letter, " ")


def _sections(texts: Mapping[str, str], budget: int) -> Iterator[str]:
    """The text sections, quoted; of a long one the end is kept, which is where a terminal writes."""
    share = min(_SECTION, budget // max(1, len(texts)))
    for title, text in texts.items():
        heading = f"\n\n{one_line(title, _NAME)}:\n"
        note = "… ({} characters before this left out)\n"
        limit = share - len(heading) - len(note) - 8
        quoted = _lines(text)
        if len(quoted) <= limit:
            yield heading + quoted
        elif limit > len(_QUOTE):
            kept = quoted[-(limit - len(_QUOTE)) :]
            yield heading + note.format(len(quoted) - len(kept)) + _QUOTE + kept.removeprefix(_QUOTE)


def _lines(text: str) -> str:
    """The text with every line prefixed as a quote, so that none can pass for a heading or an element."""
    return "\n".join(_QUOTE + _printable(line) for line in text.splitlines())


def _printable(line: str) -> str:
    return "".join(letter if letter.isprintable() or letter == "\t" else " " for letter in line)


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
