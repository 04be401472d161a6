"""What is seen, as text: for models without eyes, and beside the picture for those with."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from desktop_agent.protocol.geometry import Rect
from desktop_agent.vision.observation import Element, Observation

BUDGET = 12_000
"""Characters; about 4,000 tokens."""

_NAME = 120
_VALUE = 200
_SECTION = 4_000
_WINDOWS = 12
_CHECKABLE = frozenset(("check box", "check menu item", "radio button", "radio menu item", "switch"))
_TOLD_STATES = ("focused", "checked", "selected", "expanded", "pressed")


def describe_observation(observation: Observation, budget: int = BUDGET) -> str:
    """Windows, elements and text sections in at most `budget` characters; coordinates in picture pixels.

    What does not fit is left out from the end, and a line says how much.
    """
    head = "\n".join(_head(observation))
    sections = "".join(_sections(observation.texts, (budget - len(head)) // 2))
    left = budget - len(head) - len(sections) - 1
    return head + "\n" + _fitting(list(_element_lines(observation)), left) + sections


def _head(observation: Observation) -> Iterator[str]:
    size = observation.viewport.image
    yield f"Picture: {size.width}x{size.height}"
    yield f"Active window: {_quoted(observation.window, _NAME) if observation.window else 'none'}"
    others = [title for title in observation.windows if title != observation.window]
    if others:
        more = f" and {len(others) - _WINDOWS} more" if len(others) > _WINDOWS else ""
        yield "Other windows: " + ", ".join(_quoted(title, _NAME) for title in others[:_WINDOWS]) + more
    if observation.changed:
        yield f"Since the last look: {observation.changed}"


def _element_lines(observation: Observation) -> Iterator[str]:
    """A heading a window, the active one first, then a line an element."""
    placed = [(each, observation.viewport.rect_to_image(each.bounds)) for each in observation.elements]
    visible = [(each, rect) for each, rect in placed if not rect.empty]
    if not visible:
        yield "No elements are known; go by the picture."
    groups: dict[tuple[str, str], list[tuple[Element, Rect]]] = {}
    for element, rect in visible:
        groups.setdefault((element.window, element.source), []).append((element, rect))
    for window, source in sorted(groups, key=lambda key: (key[1] == "ocr", key[0] != observation.window)):
        yield _heading(window, source, groups[window, source])
        for element, rect in groups[window, source]:
            yield _line(element, rect)


def _heading(window: str, source: str, group: Sequence[tuple[Element, Rect]]) -> str:
    if source == "ocr":
        return "Text read from the picture:"
    application = group[0][0].application
    return f"In window {_quoted(window, _NAME)}" + (f" ({application}):" if application else ":")


def _line(element: Element, rect: Rect) -> str:
    parts = [element.id, element.role]
    if element.name:
        parts.append(_quoted(element.name, _NAME))
    if element.value:
        parts.append(f"= {_quoted(element.value, _VALUE)}")
    parts.append(f"{rect.x},{rect.y} {rect.width}x{rect.height}")
    if states := _states(element):
        parts.append(f"[{', '.join(states)}]")
    return " ".join(parts)


def _states(element: Element) -> list[str]:
    told = [state for state in _TOLD_STATES if state in element.states]
    if element.role in _CHECKABLE and "checked" not in element.states:
        told.append("not checked")
    if "enabled" not in element.states:
        told.append("disabled")
    return told


def _quoted(text: str, limit: int) -> str:
    """On one line, in double quotes; a long text says how many characters follow."""
    shown, rest = text[:limit], len(text) - limit
    shown = shown.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n").replace("\t", "\\t")
    return f'"{shown}"' + (f"… ({rest} more characters)" if rest > 0 else "")


def _fitting(lines: list[str], budget: int) -> str:
    note = "… {} more lines left out; use look on a region to see more."
    used, kept = len(note) + 8, 0
    for line in lines:
        used += len(line) + 1
        if used > budget:
            break
        kept += 1
    if kept < len(lines):
        lines = [*lines[:kept], note.format(len(lines) - kept)]
    return "\n".join(lines)


def _sections(texts: dict[str, str], budget: int) -> Iterator[str]:
    """The end of a long text counts: that is where a terminal writes."""
    limit = min(_SECTION, max(200, budget // max(1, len(texts)) - 100))
    for title, text in texts.items():
        cut = len(text) - limit
        note = f"… ({cut} characters before this left out)\n" if cut > 0 else ""
        yield f"\n\n{title}:\n{note}{text[-limit:]}"
