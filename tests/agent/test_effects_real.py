"""What is said of operations on the elements of real applications is what came of them."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from desktop_agent.agent.acting.environments import Environments
from desktop_agent.agent.acting.executor import Executed, Executor
from desktop_agent.agent.inbox import Inbox
from desktop_agent.agent.looking.observer import Observer
from desktop_agent.agent.looking.privacy_filter import PrivacyFilter
from desktop_agent.agent.runlog.publisher import Feed
from desktop_agent.hand.injector.precondition_check import AGAIN
from desktop_agent.llm.base import Deed
from desktop_agent.policy.facts.place_lookup import Places
from desktop_agent.policy.gatekeeper import Gatekeeper
from desktop_agent.protocol import ops
from desktop_agent.protocol.ops import Op
from desktop_agent.protocol.permission import Rules
from desktop_agent.protocol.stop_flag import StopFlag
from desktop_agent.support.config import HandSettings
from desktop_agent.vision.observation import Element, Observation
from tests.desk import Desk, until
from tests.hand.workplace import Workplace
from tests.support.memory_desk import ScriptedModel

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

    def act(self, role: str, name: str, op: Callable[[str], Op]) -> tuple[Executed, Observation]:
        """Carry out an operation on the element and return it with the look it began with.

        Where the screen changed between look and press it was rightly refused: look again, as the loop would.
        """

        def once() -> tuple[Executed, Observation] | None:
            element, look = self.find(role, name)
            executed = self.executor.execute((op(element.id),), look, 1, StopFlag())
            return None if executed.deeds[-1].detail.endswith(AGAIN) else (executed, look)

        executed, look = until(once, f"{role} {name!r} at rest")
        assert executed.deeds[-1].outcome == "done", executed.deeds[-1].detail
        return executed, look

    def do(self, role: str, name: str, op: Callable[[str], Op]) -> Deed:
        executed, _ = self.act(role, name, op)
        assert executed.seen is not None
        return executed.deeds[-1]

    def click(self, role: str, name: str) -> Deed:
        return self.do(role, name, ops.ClickElement)

    def type(self, role: str, name: str, text: str) -> Deed:
        return self.do(role, name, lambda element: ops.Type(text, element=element))


@pytest.fixture
def worker(display: Desk) -> Iterator[Worker]:
    place = Workplace(display)
    place.hands.start()
    target = display.target
    observer = Observer(target, ScriptedModel("{}"), None, lambda frame, stop: (), PrivacyFilter(target))
    gate = Gatekeeper(Places(target, frozenset()), "full", Rules())
    feed = Feed()
    environments = Environments((), feed, gate.provenance.read, HandSettings())
    yield Worker(observer, Executor(place.hands, feed, observer, HandSettings(), Inbox(), gate, environments))
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
    assert worker.do("list", "Days", lambda days: ops.ScrollElement(days, 0, -1)).effect == "confirmed"
    assert worker.do("push button", "Press", ops.HoverElement).effect == "confirmed"
    goal = next(each for each in worker.look().elements if each.name == "Goal")
    assert worker.do("slider", "Speed", lambda speed: ops.DragElement(speed, goal.id)).effect == "confirmed"
    assert worker.do("entry", "Name", ops.FocusElement).effect == "confirmed"


def test_a_qt_window(worker: Worker, display: Desk) -> None:
    display.launch(sys.executable, str(QT_FORM), title="Qt form")
    assert worker.click("check box", "Fast").detail == "it is not checked now"
    typed = worker.type("text", "Name", "e")
    assert typed.effect == "confirmed" and "e" in typed.detail
    assert worker.do("list", "", lambda rows: ops.ScrollElement(rows, 0, -2)).effect == "confirmed"
    assert worker.click("menu item", "File").effect == "confirmed"


def test_a_gtk_window(worker: Worker, display: Desk) -> None:
    display.launch("mousepad", title="Mousepad")
    assert worker.type("text", "", "Grüße an Ada\nzwei").effect == "confirmed"
    menu = worker.click("menu", "File")
    assert menu.effect == "confirmed"
    worker.executor.execute((ops.KeyCombo(("escape",)),), worker.look(), 1, StopFlag())
    assert worker.click("text", "").effect in ("unchanged", "changed")
