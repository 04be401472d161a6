"""Where something slid on the screen, a look tells the places at rest."""

from __future__ import annotations

import itertools
import time
from pathlib import Path

import msgspec

from desktop_agent.agent.verifying.verify import LATE_LOOKS, SlideTracker, before_and_after
from desktop_agent.protocol import ops
from desktop_agent.protocol.geometry import Rect, Size, Viewport
from desktop_agent.protocol.stop_flag import StopFlag
from desktop_agent.vision.capture.frame import Frame
from desktop_agent.vision.observation import Element, Observation
from desktop_agent.vision.settling.result import Settled
from tests.agent.test_effects_real import Worker, worker
from tests.desk import Desk, until

__all__ = ["worker"]

REGION, OPENED = Rect(0, 0, 200, 200), Rect(10, 40, 100, 60)
SLID = Settled((OPENED,), 0.1, True, 0.3, slid=True)
TITLE = Element("e1", "heading", "Part 1", Rect(10, 10, 100, 20))
WORD = Element("e2", "static", "amet", Rect(10, 60, 30, 15))
OPEN = ops.ClickElement("e1")


def look(*elements: Element, colour: int = 0) -> Observation:
    frame = Frame(bytes([colour]) * (REGION.width * REGION.height * 4), REGION, 1, 0.0)
    return Observation(frame, Viewport(REGION, Size(200, 200), 1), elements)


def at(y: int) -> Element:
    return msgspec.structs.replace(WORD, bounds=Rect(10, y, 30, 15))


def test_two_looks_have_to_tell_the_same() -> None:
    following = SlideTracker(look(TITLE), SLID)
    assert following.still(look(TITLE, at(52)))
    assert following.still(look(TITLE, at(55)))
    assert not following.still(look(TITLE, at(55)))


def test_what_goes_on_sliding_is_waited_for_though_the_tree_is_silent() -> None:
    following = SlideTracker(look(TITLE), SLID)
    assert following.still(look(TITLE, at(52)))
    assert following.still(look(TITLE, at(52), colour=9))
    assert not following.still(look(TITLE, at(52), colour=9))


def test_what_only_shone_where_it_stood_is_believed_at_once() -> None:
    assert not SlideTracker(look(TITLE, WORD), SLID).still(look(TITLE, WORD, colour=9))


def test_nothing_is_waited_for_where_nothing_slid() -> None:
    at_once = Settled((OPENED,), 0.1, True, 0.1)
    assert not SlideTracker(look(TITLE), at_once).still(look(TITLE, WORD))
    elsewhere = Settled((Rect(150, 150, 20, 20),), 0.1, True, 0.3, slid=True)
    assert not SlideTracker(look(TITLE), elsewhere).still(look(TITLE, WORD))


def test_the_look_is_taken_again_until_the_tree_has_come_to_rest() -> None:
    rest = look(TITLE, at(60))
    looks = iter([look(TITLE, at(52)), look(TITLE, at(59)), rest, rest])
    assert before_and_after((OPEN,), look(TITLE), SLID, lambda: next(looks), StopFlag()).after is rest


def test_what_never_comes_to_rest_is_taken_as_it_is() -> None:
    taken = [look(TITLE, at(y)) for y in range(41, 41 + LATE_LOOKS + 1)]
    looks = iter(taken)
    assert before_and_after((OPEN,), look(TITLE), SLID, lambda: next(looks), StopFlag()).after is taken[-1]


PARTS = """<!doctype html><meta charset=utf-8><title>Parts</title><style>
body{font:13px sans-serif;margin:8px;width:260px} h3{background:#07f;color:#fff;margin:2px;font-size:14px}
.in{overflow:hidden;height:0}</style><div id=all></div><p id=said></p>
<script>
const words = 'amet elit sed eiusmod tempor incididunt labore magna aliqua minim veniam nostrud dolor'.split(' ')
const inside = i => words.map(w => `<b>${w}${i}</b>`).join(' ')
all.innerHTML = [1, 2, 3].map(i => `<h3>Part ${i}</h3><div class=in>${inside(i)}</div>`).join('')
const first = document.querySelector('h3'), top_of = e => Math.round(e.getBoundingClientRect().top)
function tell(part, ended) {
  const tops = [...part.children].map(b => b.textContent + ':' + (top_of(b) - top_of(first)))
  said.textContent = tops.join(' ') + ' ended:' + ended
}
function slide(part, to, then) {
  const from = part.offsetHeight, began = performance.now()
  requestAnimationFrame(function step(now) {
    const done = Math.min(1, (now - began) / 400)
    part.style.height = from + (to - from) * (0.5 - Math.cos(done * Math.PI) / 2) + 'px'
    if (done < 1) requestAnimationFrame(step); else then()
  })
}
document.querySelectorAll('h3').forEach(h => h.onclick = () => {
  const own = h.nextElementSibling
  for (const part of document.querySelectorAll('.in'))
    slide(part, part === own ? part.scrollHeight : 0, () => { if (part === own) setTimeout(tell, 300, own, Date.now()) })
})
</script>"""
"""Opening a part folds up the others, step by step; the page itself tells where the words have come to stand, and when."""


def offsets(look: Observation, part: int) -> dict[str, int]:
    """How far below the first heading the words of a part are told to be."""
    top = next(each for each in look.elements if (each.role, each.name) == ("heading", "Part 1"))
    words = (each for each in look.elements if each.role == "static" and each.name.isalnum())
    return {e.name: e.bounds.y - top.bounds.y for e in words if e.name.endswith(str(part))}


def said(worker: Worker, part: int) -> dict[str, int]:
    """The same as the page tells it, nothing while it does not."""
    told = (e.name for e in worker.look().elements if e.role == "static" and f"amet{part}:" in e.name)
    return {word: int(top) for word, _, top in (each.partition(":") for each in next(told, "").split())}


def ended_before(look: Observation, milliseconds: int) -> bool:
    """Was the screen at rest when the picture was taken? On a starved machine a slide stands still for a while."""
    return time.time() - (time.monotonic() - look.frame.time) > milliseconds / 1000


def test_words_in_a_section_that_slides_open_are_told_where_they_come_to_stand(
    worker: Worker, display: Desk, tmp_path: Path
) -> None:
    page = tmp_path / "page.html"
    page.write_text(PARTS)
    display.launch("chromium", "--window-size=900,700", f"file://{page}", title="Parts")
    judged = 0
    for part in itertools.islice(itertools.cycle((1, 2, 3, 1, 3, 2)), 24):
        executed, _ = worker.act("heading", f"Part {part}", ops.ClickElement)
        assert executed.seen is not None
        right = until(lambda part=part: said(worker, part), f"part {part} told by the page")  # type: ignore[misc]
        if not ended_before(executed.seen, right.pop("ended")):
            continue
        told = offsets(executed.seen, part)
        assert told.keys() == right.keys()
        assert all(abs(told[word] - right[word]) <= 1 for word in right), (told, right)
        judged += 1
        if judged == 6:
            break
    assert judged >= 3
