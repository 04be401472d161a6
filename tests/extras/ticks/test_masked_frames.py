"""A policy's frames show no password field and no secret, from the first one on and as long as it works."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from desktop_agent.agent.looking.privacy_filter import PrivacyFilter
from desktop_agent.extras.ticks import masked_frames
from desktop_agent.extras.ticks.masked_frames import MaskedFrames
from desktop_agent.extras.ticks.numeric_policy import NumericPolicy, Tick
from desktop_agent.platforms.base import WindowInfo
from desktop_agent.protocol import agent_events as say
from desktop_agent.protocol.errors import CannotAct, TargetError
from desktop_agent.protocol.geometry import Rect, Size
from desktop_agent.redaction import redactor
from desktop_agent.vision.capture.frame import Frame
from desktop_agent.vision.capture.masks import Privacy
from desktop_agent.vision.encoding.encode import crop
from desktop_agent.vision.observation import Element
from tests.desk import Desk, until
from tests.support.memory_desk import SAVE, Bench, MemoryTarget

LOGIN = Path(__file__).parents[2] / "vision" / "apps" / "gtk_password.py"

PLACE = Rect(300, 200, 40, 20)
PASSWORD = Element(id="e2", role="password text", name="Password", bounds=PLACE, window="Paper", pid=SAVE.pid)
SECRET = "planted-0123456789"
NOTE = Element(id="e3", role="label", name=f"key: {SECRET}", bounds=PLACE, window="Paper", pid=SAVE.pid)
GREY = b"\x80\x80\x80\x00"
MANY = 5_000
"""Ticks after which a test gives up: some minutes."""


class Looker(NumericPolicy):
    """Notes for each frame whether all of the place is grey; `each` says after it whether that is enough."""

    def __init__(self, each: Callable[[int], bool]) -> None:
        super().__init__("looker")
        self.hidden: list[bool] = []
        self.x = PLACE.x
        self._each = each

    def act(self, frame: bytes, size: Size, tick: int) -> Tick:
        rows = range(PLACE.y, PLACE.bottom)
        starts = ((row * size.width + self.x) * 4 for row in rows)
        self.hidden.append(all(frame[at : at + PLACE.width * 4] == GREY * PLACE.width for at in starts))
        return Tick(10, 10, done=self._each(tick) or tick > MANY)


@pytest.fixture(autouse=True)
def secrets(no_secrets: None) -> None:
    del no_secrets
    redactor.redactor().know(SECRET)


def bench(policy: NumericPolicy, runs: Path, *things: Element, target: MemoryTarget | None = None) -> Bench:
    made = Bench(policy, runs, target=target or MemoryTarget())
    made.target.simulated = True
    made.target.things = (SAVE, *things)
    return made


@pytest.mark.parametrize("shown", [PASSWORD, NOTE])
def test_the_first_frame_hides_what_is_there(shown: Element, tmp_path: Path) -> None:
    policy = Looker(lambda tick: tick == 3)
    made = bench(policy, tmp_path, shown)
    made.run()
    assert made.states[-1] == "done" and policy.hidden == [True] * 4


def test_without_anything_to_hide_nothing_is_hidden(tmp_path: Path) -> None:
    policy = Looker(lambda tick: tick == 1)
    bench(policy, tmp_path).run()
    assert policy.hidden == [False, False]


@pytest.mark.parametrize("shown", [PASSWORD, NOTE])
@pytest.mark.parametrize("still", [True, False])
def test_what_appears_in_a_window_is_found(shown: Element, still: bool, tmp_path: Path) -> None:
    def each(tick: int) -> bool:
        if tick == 1:
            made.target.things = (SAVE, shown)
        return policy.hidden[-1]

    policy = Looker(each)
    made = bench(policy, tmp_path)
    made.target.still = still
    made.run()
    assert policy.hidden[-1] and not policy.hidden[0]


def test_a_text_that_moved_is_hidden_where_it_is_now(tmp_path: Path) -> None:
    def each(tick: int) -> bool:
        policy.x = 500
        made.target.things = (SAVE, msgspec.structs.replace(NOTE, bounds=PLACE.moved(500 - PLACE.x, 0)))
        made.target.input.events.append(made.target.input.events[-1])  # so that the picture is another one
        return tick == 4

    policy = Looker(lambda tick: tick > 0 and each(tick))
    made = bench(policy, tmp_path, NOTE)
    made.run()
    assert policy.hidden == [True] * 5


@pytest.mark.parametrize("shown", [PASSWORD, NOTE])
def test_a_window_that_comes_up_is_looked_at_before_its_first_frame(shown: Element, tmp_path: Path) -> None:
    def each(tick: int) -> bool:
        if tick == 1:
            made.target.things = (SAVE, msgspec.structs.replace(shown, window="Login"))
            made.target.window = WindowInfo("Login", SAVE.pid, "Paper", made.target.window.bounds, "paper")
        return tick == 3

    policy = Looker(each)
    made = bench(policy, tmp_path)
    made.run()
    assert policy.hidden == [False, False, True, True]


def test_a_look_that_fails_ends_the_run(tmp_path: Path) -> None:
    class Broken(MemoryTarget):
        broken = False

        def elements(self) -> tuple[Element, ...]:
            if self.broken:
                raise TargetError("The tree is gone.", "Start it again.")
            return (SAVE,)

    def each(tick: int) -> bool:
        target.broken = True
        return False

    target = Broken()
    made = bench(Looker(each), tmp_path, target=target)
    made.run()
    assert made.states[-1] == "error" and made.of(say.Error)[0].message == "The tree is gone."


def test_a_pause_is_no_end_of_looking(monkeypatch: pytest.MonkeyPatch) -> None:
    class Paused(MemoryTarget):
        refused = 0
        paused = False

        def observe(self, region: Rect | None = None) -> Frame:
            if self.paused:
                self.refused += 1
                raise CannotAct("It is paused.", "Press Resume.")
            return super().observe(region)

    monkeypatch.setattr(masked_frames, "LOOK_SECONDS", 0.01)
    target = Paused()
    frames = MaskedFrames(target, PrivacyFilter(target, Privacy()), None)
    with frames.kept_current():
        target.paused = True
        until(lambda: target.refused > 1, "two looks during the pause")
        target.paused = False
        assert frames.grab().pixels


@pytest.mark.linux("shows a real window")
def test_a_real_login_window_is_hidden_while_frames_are_taken(display: Desk) -> None:
    frames = MaskedFrames(display.target, PrivacyFilter(display.target), None)
    with frames.kept_current():
        frames.grab()
        display.launch(sys.executable, str(LOGIN), title="GTK login")

        def field() -> Element | None:
            found = (each for each in display.target.elements() if "password" in each.role)
            return next(found, None)

        place = until(field, "the password field").bounds

        def hidden() -> bool:
            shown = crop(frames.grab(), place).pixels
            return shown == GREY * (len(shown) // 4)

        until(hidden, "a frame without it")
        assert all(hidden() for _ in range(30))
