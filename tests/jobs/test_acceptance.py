"""The commissioned acceptance: a goal typed into the real window, visible work in a real browser, Esc stops it."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from desktop_agent.platforms.base import WindowInfo
from desktop_agent.protocol.geometry import Point
from desktop_agent.protocol.input_events import ButtonDown, ButtonUp, KeyDown, KeyUp, Move, Text
from desktop_agent.targets import display as embedded
from desktop_agent.vision.encoding.encode import encode
from tests.desk import Desk, until
from tests.jobs.commands import ROOT, environment, welcomed
from tests.jobs.pages import Site, served
from tests.jobs.scripted import Script, Step, do, done, element
from tests.llm.fake_server import FakeServer
from tests.support.trusted_config import trusted

GOAL = "Open EasyEDA and search for CM4 composite out pin"
WORDS = "CM4 composite out pin"
PLAN = ["Open EasyEDA", "Search for the pin", "Read the result"]


@dataclass
class App:
    """The program in its window on a desk, watched from outside; `shots` is where pictures go."""

    desk: Desk
    home: Path
    process: subprocess.Popen[bytes]
    shots: Path

    def __post_init__(self) -> None:
        self.human = embedded.attach(self.desk.target.address())

    @property
    def window(self) -> WindowInfo:
        def shown() -> WindowInfo | None:
            # the window manager may list a window just before it is on the screen
            ours = (w for w in self.desk.target.windows() if w.pid == self.process.pid)
            return next((w for w in ours if not w.bounds.empty), None)

        return until(shown, "the chat window")

    def events(self, kind: str) -> list[dict[str, Any]]:
        """The facts of one kind in the run's log so far."""
        lines = [
            line
            for path in self.home.glob(".local/**/events.jsonl")
            for line in path.read_text().splitlines()
        ]
        facts = [json.loads(line) for line in lines if line.endswith("}")]
        return [fact["data"] for fact in facts if fact["kind"] == kind]

    def states(self) -> list[str]:
        return [event["state"] for event in self.events("status")]

    def click(self, point: Point) -> None:
        for event in (Move(point.x, point.y), ButtonDown("left"), ButtonUp("left")):
            self.human.emit(event)

    def press(self, key: str) -> None:
        self.human.emit(KeyDown(key))
        self.human.emit(KeyUp(key))

    def say(self, words: str) -> None:
        """Type into the composer and send, as a person does."""
        bounds = self.window.bounds
        if self.human.focus_owner() != self.process.pid:
            self.click(Point(bounds.center.x, bounds.bottom - 78))
        until(lambda: self.human.focus_owner() == self.process.pid, "the keyboard in the composer")
        self.human.prepare(words)
        for at in range(0, len(words), 16):
            self.human.emit(Text(words[at : at + 16]))
        self.press("enter")

    def shot(self, name: str) -> None:
        self.shots.mkdir(exist_ok=True)
        (self.shots / f"{name}.png").write_bytes(encode(self.desk.target.observe(), form="png"))


@contextmanager
def app(desk: Desk, home: Path, *words: str) -> Iterator[App]:
    """The program started in its window on the desk."""
    welcomed(home)
    around = environment(home) | desk.environment | {"HOME": str(home)}
    shots = Path(os.environ.get("SHOTS", home / "shots"))
    with subprocess.Popen([sys.executable, "-m", "desktop_agent", *words], cwd=ROOT, env=around) as process:
        try:
            running = App(desk, home, process, shots)
            yield running
            running.human.close()
        finally:
            process.send_signal(signal.SIGTERM)
            process.wait(60)


def browse(desk: Desk, site: Site) -> None:
    desk.launch(
        "chromium", "--window-size=860,760", "--window-position=0,0", site.url("/start"), title="Start page"
    )


def search(delay: float) -> Script:
    return Script(
        PLAN,
        [
            Step(
                'link "EasyEDA"', lambda s: [{"op": "click_element", "element": element(s, 'link "EasyEDA"')}]
            ),
            Step(
                'entry "Search library"',
                lambda s: [
                    {
                        "op": "type",
                        "text": WORDS,
                        "delay": delay,
                        "element": element(s, 'entry "Search library"'),
                    },
                    {"op": "key_combo", "keys": ["enter"]},
                ],
            ),
            Step("3 parts found", done("Three parts have that pin.")),
        ],
    )


def test_the_goal_is_worked_visibly_and_esc_stops_it_in_the_middle_of_typing(
    display: Desk, tmp_path: Path
) -> None:
    with served() as site, FakeServer(search(delay=0.25)) as server:
        browse(display, site)
        config = tmp_path / "config.toml"
        config.write_text(
            f'[agent]\nmodel = "compatible"\n[llm.compatible]\nbase_url = "{server.url}/v1"\nmodel = "fake-model"\n'
        )
        with app(display, tmp_path, *trusted(config)) as running:
            screen = display.target.geometry().bounds
            until(
                lambda: screen.right - 12 <= running.window.bounds.right <= screen.right, "the docked window"
            )
            running.shot("ready")
            running.say(GOAL)
            until(lambda: len(site.fields_of("/typed")) >= 4, "some letters in the search box", 200)
            running.shot("working")
            running.press("escape")
            until(lambda: running.states()[-1:] == ["stopped"], "the stop", 200)
            typed = site.fields_of("/typed")[-1]["text"]
            assert WORDS.startswith(typed) and len(typed) < len(WORDS)
            assert display.held() == (set(), 0)
            running.shot("stopped")
            assert running.events("goal")[0]["text"] == GOAL
            assert [event["current"] for event in running.events("plan")] == [0, 1]
            assert running.events("plan")[0]["steps"] == PLAN
            assert any("ESC" in event["detail"] for event in running.events("status"))
            assert not site.fields_of("/search"), "nothing restarts by itself"


@pytest.mark.slow
def test_the_offline_model_does_it_to_the_end(display: Desk, tmp_path: Path) -> None:
    with served() as site:
        browse(display, site)
        with app(display, tmp_path) as running:
            running.say(GOAL)
            until(
                lambda: running.states()[-1:] in (["done"], ["error"], ["waiting_for_user"]), "the end", 200
            )
            running.shot("done")
            assert running.states()[-1] == "done", running.events("question") + running.events("error")
            assert site.fields_of("/search") == [{"q": WORDS}]
            current = [event["current"] for event in running.events("plan")]
            assert current == sorted(current) and current[-1] > 0, "the high-level step keeps changing"
            exact = [event["exact"] for event in running.events("action")]
            assert exact, "visible actions were done"


@pytest.mark.slow
def test_nothing_is_done_to_our_own_window(display: Desk, tmp_path: Path) -> None:
    step = Step("", do({"op": "click", "x": 1100, "y": 400}, {"op": "type", "text": "mine"}))
    with FakeServer(
        Script(["Click"], [step, Step("", do({"op": "fail", "reason": "That is all."}))])
    ) as server:
        config = tmp_path / "config.toml"
        config.write_text(
            f'[agent]\nmodel = "compatible"\n[llm.compatible]\nbase_url = "{server.url}/v1"\nmodel = "fake-model"\n'
        )
        with app(display, tmp_path, *trusted(config), "Click on the window") as running:
            until(lambda: running.states()[-1:] == ["error"], "the end", 200)
            refused = running.events("result")
            assert refused[0]["outcome"] == "refused" and refused[1]["outcome"] == "skipped"
            seen = "".join(json.dumps(request.body) for request in server.seen)
            assert "Tell me more" not in seen and "Desktop Agent" not in seen
