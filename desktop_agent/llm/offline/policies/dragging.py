"""Putting things in place by hand: shifting, sorting, gathering, resizing, highlighting."""

from __future__ import annotations

from collections.abc import Sequence

from desktop_agent.llm.offline import figures
from desktop_agent.llm.offline.intents import Phrase
from desktop_agent.llm.offline.intents_hand import Arrange, Gather, Place, Resize, Shift
from desktop_agent.llm.offline.moves import Act, Move, Question, Reached
from desktop_agent.llm.offline.places import reading_order
from desktop_agent.llm.offline.policies.locate import locate
from desktop_agent.llm.offline.resolve import resolve
from desktop_agent.llm.offline.scene import Scene
from desktop_agent.protocol import ops
from desktop_agent.protocol.geometry import Point
from desktop_agent.vision.observation import Element

_A_LITTLE = 40
"""Pixels a thing is dragged when nobody says how far."""

_BEYOND = 6
_STEPS = 6
_TRIES = 3
_MOST = 12
_ABREAST = 3
_PLACED = frozenset(("list item", "tree item", "table row", "table cell", "icon"))
_WAYS = {"left": (-1, 0), "right": (1, 0), "up": (0, -1), "down": (0, 1)}


def dragged(start: Point, end: Point, scene: Scene) -> ops.Op:
    """A drag in several steps, from one pixel of the screen to another: what sorts itself looks at each."""
    first, last = scene.look.viewport.to_image(start), scene.look.viewport.to_image(end)
    spots = [
        ops.Spot(first.x + (last.x - first.x) * step // _STEPS, first.y + (last.y - first.y) * step // _STEPS)
        for step in range(_STEPS + 1)
    ]
    return ops.Drag(tuple(spots))


def shift(intent: Shift, scene: Scene) -> Move:
    """Drag a thing some way, or by so many places."""
    if not intent.places:
        if scene.done(ops.Drag):
            return Reached()
        found = locate(scene, intent.what)
        if isinstance(found, Act | Question):
            return found
        dx, dy = (_A_LITTLE * each for each in _WAYS[intent.way])
        start = found.bounds.center
        return Act((dragged(start, Point(start.x + dx, start.y + dy), scene),), f"I drag it {intent.way}.")
    if scene.done(ops.Drag):
        return Reached()
    found = locate(scene, intent.what, allow=_is_placed)
    if isinstance(found, Act | Question):
        return found
    return _put(found, _shifted(found, intent, scene), scene) or Reached("It is there already.")


def place(intent: Place, scene: Scene) -> Move:
    """Drag an entry to a place of its list or grid, until it is there."""
    found = locate(scene, intent.what, allow=_is_placed)
    if isinstance(found, Act | Question):
        return found
    move = _put(found, _target(found, intent, scene), scene)
    if move is None or len(scene.done(ops.Drag)) >= _TRIES:
        return Reached(f"“{found.name}” is in its place.")
    return move


def arrange(intent: Arrange, scene: Scene) -> Move:
    """Drag the first entry that is out of order to its place, one a turn."""
    entries = reading_order(
        each for each in scene.sight.front if _is_placed(each) and _value(each) is not None
    )
    if len(entries) < 2:
        return scene.wait(2) or Question("I see no list of numbers to sort. What shall I sort?")
    wanted = sorted(entries, key=lambda each: _value(each) or 0.0, reverse=intent.down)
    for at, (is_there, belongs) in enumerate(zip(entries, wanted, strict=True)):
        if _value(is_there) != _value(belongs):
            if len(scene.done(ops.Drag)) > 3 * len(entries):
                return Question("The list does not stay as I sort it. How shall I go on?")
            return _put(belongs, entries[at], scene) or Reached()
    return Reached("The list is in order.")


def _value(element: Element) -> float | None:
    try:
        return float(element.name.replace("−", "-").replace(",", ""))
    except ValueError:
        return None


def _put(entry: Element, target: Element | None, scene: Scene) -> Act | None:
    """Drag an entry a little beyond the middle of another, so that it takes its place."""
    if target is None or target.id == entry.id:
        return None
    start, end = entry.bounds.center, target.bounds.center
    beyond = Point(end.x + _sign(end.x - start.x) * _BEYOND, end.y + _sign(end.y - start.y) * _BEYOND)
    return Act((dragged(start, beyond, scene),), f"I drag “{entry.name}”.")


def _sign(number: int) -> int:
    return (number > _BEYOND) - (number < -_BEYOND)


def _is_placed(element: Element) -> bool:
    return element.role in _PLACED and element.source == "tree"


def _rows(entry: Element, scene: Scene) -> list[list[Element]]:
    """The entries of the same list or grid, line by line."""
    like = [
        e
        for e in scene.sight.front
        if e.role == entry.role and abs(e.bounds.height - entry.bounds.height) <= 4
    ]
    rows: list[list[Element]] = []
    for each in reading_order(like):
        if rows and abs(rows[-1][0].bounds.center.y - each.bounds.center.y) < each.bounds.height // 2:
            rows[-1].append(each)
        else:
            rows.append([each])
    return rows


def _shifted(entry: Element, intent: Shift, scene: Scene) -> Element | None:
    rows = _rows(entry, scene)
    dx, dy = (intent.places * each for each in _WAYS[intent.way])
    row, column = next(
        (r, c) for r, line in enumerate(rows) for c, each in enumerate(line) if each.id == entry.id
    )
    if not (0 <= row + dy < len(rows) and 0 <= column + dx < len(rows[row + dy])):
        return None
    return rows[row + dy][column + dx]


def _target(entry: Element, intent: Place, scene: Scene) -> Element | None:
    rows = _rows(entry, scene)
    if intent.number:
        flat = [each for row in rows for each in row]
        at = intent.number - 1 if intent.number > 0 else len(flat) + intent.number
        return flat[at] if 0 <= at < len(flat) else None
    row = rows[_along(intent.corner, ("top", "upper"), ("bottom", "lower"), len(rows))]
    return row[_along(intent.corner, ("left",), ("right",), len(row))]


def _along(corner: str, first: Sequence[str], last: Sequence[str], count: int) -> int:
    said = corner.split()
    return (
        0
        if said[0] in first or said[-1] in first
        else count - 1
        if said[0] in last or said[-1] in last
        else count // 2
    )


# ---- figures -------------------------------------------------------------------------------------


def gather(intent: Gather, scene: Scene) -> Move:
    """Drag all the figures of a kind into another, until none is outside."""
    holder = holder_of(intent.onto, scene)
    if holder is None:
        return scene.wait(2) or Question(f"I see no “{intent.onto.spoken}”. Where shall I put them?")
    said = figures.wanted(intent.what.spoken)
    held = [each.bounds for each in scene.sight.figures if figures.is_holder(each, scene.sight.figures)]
    inside = held if intent.rest else [holder.bounds]
    loose = [each for each in scene.sight.figures if not figures.is_holder(each, scene.sight.figures)]
    left = figures.matching(said, loose) if said else []
    left = [each for each in left if not any(area.contains(each.bounds.center) for area in inside)]
    done = len(scene.done(ops.Drag))
    if not left or done >= _MOST:
        return Reached(f"They are in the {intent.onto.spoken}.")
    room, step = holder.bounds, holder.bounds.width // (_ABREAST + 1)
    spot = Point(room.x + step * (1 + done % _ABREAST), room.center.y)
    return Act((dragged(left[0].bounds.center, spot, scene),), f"I drag them into the {intent.onto.spoken}.")


def holder_of(onto: Phrase, scene: Scene) -> Element | None:
    """The figure (or thing) that others are put into."""
    holders = [each for each in scene.sight.figures if figures.is_holder(each, scene.sight.figures)]
    found = figures.like(onto.spoken, holders, scene.look.window)
    if len(found) == 1:
        return found[0]
    return resolve(onto, scene.sight).element


# ---- size --------------------------------------------------------------------------


def resize(intent: Resize, scene: Scene) -> Move:
    """Drag the lower right corner of a thing."""
    if scene.done(ops.Drag):
        return Reached()
    found = locate(scene, intent.what)
    if isinstance(found, Act | Question):
        return found
    corner = Point(found.bounds.right - 5, found.bounds.bottom - 5)
    step = _A_LITTLE if intent.larger else -_A_LITTLE // 2
    end = Point(corner.x + step, corner.y) if intent.side == "width" else Point(corner.x, corner.y + step)
    return Act((dragged(corner, end, scene),), f"I drag the corner of “{found.name or intent.what.spoken}”.")
