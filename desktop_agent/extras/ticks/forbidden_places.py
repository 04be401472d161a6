"""Tells whether a policy's tick would act where nothing may be done: by the rows of the policy that refuse.

Ticks are not judged for what needs a yes, except for what lies beyond the permission's limits. What no level lifts (a lock screen, a dialog that asks for a person's rights,
another user's window) and the user's rules that deny are asked for each tick, by what is there at that moment. Our own
windows are left to the hand, which refuses single events there: the human may be using them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from desktop_agent.extras.ticks.numeric_policy import Tick
from desktop_agent.policy.facts.place import Place
from desktop_agent.policy.facts.place_lookup import Places
from desktop_agent.policy.rules import grant_limits
from desktop_agent.policy.rules.judge import judge
from desktop_agent.protocol import ops
from desktop_agent.protocol.errors import DesktopAgentError, Refused
from desktop_agent.protocol.geometry import Point
from desktop_agent.protocol.ops import Op, Spot
from desktop_agent.protocol.permission import Level, Rules
from desktop_agent.targets.faces import scene_of, windows_of


class ForbiddenPlace(DesktopAgentError):
    """What has the keyboard, or is under the pointer, is nothing that a policy may work in."""


@dataclass(frozen=True)
class ForbiddenPlaces:
    """Looks at the place of each tick. Raises TargetError where the target is gone."""

    places: Places
    level: Level
    rules: Rules
    grant_over: Callable[[], bool] = lambda: False

    def check_tellable(self) -> None:
        """Raises Refused for a real target that does not tell its windows."""
        target = self.places.target
        if not target.harmless and scene_of(target) is None and not windows_of(target).windows():
            raise Refused(
                f"{target.title} does not tell which window is where, so what a policy presses cannot be held back.",
                "Use --target display, or another model.",
            )

    def check(self, tick: Tick, point: Point | None, *, presses: bool) -> None:
        """Raises ForbiddenPlace. `point` is that of the tick on the screen, None for elsewhere; `presses`: it presses something new.

        Elements are read for new presses alone, and only where a rule is about elements.
        """
        near = presses and any(rule.role or rule.name for rule in self.rules.deny)
        front = self.places.focus(None if near else ())
        self._judge(front, _keyboard(tick), "has the keyboard")
        self._judge_grant(front, _pressed_keys(tick))
        if point is None:
            return
        under = self.places.now_at(point, ()) if near else self.places.at(point, ())
        self._judge(under, _pointer(tick), "is under the pointer")
        self._judge_grant(under, _pointer(tick))

    def _judge(self, place: Place, operations: Iterator[Op], where: str) -> None:
        if place.own:
            return
        for op in operations:
            verdict = judge(op, place, self.level, "user", self.rules)
            if verdict.kind == "refuse":
                raise ForbiddenPlace(
                    f"The policy was stopped, because of what {where}: {verdict.reason}",
                    "Bring the window it is to work in to the front, or change the rule, and start again.",
                )

    def _judge_grant(self, place: Place, operations: Iterator[Op]) -> None:
        """Raises ForbiddenPlace for what the permission's limits do not cover."""
        if place.own or place.simulated or not self.rules.limited:
            return
        over = self.grant_over()
        for op in operations:
            if reason := grant_limits.beyond(op, place, self.rules, over=over):
                raise ForbiddenPlace(
                    f"The policy was stopped: {reason}", "Give a permission that covers it, and start again."
                )


def _pointer(tick: Tick) -> Iterator[Op]:
    """What the tick does with the pointer, by every name that a rule may have for it."""
    yield ops.Move(0, 0)
    for button in sorted(tick.buttons):
        yield ops.MouseDown(button)
        yield ops.Click(button=button)
        yield ops.Drag((Spot(0, 0), Spot(0, 0)), button)


def _keyboard(tick: Tick) -> Iterator[Op]:
    """What the tick does with the keyboard, by every name that a rule may have for it; without keys it is only there."""
    yield ops.Move(0, 0)
    yield from _pressed_keys(tick)


def _pressed_keys(tick: Tick) -> Iterator[Op]:
    for key in sorted(tick.keys):
        yield ops.KeyDown(key)
        yield ops.KeyCombo((key,))
        yield ops.Type(key)
