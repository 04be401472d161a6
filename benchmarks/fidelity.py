"""Input fidelity: the 100 checks of cua-auto-harness, by our hand."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from benchmarks.fidelity_parts import desk
from benchmarks.fidelity_parts.desk import Verdict
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
    """The checks by our hand, on a desktop of its own."""
    try:
        python = desk.interpreter()
    except Unavailable as error:
        return report("fidelity", notes=[f"skipped: {error}"])
    found = desk.verdicts(python, 1, FEW if quick else ())
    return report("fidelity", *_figures(found, len(FEW) if quick else CHECKS), notes=_misses(found))


def _figures(found: Sequence[Verdict], wanted: int) -> Iterator[Figure]:
    passed = len({v.check for v in found} - _missed(found))
    yield counted("our hand: checks passed", passed, len(found), "checks", Goal(wanted, at_least=True))
    shown = [verdict.shown for verdict in found if verdict.shown is not None]
    if shown:
        yield counted(
            "pictures that show what the probe saw last",
            sum(shown),
            len(shown),
            "pictures",
            Goal(len(shown), at_least=True),
        )


def _missed(found: Sequence[Verdict]) -> set[str]:
    return {verdict.check for verdict in found if verdict.status != "pass"}


def _misses(found: Sequence[Verdict]) -> list[str]:
    missed = [verdict for verdict in found if verdict.status != "pass"]
    return [f"{v.check}: {v.status}: {BY_DESIGN.get(v.check, v.reason)}" for v in missed]
