"""A look at what was scrolled is not given to anybody before the tree has followed the picture."""

from __future__ import annotations

from pathlib import Path

import msgspec
import numpy as np

from desktop_agent.agent.verifying.verify import before_and_after, misplaced, without
from desktop_agent.protocol import ops
from desktop_agent.protocol.geometry import Rect, Size, Viewport
from desktop_agent.protocol.stop_flag import StopFlag
from desktop_agent.vision.capture.frame import Frame
from desktop_agent.vision.encoding.encode import crop
from desktop_agent.vision.observation import Element, Observation, raw_pixels
from desktop_agent.vision.settling.result import Settled
from tests.agent.test_effects_real import Worker, worker
from tests.desk import Desk, until

__all__ = ["worker"]

REGION, BOX = Rect(0, 0, 200, 200), Rect(20, 20, 160, 160)
CONTENT = np.random.default_rng(3).integers(0, 9, (600, 160), dtype=np.uint32)
PAPER = np.full((200, 200), 7, dtype=np.uint32)
ROLLED = Settled((BOX,), 0.5, True, 0.1)
LIST = Element("e1", "list", "Days", BOX)
TITLE = Element("e2", "label", "Title", Rect(30, 2, 60, 16))
ROWS = tuple(
    Element(f"r{i}", "list item", f"Day {i}", Rect(24, 30 + 40 * i, 100, 20), parent="e1") for i in range(4)
)


def look(top: int, *elements: Element) -> Observation:
    """The list as it is when it was scrolled so far, with these things told of it."""
    pixels = PAPER.copy()
    pixels[20:180, 20:180] = CONTENT[top : top + 160]
    frame = Frame(pixels.tobytes(), REGION, 1, 0.0)
    return Observation(frame, Viewport(REGION, Size(200, 200), 1), elements)


def higher(row: Element, by: int) -> Element:
    at = row.bounds
    return msgspec.structs.replace(row, bounds=Rect(at.x, at.y - by, at.width, at.height))


BEFORE = look(0, LIST, TITLE, *ROWS)


def test_what_stands_where_it_stood_though_its_picture_has_moved_is_misplaced() -> None:
    assert misplaced(BEFORE, look(40, LIST, TITLE, *ROWS), ROLLED) == {"r0", "r1", "r2", "r3"}


def test_what_has_followed_is_not_and_the_box_around_it_never_is() -> None:
    followed = [higher(row, 40) for row in ROWS[1:]]
    assert not misplaced(BEFORE, look(40, LIST, TITLE, *followed), ROLLED)
    half = look(40, LIST, TITLE, followed[0], followed[1], ROWS[3])
    assert misplaced(BEFORE, half, ROLLED) == {"r3"}


def test_what_is_told_to_be_on_its_way_is_misplaced_and_what_came_with_it() -> None:
    new = Element("r9", "list item", "Day 9", Rect(24, 158, 100, 20), parent="e1")
    half = [higher(row, 12) for row in ROWS]
    assert misplaced(BEFORE, look(40, LIST, TITLE, *half, new), ROLLED) == {"r0", "r1", "r2", "r3", "r9"}
    there = [higher(row, 40) for row in ROWS]
    assert not misplaced(BEFORE, look(40, LIST, TITLE, *there, new), ROLLED)
    # the picture itself is as far as that, or one of them shows that the tree is right
    assert not misplaced(BEFORE, look(12, LIST, TITLE, *half, new), ROLLED)


def test_nothing_is_misplaced_where_nothing_was_scrolled() -> None:
    assert not misplaced(BEFORE, look(0, LIST, TITLE, *ROWS), ROLLED)
    other = np.flipud(CONTENT).copy()
    pixels = PAPER.copy()
    pixels[20:180, 20:180] = other[:160]
    repainted = msgspec.structs.replace(BEFORE, frame=Frame(pixels.tobytes(), REGION, 1, 0.0))
    assert not misplaced(BEFORE, repainted, ROLLED)


def test_the_look_is_taken_again_until_the_tree_has_followed() -> None:
    followed = look(40, LIST, TITLE, *(higher(row, 40) for row in ROWS[1:]))
    looks = iter([look(40, LIST, TITLE, *ROWS)] * 7 + [followed])
    scroll = ops.ScrollElement("e1", 0, -1)
    found = before_and_after((scroll, ops.Wait(0.1)), BEFORE, ROLLED, lambda: next(looks), StopFlag())
    assert found.after is followed


def test_what_never_follows_is_left_out() -> None:
    stale = look(40, LIST, TITLE, *ROWS)
    found = before_and_after((ops.Scroll(0, -1),), BEFORE, ROLLED, lambda: stale, StopFlag())
    assert found.after is not None
    assert [each.id for each in found.after.elements] == ["e1", "e2"]
    assert without(stale, frozenset()) is stale


BUSY = """<!doctype html><meta charset=utf-8><title>Busy</title><style>body{font:18px sans-serif;margin:8px}
#list{height:400px;width:300px;overflow:auto} .row{height:57px}</style>
<div id=list tabindex=0 role=list aria-label=Days></div>
<script>list.innerHTML = Array.from({length: 60}, (_, i) => `<div class=row>Day ${i} of ${i * i + 3}</div>`).join('')
let end = 0
list.addEventListener('scroll', () => { end = end || performance.now() + 1500; while (performance.now() < end); }, {passive: true})
</script>"""
"""The picture of a list is scrolled by one thread, told to the tree by another, which is busy for longer than anybody
waits for the screen to settle."""


def places(look: Observation) -> dict[str, Rect]:
    return {e.name: e.bounds for e in look.elements if e.role == "static" and e.name.startswith("Day ")}


def rows(look: Observation) -> dict[str, bytes]:
    """What is seen where each row is told to be; those that are cut off at an end of the list left out."""
    told = places(look)
    height = max((at.height for at in told.values()), default=0)
    return {name: crop(raw_pixels(look), at).pixels for name, at in told.items() if at.height == height}


def test_a_busy_page_is_told_where_it_is_seen(worker: Worker, display: Desk, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    page.write_text(BUSY)
    display.launch("chromium", "--window-size=900,700", f"file://{page}", title="Busy")
    worker.find("static", "Day 1")
    executed, before = worker.act("list", "Days", lambda days: ops.ScrollElement(days, 0, -2))
    assert executed.seen is not None

    def rest() -> Observation | None:
        one, other = worker.look(), worker.look()
        return one if places(one) == places(other) != places(before) else None

    # On a busy machine the page may have been on its way still: the look is right for itself.
    later = until(rest, "the tree that has followed")
    told, there = rows(executed.seen), rows(later)
    assert told.keys() & there.keys()
    wrong = [name for name in told.keys() & there.keys() if told[name] != there[name]]
    tops = [{name: at.y for name, at in places(each).items()} for each in (before, executed.seen, later)]
    assert not wrong, f"{wrong} of {tops}"
