"""A policy is stopped where nothing may be done: by the window that has the keyboard or is under its pointer."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import msgspec
import pytest

from desktop_agent.extras.ticks.numeric_policy import NumericPolicy, Tick
from desktop_agent.platforms.base import WindowInfo
from desktop_agent.protocol import agent_events as say
from desktop_agent.protocol.geometry import Point, Rect, Size
from desktop_agent.protocol.input_events import ButtonDown, KeyDown
from desktop_agent.protocol.permission import Rule, Rules
from desktop_agent.support.paths import NAME
from tests.support.memory_desk import SAVE, Bench, MemoryTarget

RIGHT = Rect(400, 0, 400, 600)
"""Where another window lies; the pointer is left of it unless a test says otherwise."""
LOCKED = WindowInfo("", 5, "i3lock", RIGHT, "i3lock")
ASKING = WindowInfo("Authenticate", 5, "", RIGHT, "some-agent")
FOREIGN = WindowInfo("root's", 5, "XTerm", RIGHT, "", foreign=True)
BANK = WindowInfo("Account", 5, "Bank", RIGHT, "bank")
RULES = Rules(deny=(Rule(application="Bank"),))


class TwoWindows(MemoryTarget):
    """One window left, and another one right once it is `shown`, which has the keyboard if it `takes_keys`."""

    def __init__(self, other: WindowInfo, *, takes_keys: bool = True) -> None:
        super().__init__()
        self.other, self.takes_keys, self.shown = other, takes_keys, False

    def windows(self) -> Sequence[WindowInfo]:
        return (self.window, self.other) if self.shown else (self.window,)

    def focused_window(self) -> WindowInfo:
        return self.other if self.shown and self.takes_keys else self.window

    def window_at(self, point: Point) -> WindowInfo:
        return self.other if self.shown and RIGHT.contains(point) else self.window


class Presser(NumericPolicy):
    """Presses A before the other window is shown and B after it; then it is done."""

    def __init__(self, show: Callable[[], None], *, x: int = 10, button: bool = False) -> None:
        super().__init__("presser")
        self._show, self._x, self._button = show, x, button

    def act(self, frame: bytes, size: Size, tick: int) -> Tick:
        if tick == 1:
            self._show()
        if self._button:
            return Tick(self._x, 50, frozenset(("left",)) if tick else frozenset(), done=tick == 3)
        return Tick(self._x, 50, keys=frozenset(("b",) if tick else ("a",)), done=tick == 3)


def run(
    target: TwoWindows, folder: Path, *, x: int = 10, button: bool = False, rules: Rules = RULES
) -> Bench:
    def show() -> None:
        target.shown = True

    target.kind = "display"
    made = Bench(Presser(show, x=x, button=button), folder, target=target, rules=rules)
    made.run()
    return made


def presses(made: Bench) -> list[object]:
    return [each for each in made.target.input.events if isinstance(each, KeyDown | ButtonDown)]


@pytest.mark.parametrize("takes_keys", [True, False], ids=["has the keyboard", "is under the pointer"])
@pytest.mark.parametrize(
    ("other", "why"),
    [
        (LOCKED, "is locked"),
        (ASKING, "person's rights"),
        (FOREIGN, "more rights"),
        (BANK, "rule of the user"),
    ],
)
def test_the_run_ends_before_the_next_press(
    other: WindowInfo, why: str, takes_keys: bool, tmp_path: Path
) -> None:
    made = run(TwoWindows(other, takes_keys=takes_keys), tmp_path, x=10 if takes_keys else 500)
    (error,) = made.of(say.Error)
    assert made.states[-1] == "error" and why in error.message
    assert ("has the keyboard" if takes_keys else "is under the pointer") in error.message
    assert presses(made) == [KeyDown("a")]
    made.session._close()
    assert made.target.input.down == set()


@pytest.mark.parametrize("other", [LOCKED, FOREIGN, BANK])
def test_beside_it_the_policy_works_on(other: WindowInfo, tmp_path: Path) -> None:
    made = run(TwoWindows(other, takes_keys=False), tmp_path)
    assert made.states[-1] == "done" and presses(made) == [KeyDown("a"), KeyDown("b")]


@pytest.mark.parametrize(
    ("rule", "refused"),
    [
        (Rule(role="push button", name="Save"), True),
        (Rule(role="push button", name="Send"), False),
        (Rule(op="click", window="Paper"), True),
        (Rule(op="mouse_down", window="Paper"), True),
        (Rule(op="type", window="Paper"), False),
        (Rule(op="write_file"), False),
    ],
)
def test_rules_about_elements_and_operations(rule: Rule, refused: bool, tmp_path: Path) -> None:
    target = TwoWindows(BANK, takes_keys=False)
    target.things = (msgspec.structs.replace(SAVE, bounds=Rect(0, 40, 80, 30)),)
    made = run(target, tmp_path, button=True, rules=Rules(deny=(rule,)))
    assert made.states[-1] == ("error" if refused else "done")
    # On a busy machine a tick may come so late that the hand lets go meanwhile: then it is pressed again.
    assert set(presses(made)) == (set() if refused else {ButtonDown("left")})


def test_our_own_window_is_left_to_the_hand(tmp_path: Path) -> None:
    made = run(TwoWindows(WindowInfo("Agent", 5, NAME, RIGHT)), tmp_path)
    assert made.states[-1] == "done"


def test_a_place_outside_the_screen_is_left_to_the_hand(tmp_path: Path) -> None:
    made = run(TwoWindows(BANK, takes_keys=False), tmp_path, x=1_000_000)
    assert made.states[-1] == "done" and not presses(made)


def test_a_real_place_that_tells_no_windows_is_not_begun(tmp_path: Path) -> None:
    class Blind(MemoryTarget):
        kind = "display"

        def windows(self) -> Sequence[WindowInfo]:
            return ()

        def scene(self) -> None:  # type: ignore[override]  # as that of a target which cannot tell
            return None

    made = Bench(Presser(lambda: None), tmp_path, target=Blind())
    made.run()
    assert made.states[-1] == "error" and "does not tell which window" in made.of(say.Error)[0].message
    assert not made.target.input.events
