"""The elements of a look are not older than its picture."""

from __future__ import annotations

import time
from collections.abc import Callable

import msgspec
import numpy as np

from desktop_agent.agent.looking.observer import redrawn, untold
from desktop_agent.policy.rules.second_press import SecondPress
from desktop_agent.protocol import ops
from desktop_agent.protocol.geometry import Rect, Size, Viewport
from desktop_agent.vision.capture.frame import Frame
from desktop_agent.vision.elements.describe import BEHIND, describe_observation
from desktop_agent.vision.observation import Element, Observation
from tests.agent.test_effects_real import Worker, worker
from tests.desk import Desk
from tests.support import loopback

__all__ = ["worker"]

PAGE = """<!doctype html><meta charset=utf-8><title>Seats</title><style>body{font:18px sans-serif}</style><h1>Seat</h1>
<form id=f><p><label>Name <input></label><p><label>Card number <input></label><p><button>Book a seat</button></form>
<div id=out></div><script>
const send = async () => (await fetch('/book', {method: 'POST', body: 'x'})).text();
f.onsubmit = async e => { e.preventDefault(); CHANGE };
</script>"""
CHANGES = (
    "out.textContent = await send()",
    "out.insertAdjacentHTML('beforeend', `<p>${await send()}</p>`)",
    "out.innerHTML = 'Sending'; out.innerHTML = `<ul><li>${await send()}</ul>`",
)
REGION = Rect(0, 0, 200, 200)


def test_what_a_page_shows_is_in_the_look_that_shows_it(worker: Worker, display: Desk) -> None:
    answer: list[float] = [0.0]
    change = [""]

    class Seats(loopback.Handler):
        def get(self) -> None:
            self.say(PAGE.replace("CHANGE", change[0]).encode())

        def post(self) -> None:
            self.body()
            time.sleep(answer[0])  # as a server that has something to do
            self.say(b"Seat 12 confirmed")

    missing: list[tuple[str, float]] = []
    with loopback.serving(Seats) as port:
        for change[0] in CHANGES:
            for answer[0] in (0.0, 0.03):
                worker.executor.gate.second_press = SecondPress()  # each is a page of its own
                with display.ending():
                    display.launch(
                        "chromium", "--window-size=900,700", f"http://127.0.0.1:{port}/", title="Seats"
                    )
                    executed, _ = worker.act("push button", "Book a seat", ops.ClickElement)
                look = executed.seen
                assert look is not None
                told = any("confirmed" in each.name for each in look.elements)
                if not told and not look.behind:
                    missing.append((change[0], answer[0]))
    assert not missing


# ---- what is not told of what was drawn -------------------------------------------------------

BUTTON = Element("e1", "push button", "Book", Rect(20, 20, 60, 20), parent="e0")
PAGE_ELEMENT = Element("e0", "document web", "Seats", REGION)
LINE = Element("e2", "static", "Seat confirmed", Rect(20, 80, 100, 16), parent="e0")


def look(*elements: Element, drawn: tuple[Rect, ...] = ()) -> Observation:
    pixels = np.zeros((200, 200), dtype=np.uint32)
    for each in drawn:
        pixels[each.y : each.bottom, each.x : each.right] = 7
    return Observation(Frame(pixels.tobytes(), REGION, 1, 0.0), Viewport(REGION, Size(200, 200), 1), elements)


def focused(element: Element) -> Element:
    return msgspec.structs.replace(element, states=frozenset(("focused",)))


def untold_in(after: Observation, restless: tuple[Rect, ...] = ()) -> tuple[Rect, ...]:
    return untold(look(PAGE_ELEMENT, BUTTON), after.frame, after.elements, restless)


def test_a_line_that_no_element_tells_of_is_untold_though_the_button_beside_it_has_changed() -> None:
    both = (BUTTON.bounds, LINE.bounds)
    assert untold_in(look(PAGE_ELEMENT, focused(BUTTON), drawn=both)) == (LINE.bounds,)
    assert untold_in(look(focused(PAGE_ELEMENT), focused(BUTTON), drawn=both)) == (LINE.bounds,)
    assert not untold_in(look(PAGE_ELEMENT, focused(BUTTON), LINE, drawn=both))


def test_a_text_cursor_and_what_moves_by_itself_tell_nothing() -> None:
    assert not untold_in(look(PAGE_ELEMENT, BUTTON, drawn=(Rect(120, 120, 1, 16),)))
    spinner = Rect(128, 128, 32, 32)
    assert untold_in(look(PAGE_ELEMENT, BUTTON, drawn=(spinner,))) == (spinner,)
    assert not untold_in(look(PAGE_ELEMENT, BUTTON, drawn=(spinner,)), restless=(spinner,))


def test_what_went_accounts_for_its_place() -> None:
    before = look(PAGE_ELEMENT, BUTTON, LINE, drawn=(LINE.bounds,))
    after = look(PAGE_ELEMENT, BUTTON)
    assert redrawn(before, after.frame) == (LINE.bounds,)
    assert not untold(before, after.frame, after.elements)


def test_nothing_is_compared_where_the_pictures_are_of_different_regions() -> None:
    other = msgspec.structs.replace(look(BUTTON), frame=Frame(bytes(400), Rect(0, 0, 10, 10), 1, 0.0))
    assert not redrawn(look(BUTTON), other.frame) and not untold(look(BUTTON), other.frame, ())


def test_the_model_is_told_that_elements_may_be_older() -> None:
    told: Callable[[Observation], str] = describe_observation
    assert BEHIND not in told(look(BUTTON))
    assert BEHIND in told(msgspec.structs.replace(look(BUTTON), behind=True))
