"""What the hand itself sees: an ESC among its own events, and what is left when an event ends in the middle."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence

import pytest

from desktop_agent.hand.injector.controller import Controller
from desktop_agent.hand.injector.gestures import CHUNK
from desktop_agent.hand.ipc.shared_block import Reason, Shared, Word
from desktop_agent.platforms.base import MEANS, Means
from desktop_agent.protocol import ops
from desktop_agent.protocol.batch import Batch, OpResult, Progress
from desktop_agent.protocol.geometry import Viewport
from desktop_agent.protocol.input_events import InputEvent, KeyDown, Text
from tests.support.memory_input import SCREEN, MemoryInput
from tests.systems import WINDOWS

PIECE = 2


class PieceByPiece(MemoryInput):
    """Types two characters at a time and tells of ESC, as an X display does. `presses` are still to be told."""

    def __init__(self) -> None:
        super().__init__()
        self.presses: list[bool] = []
        self.used: list[Means] = []
        self.typed = ""
        self.rests: list[float] = []
        self.meanwhile: Callable[[], None] = lambda: None
        self.resting: Callable[[], None] = lambda: None

    def rest(self, seconds: float) -> bool:
        self.rests.append(seconds)
        self.resting()
        return False

    def check_with(self, check: Callable[[int], None]) -> None:
        self.check = check

    def escapes(self) -> Sequence[bool]:
        told, self.presses = self.presses, []
        return told

    def human_used(self) -> Means | None:
        told, self.used = self.used, []
        return next(iter(told), None)

    def emit(self, event: InputEvent) -> None:
        if isinstance(event, Text):
            for start in range(0, len(event.chunk), PIECE):
                self.check(start)
                self.typed += event.chunk[start : start + PIECE]
                self.meanwhile()
        if event == KeyDown("escape"):
            self.presses.append(True)
        super().emit(event)


class Desk:
    def __init__(self) -> None:
        self.input, self.shared = PieceByPiece(), Shared.private()
        self.controller = Controller(self.input, self.shared)
        self.told: Callable[[Progress | OpResult], None] = lambda message: None

    def do(self, *operations: ops.Op) -> list[OpResult]:
        view = Viewport(SCREEN, SCREEN.size, epoch=1)
        batch = Batch("b", operations, view, {}, self.shared.generation, 20)
        return self.controller.execute(batch, lambda message: self.told(message))

    def after(self, characters: int, happens: Callable[[], None]) -> None:
        """Let something happen when so many characters have been typed."""
        self.input.meanwhile = lambda: happens() if len(self.input.typed) == characters else None


@pytest.fixture
def desk() -> Iterator[Desk]:
    found = Desk()
    yield found
    assert not found.shared.holding and found.controller.held == ()


@pytest.mark.parametrize("own_device", [False, True])
def test_an_escape_between_two_characters_ends_the_text_there(desk: Desk, own_device: bool) -> None:
    desk.after(22, lambda: desk.input.presses.append(own_device))
    (result,) = desk.do(ops.Type("x" * 100))
    assert (result.outcome, result.detail) == ("stopped", "ESC was pressed (22 of 100 characters were typed)")
    assert len(desk.input.typed) == 22
    assert desk.shared.stopped and desk.shared.reason is Reason.ESCAPE
    assert desk.do(ops.Move(5, 5))[0].outcome == "stopped"
    desk.shared.reset()
    assert desk.do(ops.Move(5, 5))[0].outcome == "done"


def test_another_stop_and_a_takeover_end_the_text_there_too(desk: Desk) -> None:
    desk.after(6, lambda: desk.shared.stop(Reason.BRAIN))
    assert desk.do(ops.Type("x" * 100))[0].detail == "stopped (6 of 100 characters were typed)"
    desk.shared.reset()
    desk.shared[Word.ARMED] = 7
    desk.after(6 + 20, lambda: desk.shared.__setitem__(Word.TAKEN, 7))
    result = desk.do(ops.Type("x" * 100))[0]
    assert (result.outcome, result.detail) == ("skipped", "you took over (20 of 100 characters were typed)")


def test_the_humans_own_input_ends_the_text_there(desk: Desk) -> None:
    desk.shared[Word.ARMED] = 5
    desk.input.used.append("mouse")  # of before the batch: not this one's
    desk.after(8, lambda: desk.input.used.append("keyboard"))
    result = desk.do(ops.Type("x" * 100))[0]
    assert (result.outcome, result.detail) == ("skipped", "you took over (8 of 100 characters were typed)")
    assert desk.shared[Word.HAND_TAKEN] == 5 and MEANS[desk.shared[Word.HAND_MEANS]] == "keyboard"
    assert not desk.shared.stopped
    desk.shared[Word.ARMED] = 0  # nobody asked for it
    desk.after(108, lambda: desk.input.used.append("keyboard"))
    assert desk.do(ops.Type("x" * 104))[0].outcome == "done"


def test_a_text_goes_on_as_far_as_it_has_leave(desk: Desk) -> None:
    desk.shared[Word.TEXT_LIMIT] = CHUNK
    waited: list[int] = []

    def give_leave() -> None:
        waited.append(len(desk.input.typed))
        desk.shared[Word.TEXT_LIMIT] += CHUNK

    desk.input.resting = give_leave
    assert desk.do(ops.Type("x" * (2 * CHUNK + 3)), ops.Type("y"))[1].outcome == "done"
    assert waited == [CHUNK, 2 * CHUNK]


def test_a_text_that_is_ended_stops_between_two_characters(desk: Desk) -> None:
    desk.after(6, lambda: desk.shared.__setitem__(Word.TEXT_ENDED, 1))
    (result,) = desk.do(ops.Type("x" * 100))
    assert (result.outcome, result.typed) == ("refused", 6)
    assert result.detail.startswith("The keyboard went to another field")
    desk.shared[Word.TEXT_ENDED] = 0
    (done,) = desk.do(ops.Type("abcd"))
    assert (done.outcome, done.typed) == ("done", 4)


def test_the_hands_own_escape_excuses_itself_alone(desk: Desk) -> None:
    own = (ops.KeyCombo(("escape",)), ops.Type("abcd"), ops.KeyCombo(("escape",)))
    assert {result.outcome for result in desk.do(*own)} == {"done"}
    desk.after(6, lambda: desk.input.presses.append(True))
    assert desk.do(*own)[1].outcome == "stopped"


def test_an_escape_that_was_read_before_a_wait_ends_it_at_once(desk: Desk) -> None:
    desk.told = lambda message: desk.input.presses.append(False) if isinstance(message, Progress) else None
    assert desk.do(ops.Wait(5))[0].outcome == "stopped"
    assert desk.input.rests == []


def test_an_escape_between_batches_is_one_of_then(desk: Desk) -> None:
    desk.input.presses.append(False)
    desk.controller.look()
    assert desk.shared.reason is Reason.ESCAPE
    desk.shared.reset()
    assert desk.do(ops.Type("abcd"))[0].outcome == "done"


def test_the_guard_starts_without_anything_slow() -> None:
    slow = {
        "PySide6",
        "numpy",
        "openai",
        "anthropic",
        "mss",
        "PIL",
        "jeepney",
        "asyncio",
        "ssl",
        "logging",
        "email",
    }
    system, library = ("windows", "ctypes") if WINDOWS else ("x11", "xcffib")
    program = (
        "import sys, desktop_agent.hand.guard.main\n"
        "from desktop_agent.support import plugins\n"
        "assert hasattr(plugins.load('target', 'local'), 'watch')\n"
        f"import desktop_agent.platforms.{system}.input_watch.escape_watch\n"
        "print(*sorted({name.partition('.')[0] for name in sys.modules}))"
    )
    loaded = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    ).stdout
    assert library in loaded
    assert slow.isdisjoint(loaded.split())
