"""Input fidelity: the 100 checks of cua-auto-harness, by our hand and by xdotool beside it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor

from benchmarks.fidelity_parts import desk
from benchmarks.fidelity_parts.desk import Verdict
from benchmarks.fidelity_parts.hands import Ours, XDoTool
from benchmarks.peers import Unavailable
from benchmarks.report import Figure, Goal, Report, counted, report

CHECKS = 100
FEW = (
    "click_triple_left",
    "click_ctrl_shift_right",
    "click_burst_5",
    "drag_multipoint_l_shape",
    "scroll_diagonal",
    "chord_alt_tab",
    "seq_type_chord_type",
    "type_unicode_bmp",
)
"""For the short form: one of each family, and both observers."""

BY_DESIGN = {
    "caps_lock_roundtrip": "our hand types a text as it is written, whatever Caps Lock says; the check wants it changed"
}
"""Why our hand misses a check on purpose: words only, it counts as missed."""


def run(quick: bool) -> Report:
    """Each hand on a desktop of its own, at the same time (most of it is the harness's waiting)."""
    try:
        python = desk.interpreter()
    except Unavailable as error:
        return report("fidelity", notes=[f"skipped: {error}"])
    names, notes = (FEW if quick else ()), []
    with ThreadPoolExecutor(2) as both:
        ours = both.submit(desk.verdicts, Ours, python, 1, names)
        if quick:
            return report(
                "fidelity",
                *_figures(Ours.name, ours.result(), len(FEW)),
                notes=_misses(Ours.name, ours.result()),
            )
        theirs = both.submit(desk.verdicts, lambda target: XDoTool(target, python), python, 1, names)
    try:
        peer = theirs.result()
    except Unavailable as error:
        peer, notes = [], [f"skipped: {error}"]
    figures = [*_figures(Ours.name, ours.result(), CHECKS), *_figures(XDoTool.name, peer, None)]
    return report(
        "fidelity", *figures, notes=[*notes, *_misses(Ours.name, ours.result()), *_misses(XDoTool.name, peer)]
    )


def _figures(name: str, found: Sequence[Verdict], wanted: int | None) -> Iterator[Figure]:
    """`wanted` checks are the goal, None when it is another's hand."""
    if not found:
        return
    goal = None if wanted is None else Goal(wanted, at_least=True)
    yield counted(
        f"{name}: checks passed", len({v.check for v in found} - _missed(found)), len(found), "checks", goal
    )
    shown = [verdict.shown for verdict in found if verdict.shown is not None]
    if wanted is not None and shown:
        yield counted(
            "pictures that show what the probe saw last",
            sum(shown),
            len(shown),
            "pictures",
            Goal(len(shown), at_least=True),
        )


def _missed(found: Sequence[Verdict]) -> set[str]:
    return {verdict.check for verdict in found if verdict.status != "pass"}


def _misses(name: str, found: Sequence[Verdict]) -> list[str]:
    missed = [verdict for verdict in found if verdict.status != "pass"]
    reasons = BY_DESIGN if name == Ours.name else {}
    return [f"{name}, {v.check}: {v.status}: {reasons.get(v.check, v.reason)}" for v in missed]
