"""Verifies effects: compares the elements before and after an operation, and what changed on the screen.

Confirmed is only what can be seen in the tree itself: a box that is ticked now, a text that is in
its box, a thing that has moved. A picture that changed somewhere is no proof of that.
"""

from __future__ import annotations

import time
from collections.abc import Callable

from desktop_agent.agent.verifying.rules import BeforeAfter, EffectVerdict, proof
from desktop_agent.agent.verifying.slide_tracking import SlideTracker
from desktop_agent.agent.verifying.stale_tree import misplaced, without
from desktop_agent.llm.base import Deed
from desktop_agent.protocol.agent_events import Receipt
from desktop_agent.protocol.ops import Op
from desktop_agent.protocol.stop_flag import StopFlag
from desktop_agent.vision.observation import Observation
from desktop_agent.vision.settling.result import Settled

LATE_SECONDS, LATE_LOOKS = 0.1, 5
"""What the tree may tell late is looked for again after so long, so many times."""
MISPLACED_LOOKS = 30
"""The same where things are told to be where they are seen not to be: a busy browser takes its time."""


def wants_look(operations: tuple[Op, ...]) -> bool:
    """Is there an operation among them whose effect is read from a look?"""
    return any(op.traits.wants_look for op in operations)


def before_and_after(
    operations: tuple[Op, ...],
    before: Observation,
    settled: Settled,
    look: Callable[[], Observation],
    stop: StopFlag,
) -> BeforeAfter:
    """The looks before and after; taken again while the accessibility tree is behind the picture.

    Elements that the tree puts in a wrong place to the end are left out: a click there would hit something else.

    Raises Stopped, TargetError.
    """
    began, slide = time.monotonic(), SlideTracker(before, settled)
    acting = next((op for op in reversed(operations) if not op.traits.idle), operations[-1])
    for again in range(MISPLACED_LOOKS + 1):
        after = look()
        wrong = frozenset() if acting.traits.moves_nothing else misplaced(before, after, settled)
        moving = slide.still(after)
        late = again < LATE_LOOKS and (
            moving or effect_of(acting, BeforeAfter(before, after, settled), last=True).late
        )
        if not (wrong or late) or settled.own_time or again == MISPLACED_LOOKS:
            break
        stop.wait(LATE_SECONDS)
    return BeforeAfter(before, without(after, wrong), settled, time.monotonic() - began)


def receipt_of(deed: Deed) -> Receipt:
    """What the effect of a deed is known by: unknown is never verified, and what did nothing is contradicted."""
    if deed.outcome != "done":
        return Receipt("record", "contradicted" if deed.outcome == "failed" else "unverified", deed.detail)
    if deed.op.traits.carried_out_by == "environment":
        return Receipt("application", "verified", deed.detail)
    match deed.effect:
        case "confirmed":
            return Receipt("tree", "verified", deed.detail)
        case "changed":
            return Receipt("pixels", "unverified", deed.detail)
        case "unchanged":
            return Receipt("pixels", "contradicted", deed.detail)
    return Receipt("none", "unverified", deed.detail)


def effect_of(op: Op, seen: BeforeAfter, *, last: bool) -> EffectVerdict:
    """The effect of an operation that was carried out.

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
