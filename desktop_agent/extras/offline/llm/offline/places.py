"""Where elements lie to each other: labels, distances, reading order."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from desktop_agent.extras.offline.llm.offline.intents import Side
from desktop_agent.vision.observation import Element

_FAR = 100_000.0


def labels(boxes: Sequence[Element], texts: Iterable[Element]) -> dict[str, tuple[str, ...]]:
    """The texts that label each box by their place: each text labels the one box it is nearest to."""
    found: dict[str, list[tuple[float, str]]] = {box.id: [] for box in boxes}
    for text in texts:
        ranked = sorted((d, box.id) for box in boxes if (d := _label_distance(box, text)) is not None)
        if ranked:
            found[ranked[0][1]].append((ranked[0][0], text.name))
    return {box: tuple(name for _, name in sorted(names)[:2]) for box, names in found.items()}


def _label_distance(box: Element, text: Element) -> float | None:
    if text.id == box.id:
        return None
    one, other = box.bounds, text.bounds
    same_line = min(one.bottom, other.bottom) - max(one.y, other.y) > 0.4 * min(one.height, other.height)
    if same_line and other.center.x < one.center.x and -8 <= one.x - other.right <= 260:
        return float(max(0, one.x - other.right))
    if same_line and box.role in ("check box", "radio button", "switch") and -8 <= other.x - one.right <= 60:
        return float(max(0, other.x - one.right)) - 5
    overlaps = min(one.right, other.right) - max(one.x, other.x) > 0
    if overlaps and other.center.y < one.center.y and -8 <= one.y - other.bottom <= 40:
        return float(max(0, one.y - other.bottom)) + 20
    return None


def _gap(a0: int, a1: int, b0: int, b1: int) -> float:
    return float(max(0, max(a0, b0) - min(a1, b1)))


def distance(anchor: Element, element: Element, side: Side) -> float:
    """How far an element is from an anchor on a side, in pixels; far away when it is not on it."""
    one, other = anchor.bounds, element.bounds
    dx, dy = _gap(one.x, one.right, other.x, other.right), _gap(one.y, one.bottom, other.y, other.bottom)
    on_side = {
        "below": other.center.y > one.center.y, "above": other.center.y < one.center.y,
        "left": other.center.x < one.center.x, "right": other.center.x > one.center.x,
    }.get(side, True)  # fmt: skip
    if not on_side:
        return _FAR
    if side in ("", "near") and other.bottom <= one.y:
        dy = 2 * dy + 20  # what belongs to a heading or a label comes after it
    across = 4.0 if side in ("below", "above") else 1.0
    return dx * across + dy * (4.0 if side in ("left", "right", "near") else 1.0)


def reading_order(elements: Iterable[Element]) -> list[Element]:
    """Top to bottom, left to right within a line; the front window's first."""
    ordered = sorted(elements, key=lambda e: (e.bounds.y, e.bounds.x))
    lines: list[list[Element]] = []
    for each in ordered:
        if lines and each.bounds.center.y < lines[-1][0].bounds.bottom:
            lines[-1].append(each)
        else:
            lines.append([each])
    return [each for line in lines for each in sorted(line, key=lambda e: e.bounds.x)]
