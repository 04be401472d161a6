"""Hand and guard on a real Windows session: Esc, deaths, and a hook that Windows has dropped."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence

import pytest

from desktop_agent.hand.client import Hands
from desktop_agent.hand.ipc.shared_block import Shared, Word
from desktop_agent.hand.own_escapes import Escapes
from desktop_agent.platforms.windows.input.sendinput_records import KEY_UNICODE, KeyRecord, Record
from desktop_agent.platforms.windows.input_watch import escape_watch, release
from desktop_agent.platforms.windows.input_watch.hooks import Hooks
from desktop_agent.platforms.windows.user32 import User32
from desktop_agent.protocol import ops
from desktop_agent.protocol.batch import Batch, OpResult
from desktop_agent.protocol.errors import HandError, TargetError
from desktop_agent.protocol.geometry import Viewport
from desktop_agent.targets._windows import WindowsScreen
from installer.windows_check.probes.keys import CTRL, ESCAPE, PACKET, KeyLog, held
from tests.support.waiting import until
from tests.support.windows_desk import Reader, press
from tests.support.windows_kills import rounds

pytestmark = pytest.mark.skipif(sys.platform != "win32", reason="asks Windows itself")
LONG = "The quick brown fox jumps over the lazy dog. " * 200
MIXED = "Zażółć gęślą jaźń 😀🎉 你好 αβγ\tтест\n" * 3
F9 = 0x78


@pytest.fixture(scope="module")
def reader() -> Iterator[Reader]:
    with Reader() as window:
        yield window


@pytest.fixture
def hands() -> Iterator[Hands]:
    """Their own for each test: a hand that was ended in one of them fails no other."""
    found = Hands(WindowsScreen().address())
    found.start()
    yield found
    found.close()
    assert held() == []


def batch(hands: Hands, *operations: ops.Op) -> Batch:
    layout = WindowsScreen().geometry()
    view = Viewport(layout.bounds, layout.bounds.size, layout.epoch)
    return Batch("b", operations, view, {}, hands.generation, 60)


class Job(threading.Thread):
    """A batch under way."""

    def __init__(self, hands: Hands, *operations: ops.Op) -> None:
        super().__init__()
        self._hands, self._batch = hands, batch(hands, *operations)
        self.results: Sequence[OpResult] = ()
        self.error = ""
        self.start()

    def run(self) -> None:
        try:
            self.results = self._hands.execute(self._batch)
        except HandError as error:
            self.error = str(error)


def test_text_is_exact_through_all_checks(hands: Hands, reader: Reader) -> None:
    reader.clear()
    reader.focus()
    (result,) = hands.execute(batch(hands, ops.Type(MIXED)))
    assert result.outcome == "done"
    until(lambda: len(reader.text) >= len(MIXED), "all characters")
    assert reader.text == MIXED


def test_at_most_two_characters_follow_an_escape(hands: Hands, reader: Reader) -> None:
    """A hand that a busy system keeps from letting go in time is ended, which is a stop too; not every time, though."""
    reader.focus()
    stopped = 0
    with KeyLog() as log:
        for number in range(8):
            hands.reset()
            log.events.clear()
            job = Job(hands, ops.Type(LONG))
            until(lambda: len(log.presses) > 20 + 30 * number, "some characters")  # noqa: B023 - called at once
            press(ESCAPE)
            press(ESCAPE, up=True)
            job.join(30)
            assert job.error == "" or "did not answer" in job.error, job.error
            if not job.error:
                (result,) = job.results
                assert result.outcome == "stopped" and "ESC" in result.detail
                stopped += 1
            codes = [key.code for key in log.presses]
            assert codes[codes.index(ESCAPE) :].count(PACKET) <= 2
            until(lambda: held() == [], "everything released")
    assert stopped


def test_what_other_programs_inject_is_no_takeover(hands: Hands, reader: Reader) -> None:
    taken: list[str] = []
    hands.on_takeover = taken.append
    reader.clear()
    reader.focus()
    job = Job(hands, ops.Type(LONG[:2_000]))
    until(lambda: reader.text != "", "some text")
    press(F9)
    press(F9, up=True)
    job.join(30)
    assert job.error == "" and [each.outcome for each in job.results] == ["done"] and taken == []


def test_our_own_escape_stops_nothing(hands: Hands, reader: Reader) -> None:
    reader.focus()
    operations = (ops.KeyCombo(("escape",)), ops.Wait(0.3), ops.KeyCombo(("shift", "escape")), ops.Wait(0.3))
    assert {each.outcome for each in hands.execute(batch(hands, *operations))} == {"done"}
    assert not hands.stopped


def on_its_thread(hooks: Hooks, work: Callable[[], object]) -> None:
    """Done by the thread that has the hooks: of another's Wine's server loses count, and dies of it."""
    rest, done = hooks._rest, threading.Event()

    def once() -> None:
        hooks._rest = rest
        work()
        done.set()

    hooks._rest = once
    assert done.wait(20)


def end(hooks: Hooks) -> None:
    """Take the hooks away and end their thread."""
    for hook in hooks._set:
        hooks._user32.UnhookWindowsHookEx(hook)
    hooks._set = []
    hooks._user32.PostQuitMessage(0)


def test_a_hook_that_windows_dropped_is_set_anew(monkeypatch: pytest.MonkeyPatch, reader: Reader) -> None:
    monkeypatch.setattr(escape_watch, "PROBE_SECONDS", 0.2)
    shared, stops = Shared.private(), list[float]()
    shared[Word.BUSY] = 1
    escapes = Escapes(shared, lambda: stops.append(time.perf_counter()), time.perf_counter)
    hooked = escape_watch.Hooked(User32(), escapes, None)
    hooked.start()
    hooks: Hooks = hooked._hooks
    first = hooks._set[0]
    on_its_thread(hooks, lambda: hooks._user32.UnhookWindowsHookEx(first))
    press(ESCAPE)
    press(ESCAPE, up=True)
    assert stops == []
    until(lambda: hooks._set[0] != first, "another hook")
    press(ESCAPE)
    press(ESCAPE, up=True)
    until(lambda: bool(stops), "the stop")
    shared[Word.BUSY] = 0
    on_its_thread(hooks, lambda: end(hooks))


def test_a_hook_that_lives_stays_and_the_probe_presses_nothing(
    monkeypatch: pytest.MonkeyPatch, reader: Reader
) -> None:
    monkeypatch.setattr(escape_watch, "PROBE_SECONDS", 0.1)
    shared = Shared.private()
    shared[Word.BUSY] = 1
    hooked = escape_watch.Hooked(User32(), Escapes(shared, lambda: None, time.perf_counter), None)
    hooked.start()
    hooks: Hooks = hooked._hooks
    first = hooks._set[0]
    with KeyLog() as log:
        until(lambda: len([each for each in log.events if each.code == escape_watch.PROBE]) > 4, "probes")
    assert hooks._set[0] == first
    assert [each for each in log.presses if each.code == escape_watch.PROBE] == []
    shared[Word.BUSY] = 0
    on_its_thread(hooks, lambda: end(hooks))


def test_the_state_of_the_keyboard_tells_of_an_escape_alone(reader: Reader) -> None:
    shared, stopped = Shared.private(), threading.Event()
    watch = escape_watch.StateWatch(User32())
    watch.start(Escapes(shared, stopped.set, time.perf_counter), lambda: 0.004, lambda: None)
    press(ESCAPE)
    found = stopped.wait(10)
    press(ESCAPE, up=True)
    assert found


class Refusing(User32):
    """A Windows that takes no input for a while, as when it asks for a password itself."""

    def __init__(self) -> None:
        super().__init__()
        self.asked = 0

    def send(self, records: Sequence[Record]) -> None:
        self.asked += 1
        if self.asked < 4:
            raise TargetError("Windows does not take our input here.")
        super().send(records)


def test_a_character_cut_off_between_press_and_release_is_let_go() -> None:
    user32 = User32()
    user32.send([KeyRecord(0, ord("é"), KEY_UNICODE)])
    assert held() == [PACKET]
    assert release.WindowsReleaser(user32).release([PACKET], []) and held() == []


def test_a_release_waits_until_windows_takes_input_again() -> None:
    press(F9)
    press(CTRL)
    until(lambda: set(held()) == {F9, CTRL}, "both keys")
    refusing = Refusing()
    assert release.WindowsReleaser(refusing).release([F9, CTRL], [])
    assert refusing.asked == 4 and held() == []


def test_nothing_stays_held_whoever_is_killed() -> None:
    found = list(rounds(6))
    assert {each.victim for each in found} == {"brain", "hand", "guard"} and any(
        each.seen.held for each in found
    )
    for each in found:
        assert each.seen.left == () and each.seen.released is not None and each.seen.ended, each
