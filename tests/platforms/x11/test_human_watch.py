"""A human with a mouse and keyboard of their own (a VNC viewer) takes over from the real hand."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from desktop_agent.hand.client import Hands
from desktop_agent.hand.ipc.shared_block import Word
from desktop_agent.platforms.pointer_movement import REST
from desktop_agent.protocol import ops
from desktop_agent.protocol.geometry import Rect
from desktop_agent.protocol.input_events import Move, Text
from desktop_agent.targets import display as embedded
from tests.desk import Desk, until
from tests.hand.test_stop import a_terminal
from tests.hand.workplace import HOLDING, Workplace
from tests.support import rfb
from tests.support.desk import LabDesk

A = 0x61
MIXED = "Zwölf Boxkämpfer – 你好, ¿qué? Ωμέγα Ж " * 3
TAKEN = ("skipped", "you took over")
Act = Callable[[rfb.Human], None]


@pytest.fixture(scope="module")
def desk() -> Iterator[Desk]:
    with LabDesk() as target:
        yield Desk(target)


@pytest.fixture
def person(desk: Desk) -> Iterator[rfb.Human]:
    """Somebody at the display, whose mouse has moved before, long ago."""
    assert isinstance(desk.target, LabDesk)
    with desk.target.human() as somebody:
        somebody.pointer_event(600, 500)
        yield somebody


@dataclass
class Taken(Workplace):
    """A workplace that keeps what the brain was told of takeovers."""

    takeover: bool = True
    taken: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.hands = Hands(self.desk.target.address(), on_stop=self.stops.append, takeover=self.takeover)
        self.hands.on_takeover = self.taken.append

    @property
    def human_time(self) -> int:
        pair = self.hands._pair
        assert pair is not None
        return pair.shared[Word.HUMAN_TIME]

    def await_human(self, *acts: Act, by: rfb.Human) -> None:
        """Let the human act, and wait until the guard has seen it."""
        for act in acts:
            before = self.human_time
            act(by)
            until(lambda before=before: self.human_time != before, "the guard's look at it")  # type: ignore[misc]


@pytest.fixture
def place(desk: Desk, person: rfb.Human) -> Iterator[Taken]:
    workplace = Taken(desk)
    workplace.hands.start()
    yield workplace
    workplace.hands.close()
    assert desk.held() == (set(), 0)


def tap(human: rfb.Human) -> None:
    human.tap(A)


def move(human: rfb.Human) -> None:
    human.pointer_event(640, 520)


def click(human: rfb.Human) -> None:
    human.pointer_event(600, 500, rfb.LEFT)
    human.pointer_event(600, 500)


def scroll(human: rfb.Human) -> None:
    human.pointer_event(600, 500, rfb.WHEEL_DOWN)
    human.pointer_event(600, 500)


@pytest.mark.parametrize(
    ("act", "means"), [(tap, "keyboard"), (move, "mouse"), (click, "mouse"), (scroll, "mouse")]
)
def test_the_batch_ends_and_all_is_released(place: Taken, person: rfb.Human, act: Act, means: str) -> None:
    job = place.begin(*HOLDING, ops.Move(5, 5), index=3)
    act(person)
    assert [(r.outcome, r.detail) for r in job.results()][3:] == [TAKEN, TAKEN]
    assert place.desk.held() == (set(), 0)
    until(lambda: place.taken == [means], "the brain told")
    assert not place.hands.stopped


@pytest.mark.parametrize("delay", [0.0, 0.002])
def test_typing_ends_in_the_middle_of_the_text(
    place: Taken, person: rfb.Human, tmp_path: Path, delay: float
) -> None:
    terminal = a_terminal(place.desk, tmp_path / "typed")
    job = place.begin(ops.Type("xy\n" * 3333, delay=delay))
    until(lambda: (tmp_path / "typed").stat().st_size > 20, "some typing")
    tap(person)
    (result,) = job.results()
    place.desk.end(terminal)
    assert result.outcome == "skipped"
    assert result.detail.startswith("you took over") and "of 9999 characters" in result.detail


def test_until_the_agent_stands_down_every_batch_is_skipped(place: Taken, person: rfb.Human) -> None:
    job = place.begin(ops.Wait(25))
    tap(person)
    job.results()
    until(lambda: place.taken, "the brain told")
    assert place.do(ops.Move(5, 5)) == ["skipped"]
    place.hands.stand_down()
    assert place.do(ops.Move(5, 5)) == ["done"]
    assert place.taken == ["keyboard"]


def test_after_standing_down_the_human_may_do_anything(place: Taken, person: rfb.Human) -> None:
    assert place.do(ops.Move(5, 5)) == ["done"]
    place.hands.stand_down()
    place.await_human(tap, move, click, scroll, by=person)
    assert place.do(ops.Move(5, 5)) == ["done"] and place.taken == []


def test_a_takeover_that_is_told_too_late_is_none(place: Taken) -> None:
    assert place.do(ops.Move(5, 5)) == ["done"]
    place.hands._taken("mouse 1")
    place.hands.stand_down()
    place.hands._taken("mouse 1")
    assert place.taken == ["mouse"]


def test_between_batches_it_counts_too(place: Taken, person: rfb.Human) -> None:
    assert place.do(ops.Move(5, 5)) == ["done"]
    move(person)
    until(lambda: place.taken == ["mouse"], "the brain told")
    assert place.do(ops.Move(5, 5)) == ["skipped"]


def test_nobody_there_and_nothing_is_taken(place: Taken, person: rfb.Human) -> None:
    place.desk.launch("mousepad", title="Mousepad")
    work = (
        ops.Click(500, 400), ops.Type(MIXED), ops.KeyCombo(("ctrl", "a")), ops.KeyDown("x"), ops.Wait(0.7),
        ops.KeyUp("x"), ops.KeyCombo(("escape",)), ops.Scroll(0, 3, 500, 400), ops.Drag((ops.Spot(420, 300), ops.Spot(600, 420))),
        ops.Click(500, 400, count=2),
    )  # fmt: skip
    place.hold(*work)
    assert place.taken == [] and place.stops == [] and place.human_time == 1


def test_a_hand_resting_on_the_mouse_takes_nothing(place: Taken, person: rfb.Human) -> None:
    place.await_human(move, click, by=person)
    rested = threading.Event()
    rested.wait(2 * REST)  # how long a hand has to rest is what is tested
    job = place.begin(ops.Wait(1.0))
    person.pointer_event(601, 500)
    person.pointer_event(601, 502)
    person.pointer_event(600, 501)
    assert [r.outcome for r in job.results()] == ["done"] and place.taken == []


def test_escape_stops_and_is_no_takeover(place: Taken, person: rfb.Human) -> None:
    job = place.begin(ops.Wait(25))
    person.tap(rfb.ESCAPE)
    assert job.results()[0].outcome == "stopped"
    place.await_stop("ESC was pressed")
    assert place.taken == []


def test_our_own_window_is_for_talking_to_us(place: Taken, person: rfb.Human) -> None:
    panel = place.desk.panel(Rect(900, 100, 300, 300), 0xFFFFFF)
    try:
        assert place.do(ops.Wait(0.01)) == ["done"]
        place.await_human(lambda by: by.pointer_event(1000, 200), by=person)
        place.await_human(lambda by: by.pointer_event(1000, 200, rfb.LEFT), by=person)
        person.pointer_event(1000, 200)
        assert place.do(ops.Wait(0.01)) == ["done"]  # after a polite wait
        assert place.taken == []
        job = place.begin(ops.Wait(25))
        person.pointer_event(1050, 250)
        assert job.results()[0].outcome == "skipped"
        until(lambda: place.taken == ["mouse"], "the brain told")
    finally:
        panel.close()


@pytest.mark.parametrize(
    ("act", "means"), [(tap, "keyboard"), (move, "mouse"), (click, "mouse"), (scroll, "mouse")]
)
def test_the_hand_itself_sees_it_among_its_own_events(
    desk: Desk, person: rfb.Human, act: Act, means: str
) -> None:
    hand = embedded.attach(desk.target.address())
    try:
        hand.emit(Text("abc"))
        hand.emit(Move(300, 300))
        assert hand.human_used() is None
        act(person)
        used: list[str | None] = []

        def seen() -> bool:
            hand.pointer()  # any round trip
            used.append(hand.human_used())
            return used[-1] is not None

        until(seen, "the human's input")
        assert used[-1] == means and not any(hand.escapes())
    finally:
        hand.close()


def test_it_can_be_switched_off(desk: Desk, person: rfb.Human) -> None:
    place = Taken(desk, takeover=False)
    place.hands.start()
    try:
        job = place.begin(ops.Wait(0.5))
        tap(person)
        assert job.results()[0].outcome == "done" and place.taken == []
    finally:
        place.hands.close()
