"""A policy of numbers is stopped where the permission ends: its time, its applications, its kinds of input."""

from __future__ import annotations

from pathlib import Path

import pytest

from desktop_agent.extras.ticks.numeric_policy import NumericPolicy, Tick
from desktop_agent.protocol import agent_events as say
from desktop_agent.protocol.geometry import Size
from desktop_agent.protocol.input_events import KeyDown
from desktop_agent.protocol.permission import Rules
from tests.policy.test_input_grant import TEN, Clock, presses
from tests.support.memory_desk import Bench


class Presser(NumericPolicy):
    """Presses a key in its second tick."""

    def __init__(self, key: str = "b", button: str = "") -> None:
        super().__init__("presser")
        self._keys, self._buttons = frozenset({key} - {""}), frozenset({button} - {""})

    def act(self, frame: bytes, size: Size, tick: int) -> Tick:
        if tick == 0:
            return Tick(0, 0)
        return Tick(0, 0, self._buttons, self._keys, done=tick == 2)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("limits", "minutes", "why"),
    [
        (TEN, 0, ""),
        (TEN, 11, "The time of your permission is over."),
        (Rules(applications=("gedit*",)), 0, "does not cover Paper"),
        (Rules(inputs=("pointer",)), 0, "does not cover the keyboard"),
        (Rules(inputs=("keyboard",)), 0, "does not cover the mouse"),
    ],
)
def test_a_policy_is_stopped_at_the_limits(limits: Rules, minutes: float, why: str, tmp_path: Path) -> None:
    now = Clock()
    bench = Bench(Presser(), tmp_path, permission="full", rules=limits, clock=now)
    bench.target.kind = "display"

    def hear(event: say.FeedEvent) -> None:
        if isinstance(event, say.LookTaken):
            now.pass_minutes(minutes)

    bench.on_event = hear
    bench.run()
    errors = [each.message for each in bench.of(say.Error)]
    assert bool(errors) == bool(why) and all(why in each for each in errors)
    assert presses(bench) == ([] if why else [KeyDown("b")])
