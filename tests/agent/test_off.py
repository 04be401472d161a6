"""Off means off: between runs and while paused nothing is looked at; what the guard says pauses a run with words."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from desktop_agent.protocol import agent_events as say
from desktop_agent.protocol.agent_events import FeedEvent
from desktop_agent.protocol.errors import Off, OffReason, off_error
from desktop_agent.protocol.geometry import Rect
from desktop_agent.protocol.stop_flag import StopFlag
from desktop_agent.vision.capture.frame import Frame
from desktop_agent.vision.encoding.live_preview import LivePreview
from tests.agent.test_run_loop import CLICK, DONE, turn
from tests.support.memory_desk import Bench, MemoryTarget, ScriptedModel


class Counting(MemoryTarget):
    """A desktop that counts the pictures that were taken of it."""

    pictures = 0

    def draw(self, area: Rect) -> bytes:
        self.pictures += 1
        return super().draw(area)


@pytest.fixture
def target() -> Counting:
    return Counting()


def refused(target: Counting) -> bool:
    before = target.pictures
    for look in (target.observe, target.elements):
        try:
            look()
        except Off:
            continue
        return False
    return target.pictures == before


def test_before_and_after_a_run_nothing_can_be_seen(target: Counting, tmp_path: Path) -> None:
    bench = Bench(ScriptedModel(turn(CLICK), DONE), tmp_path, target)
    assert refused(target)
    bench.run()
    assert bench.states[-1] == "done" and target.pictures and refused(target)
    seen = target.pictures
    bench.run("again")
    assert target.pictures > seen and refused(target)


def test_while_paused_no_picture_is_taken_not_even_for_the_preview(target: Counting, tmp_path: Path) -> None:
    model = ScriptedModel(turn(CLICK), DONE)
    bench = Bench(model, tmp_path, target)
    paused, looked = threading.Event(), list[int]()

    def think(stop: StopFlag) -> None:
        if len(model.asked) == 1:
            bench.session.pause()

    def hear(event: FeedEvent) -> None:
        if isinstance(event, say.Status) and event.state == "paused":
            paused.set()

    def grab(pace: object) -> Frame:
        looked.append(target.pictures)
        return target.observe()

    model._wait, bench.on_event = think, hear
    run = threading.Thread(target=bench.run)
    run.start()
    assert paused.wait(30)
    before = target.pictures
    live = LivePreview(grab, lambda region, picture: None, 5)
    live.start()
    while len(looked) < 3:
        threading.Event().wait(0.01)
    live.close()
    assert target.pictures == before and refused(target)
    bench.session.resume()
    run.join(30)
    assert bench.states[-1] == "done" and target.pictures > before


def test_of_ones_own_screen_a_live_picture_comes_while_it_works_and_none_while_it_waits_for_an_answer(
    target: Counting, tmp_path: Path
) -> None:
    model = ScriptedModel(turn({"op": "ask", "question": "Which?"}), DONE)
    bench = Bench(model, tmp_path, target, previews=5)
    tries = threading.Semaphore(0)
    preview = bench.session._privacy_filter.preview
    shown, waiting = threading.Event(), list[int]()

    def counted(grab: Callable[[], Frame]) -> Frame:
        try:
            return preview(grab)
        finally:
            tries.release()

    def hear(event: FeedEvent) -> None:
        if isinstance(event, say.Preview):
            shown.set()
        if isinstance(event, say.Status) and event.state == "waiting_for_user":
            waiting.append(counted_after_the_next_try())
            for _ in range(2):
                assert tries.acquire(timeout=20)
            waiting.append(target.pictures)
            bench.session.send("The first")

    def counted_after_the_next_try() -> int:
        """The pictures so far, once none that was begun before is still being taken."""
        while tries.acquire(blocking=False):
            pass
        assert tries.acquire(timeout=20)
        return target.pictures

    bench.session._privacy_filter.preview = counted  # type: ignore[method-assign]

    def think(stop: StopFlag) -> None:
        assert shown.wait(20)

    model._wait, bench.on_event = think, hear
    bench.run()
    assert shown.is_set() and waiting[0] == waiting[1]
    assert bench.states[-1] == "done" and refused(target)


class Guarded:
    """What the guard says of the session."""

    def __init__(self, bench: Bench, reasons: int) -> None:
        self.reasons = reasons
        bench.hand.check_off = self.check  # type: ignore[method-assign]

    def check(self) -> None:
        if self.reasons:
            raise off_error(self.reasons)


@pytest.mark.parametrize("reason", list(OffReason))
def test_what_the_guard_says_pauses_with_words_and_is_looked_at_anew(
    target: Counting, tmp_path: Path, reason: OffReason
) -> None:
    bench = Bench(ScriptedModel(turn(CLICK), DONE), tmp_path, target)
    guard = Guarded(bench, reason)
    seen: list[tuple[str, int]] = []

    def hear(event: FeedEvent) -> None:
        if isinstance(event, say.Status) and event.state == "paused":
            seen.append((event.detail, target.pictures))
            guard.reasons = 0
            bench.session.resume()

    bench.on_event = hear
    bench.run()
    assert seen == [(str(off_error(reason)), 0)]
    assert bench.states[-1] == "done" and target.pictures


def test_resuming_is_the_yes_to_what_fills_the_screen(target: Counting, tmp_path: Path) -> None:
    bench = Bench(ScriptedModel(DONE), tmp_path, target)
    guard = Guarded(bench, OffReason.FULL_SCREEN)
    said: list[bool] = []

    def allow(allowed: bool) -> None:
        said.append(allowed)
        guard.reasons = 0 if allowed else guard.reasons

    def hear(event: FeedEvent) -> None:
        if isinstance(event, say.Status) and event.state == "paused":
            bench.session.resume()

    bench.hand.allow_full_screen = allow  # type: ignore[method-assign]
    bench.on_event = hear
    bench.run()
    assert said == [False, True] and bench.states[-1] == "done"


def test_the_word_of_the_guard_ends_the_models_thinking(target: Counting, tmp_path: Path) -> None:
    model = ScriptedModel(DONE)
    bench = Bench(model, tmp_path, target)

    def think(stop: StopFlag) -> None:
        if len(model.asked) == 1:
            bench.hand.on_off(off_error(OffReason.LOCKED))
            stop.wait(1_000)

    def hear(event: FeedEvent) -> None:
        if isinstance(event, say.Status) and event.state == "paused":
            assert "locked" in event.detail
            bench.session.resume()

    model._wait, bench.on_event = think, hear
    bench.run()
    assert bench.states.count("paused") == 1 and len(bench.of(say.LookTaken)) == 2
