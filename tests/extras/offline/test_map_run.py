"""The map in whole runs: the offline model finds its way back, and a model that reads is told what it left."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from desktop_agent.extras.offline.llm.offline import OfflineModel, Options
from desktop_agent.llm.base import Model
from desktop_agent.protocol import agent_events as say
from desktop_agent.protocol.geometry import Rect
from desktop_agent.protocol.input_events import ButtonUp, InputEvent
from desktop_agent.vision.observation import Element
from tests.support.memory_desk import Bench, MemoryTarget, ScriptedModel

PAGES = {"General": ("Autosave", "Spelling"), "Network": ("Use proxy",)}
PID = 4_000_000


class TwoTabs(MemoryTarget):
    """A window with two tabs and check boxes on each."""

    def __init__(self) -> None:
        super().__init__()
        self.page, self.ticked = "General", set[str]()
        self.input.windows = [(self.input.layout.bounds, PID)]
        self.input.focus = PID
        self.input.after = self._released
        self._arrange()

    def _released(self, event: InputEvent) -> None:
        if not isinstance(event, ButtonUp):
            return
        under = next((e for e in self.things if e.role != "frame" and e.bounds.contains(self.input.at)), None)
        if under is not None and under.role == "page tab":
            self.page = under.name
        elif under is not None:
            self.ticked ^= {under.name}
        self._arrange()

    def _arrange(self) -> None:
        self.things: Sequence[Element] = (
            _thing("frame", "Paper", Rect(0, 0, 800, 600)),
            *(_thing("page tab", name, Rect(20 + 120 * n, 10, 100, 30), selected=name == self.page) for n, name in enumerate(PAGES)),
            *(_thing("check box", name, Rect(40, 100 + 60 * n, 200, 30), checked=name in self.ticked) for n, name in enumerate(PAGES[self.page])),
        )  # fmt: skip


def _thing(role: str, name: str, bounds: Rect, **states: bool) -> Element:
    held = {"enabled", "showing", "focusable", *(state for state, on in states.items() if on)}
    return Element(
        f"{role} {name}",
        role,
        name,
        bounds,
        states=frozenset(held),
        window="Paper",
        application="Paper",
        pid=PID,
    )


def bench(model: Model, folder: Path) -> tuple[Bench, TwoTabs]:
    target = TwoTabs()
    return Bench(model, folder, target, permission="full"), target


@pytest.mark.parametrize("goals", [
    ("check Autosave, then click the Network tab, then check “Use proxy”, then check Spelling",),
    ("check Autosave, then click the Network tab, then check “Use proxy”", "check Spelling"),
])  # fmt: skip
def test_what_is_on_the_tab_that_was_left_is_found_without_a_word_about_it(
    goals: tuple[str, ...], tmp_path: Path
) -> None:
    run, target = bench(OfflineModel(Options()), tmp_path)
    for goal in goals:
        run.run(goal)
    assert not run.of(say.Question), run.of(say.Question)
    assert target.ticked == {"Autosave", "Use proxy", "Spelling"} and target.page == "General"
    assert run.states[-1] == "done"


def test_without_having_seen_it_the_model_still_asks(tmp_path: Path) -> None:
    run, target = bench(OfflineModel(Options()), tmp_path)
    run.on_event = lambda event: run.session.stop() if isinstance(event, say.Question) else None
    run.run("click the Network tab, then check Grammar")
    assert run.of(say.Question) and target.page == "Network"


def reply(*actions: dict[str, object]) -> str:
    return json.dumps({"notes": "", "high_level": ["Look around"], "actions": actions, "step": 1})


def test_a_model_that_reads_is_told_in_short_what_it_left_and_only_when_that_changes(tmp_path: Path) -> None:
    click: dict[str, object] = {"op": "click_element", "element": "page tab Network"}
    model = ScriptedModel(
        reply(click), reply({"op": "wait", "seconds": 0.01}), reply({"op": "done", "summary": "Seen."})
    )
    bench(model, tmp_path)[0].run("look around")
    first, second, third = (each.text for each in model.asked)
    line = "Paper ▸ General (still open): Autosave, Spelling"
    assert "Seen before" not in first
    assert line in second and second.index("# Seen before, not in view now") < second.index(line)
    assert third.count(line) == 1
    assert model.asked[-1].map is not None and model.asked[-1].map.where("Autosave") is not None
