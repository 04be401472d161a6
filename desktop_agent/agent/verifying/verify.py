"""Whether an operation had the effect that is meant by it: by the elements before and after, and by what changed.

Confirmed is only what can be seen in the tree itself: a box that is ticked now, a text that is in
its box, a thing that has moved. A picture that changed somewhere is no proof of that.
"""

from __future__ import annotations

import time
from collections.abc import Callable

from desktop_agent.agent.verifying.rules import BeforeAfter, EffectVerdict, proof
from desktop_agent.agent.verifying.slide_tracking import Following
from desktop_agent.agent.verifying.stale_tree import misplaced, without
from desktop_agent.protocol import ops
from desktop_agent.protocol.ops import Op
from desktop_agent.protocol.stop_flag import StopFlag
from desktop_agent.vision.observation import Observation
from desktop_agent.vision.settling.result import Settled

CHECKED = (
    ops.ClickElement, ops.HoverElement, ops.FocusElement, ops.DragElement, ops.ScrollElement, ops.Type, ops.Click,
    ops.Scroll,
)  # fmt: skip
"""Operations whose effect is looked for."""
SCROLLING = (ops.KeyCombo, ops.Drag)
"""These may scroll as well: what they leave is looked at until the tree has followed."""
_STAYING = (ops.Type, ops.HoverElement, ops.FocusElement)
"""These move nothing but what they are about."""
LATE_SECONDS, LATE_LOOKS = 0.1, 5
"""What the tree may tell late is looked for again after so long, so many times."""
MISPLACED_LOOKS = 30
"""The same where things are told to be where they are seen not to be: a busy browser takes its time."""


def wants_look(operations: tuple[Op, ...]) -> bool:
    """Is there something among them whose effect only a look can tell?"""
    return any(isinstance(op, (*CHECKED, *SCROLLING)) for op in operations)


def looked(
    operations: tuple[Op, ...],
    before: Observation,
    settled: Settled,
    look: Callable[[], Observation],
    stop: StopFlag,
) -> BeforeAfter:
    """A look that tells what came of the operations; again while the tree is behind the picture.

    What is misplaced to the end is left out of it: a click there would hit something else.

    Raises Stopped, TargetError.
    """
    began, following = time.monotonic(), Following(before, settled)
    acting = next((op for op in reversed(operations) if not isinstance(op, ops.Wait)), operations[-1])
    for again in range(MISPLACED_LOOKS + 1):
        after = look()
        wrong = frozenset() if isinstance(acting, _STAYING) else misplaced(before, after, settled)
        moving = following.still(after)
        late = again < LATE_LOOKS and (
            moving or told(acting, BeforeAfter(before, after, settled), last=True).late
        )
        if not (wrong or late) or again == MISPLACED_LOOKS:
            break
        stop.wait(LATE_SECONDS)
    return BeforeAfter(before, without(after, wrong), settled, time.monotonic() - began)


def told(op: Op, seen: BeforeAfter, *, last: bool) -> EffectVerdict:
    """What came of an operation that was done.

    `last`: it is the last of its batch that shows, so the change of the whole screen is its.
    """
    found = proof(op, seen)
    if found is not None and found.effect == "confirmed":
        return found
    detail, late = (found.detail, found.late) if found else ("", False)
    if not last or seen.settled is None:
        return EffectVerdict("unknown", detail)
    return (
        EffectVerdict("changed", detail, late) if seen.settled.changed else EffectVerdict("unchanged", detail)
    )
