"""What is said of operations on the elements of real applications is what came of them."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from benchmarks.lab.memory_desk import ScriptedModel
from desktop_agent.agent.executor import Executed, Executor
from desktop_agent.agent.feed import Feed
from desktop_agent.agent.gatekeeper import Gatekeeper
from desktop_agent.agent.inbox import Inbox
from desktop_agent.agent.observer import Observer
from desktop_agent.agent.places import Places
from desktop_agent.agent.sight import Sight
from desktop_agent.llm.base import Deed
from desktop_agent.protocol import ops
from desktop_agent.protocol.ops import Op
from desktop_agent.protocol.permission import Rules
from desktop_agent.protocol.stopping import StopFlag
from desktop_agent.vision.observation import Element, Observation
from tests.desk import Desk, until
from tests.hand.workplace import Workplace

PAGE = """<!doctype html><meta charset=utf-8><title>Form</title><style>body{font:18px sans-serif}
#list{height:120px;width:300px;overflow:auto} p{margin:6px}</style>
<p><label>Name <input></label> <label>Secret <input type=password></label>
<p><label><input type=checkbox> Fast</label> <button>Idle</button>
<p><label>Speed <input type=range min=0 max=100 value=20></label> <button aria-label="Goal">here</button>
<p><button onclick="out.textContent='pressed'">Press</button> <span id=out></span>
<div id=list tabindex=0 role=list aria-label=Days></div>
<script>list.innerHTML = Array.from({length: 40}, (_, i) => `<div role=listitem aria-label="Day ${i}">Day ${i}</div>`).join('')</script>"""
QT_FORM = Path(__file__).parent.parent / "vision" / "apps" / "qt_form.py"


@dataclass
class Worker:
    """Carries out single operations as the loop does."""

    observer: Observer
    executor: Executor

    def look(self) -> Observation:
        return self.observer.look(StopFlag())

    def find(self, role: str, name: str) -> tuple[Element, Observation]:
        def shown() -> tuple[Element, Observation] | None:
            look = self.look()
            found = (e for e in look.elements if e.role == role and e.name.startswith(name))
            element = next(found, None)
            return (element, look) if element else None

        return until(shown, f"{role} {name!r}")

    def do(self, op: Op, look: Observation) -> Deed:
        executed: Executed = self.executor.execute((op,), look, 1, StopFlag())
        (deed,) = executed.deeds
        assert deed.outcome == "done", deed.detail
        assert executed.seen is not None
        return deed

    def click(self, role: str, name: str) -> Deed:
        element, look = self.find(role, name)
        return self.do(ops.ClickElement(element.id), look)

    def type(self, role: str, name: str, text: str) -> Deed:
        element, look = self.find(role, name)
        return self.do(ops.Type(text, element=element.id), look)


@pytest.fixture
def worker(display: Desk) -> Iterator[Worker]:
    place = Workplace(display)
    place.hands.start()
    target = display.target
    observer = Observer(target, ScriptedModel("{}"), None, lambda frame, stop: (), Sight(target))
    gate = Gatekeeper(Places(target, frozenset()), "full", Rules())
    yield Worker(observer, Executor(place.hands, Feed(), observer, 60.0, Inbox(), gate))
    place.hands.close()


def test_a_page(worker: Worker, display: Desk, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    page.write_text(PAGE)
    display.launch("chromium", "--window-size=900,700", f"file://{page}", title="Form")
    worker.find("list item", "Day 1")

    ticked = worker.click("check box", "Fast")
    assert (ticked.effect, ticked.detail) == ("confirmed", "it is checked now")
    typed = worker.type("entry", "Name", "Ada Lovelace")
    assert (typed.effect, typed.detail) == ("confirmed", "the box now holds “Ada Lovelace”")
    assert worker.find("entry", "Name")[0].value == "Ada Lovelace"
    secret = worker.type("password text", "Secret", "tomtom")
    assert secret.effect == "changed" and "tomtom" not in secret.detail
    days, look = worker.find("list", "Days")
    assert worker.do(ops.ScrollElement(days.id, 0, -1), look).effect == "confirmed"
    idle, look = worker.find("push button", "Press")
    assert worker.do(ops.HoverElement(idle.id), look).effect == "confirmed"
    speed, look = worker.find("slider", "Speed")
    goal = next(each for each in look.elements if each.name == "Goal")
    assert worker.do(ops.DragElement(speed.id, goal.id), look).effect == "confirmed"
    name, look = worker.find("entry", "Name")
    assert worker.do(ops.FocusElement(name.id), look).effect == "confirmed"


def test_a_qt_window(worker: Worker, display: Desk) -> None:
    display.launch(sys.executable, str(QT_FORM), title="Qt form")
    assert worker.click("check box", "Fast").detail == "it is not checked now"
    typed = worker.type("text", "Name", "e")
    assert typed.effect == "confirmed" and "e" in typed.detail
    rows, look = worker.find("list", "")
    assert worker.do(ops.ScrollElement(rows.id, 0, -2), look).effect == "confirmed"
    assert worker.click("menu item", "File").effect == "confirmed"


def test_a_gtk_window(worker: Worker, display: Desk) -> None:
    display.launch("mousepad", title="Mousepad")
    body, look = worker.find("text", "")
    typed = worker.do(ops.Type("Grüße an Ada\nzwei", element=body.id), look)
    assert typed.effect == "confirmed"
    menu = worker.click("menu", "File")
    assert menu.effect == "confirmed"
    worker.executor.execute((ops.KeyCombo(("escape",)),), worker.look(), 1, StopFlag())
    body, look = worker.find("text", "")
    assert worker.do(ops.ClickElement(body.id), look).effect in ("unchanged", "changed")
