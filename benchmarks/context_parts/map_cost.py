"""What the map of a desktop costs a step: looks at a program of five pages with a hundred elements each."""

from __future__ import annotations

import time

from desktop_agent.agent.context.map_maker import MapMaker, map_lines
from desktop_agent.llm.base import Deed
from desktop_agent.protocol import ops
from desktop_agent.protocol.geometry import Rect, Viewport
from desktop_agent.vision.capture.frame import Frame
from desktop_agent.vision.observation import Element, Observation

PAGES, ELEMENTS = 5, 100
_SCREEN = Rect(0, 0, 1920, 1080)


def map_times(times: int) -> tuple[list[float], list[float], list[float]]:
    """Milliseconds of a look with one value changed, of one at a page with all values changed, and of the short form."""
    maker, changed, turned, told = MapMaker(), [], [], []
    for number in range(times):
        page = _look(number % PAGES, number, 0)
        turned.append(_timed(maker, page))
        maker.act([Deed(number, ops.ClickElement("e0"), "", "done")], page)
        changed.append(_timed(maker, _look(number % PAGES, number, 1)))
        began = time.perf_counter()
        map_lines(maker.map)
        told.append(1000 * (time.perf_counter() - began))
    return changed, turned, told


def _timed(maker: MapMaker, look: Observation) -> float:
    began = time.perf_counter()
    maker.look(look)
    return 1000 * (time.perf_counter() - began)


def _look(page: int, number: int, typed: int) -> Observation:
    tabs = [_element(n, "page tab", f"Page {n}", "", selected=n == page) for n in range(PAGES)]
    boxes = [
        _element(n, "entry", f"Field {page}.{n}", f"{number}.{typed if n == PAGES else 0}")
        for n in range(PAGES, ELEMENTS)
    ]
    frame = Frame(b"", _SCREEN, 1, 0.0)
    view = Viewport(_SCREEN, _SCREEN.size, 1)
    return Observation(frame, view, (*tabs, *boxes), window="Form", windows=("Form",))


def _element(number: int, role: str, name: str, value: str, *, selected: bool = False) -> Element:
    states = frozenset(("enabled", "showing", *(("selected",) if selected else ())))
    return Element(
        f"e{number}", role, name, Rect(10, 20 * number, 200, 18), value, states, "Form", "form", pid=7
    )
