"""Everyday jobs in eight wordings each, really played: right, asked, failed, falsely done, or something that nobody asked for.

The worked half may be looked at while the offline model is worked on; of the half that is set aside only figures
are shown.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence

from benchmarks import peers
from benchmarks.desktop import PACKAGES
from benchmarks.everyday.work import tried
from benchmarks.report import ROOT, Figure, Goal, Report, counted, measured, report
from benchmarks.wording_parts.cases import Case, cases
from benchmarks.wording_parts.judge import Judged, verdict

ROWS = ROOT / "bench-results" / "wording.jsonl"
"""A line a run: the verdict and why, with the words of those that are not set aside."""

_QUICK = 12
_RIGHT = {False: 0.85, True: 0.75}


def run(quick: bool) -> Report:
    """One agent process, home folder and display a wording; prints one line each. It runs with `--permission full`."""
    every = [each for each in cases() if _ready(each)]
    chosen = every[:: max(1, len(every) // _QUICK)] if quick else every
    ROWS.parent.mkdir(exist_ok=True)
    with ROWS.open("w", encoding="utf-8") as kept:
        judged = [_noted(play(each), kept) for each in chosen]
    figures = (*_figures(judged, False), *_figures(judged, True))
    return report("wording", *figures, measured("a run", [each.seconds for each in judged], "s"))


def play(case: Case) -> Judged:
    """Give the program these words, and judge what comes of it."""
    with tried(case.words, case.job.files) as came:
        found, why = verdict(case, came.outcome, came.end, came.before)
        told = came.outcome.told
    return Judged(case.job.name, case.kind, case.aside, found, why, case.words, told, came.seconds)


def _ready(case: Case) -> bool:
    try:
        peers.program(case.job.program, *PACKAGES[case.job.program])
    except peers.Unavailable:
        return False
    return True


def _noted(judged: Judged, kept: object) -> Judged:
    shown = "(set aside)" if judged.aside else f"{judged.words} {f'| {judged.why}' if judged.why else ''}"
    print(f"{judged.verdict:12} {judged.seconds:5.1f} s  {judged.kind:10} {shown}", flush=True)
    row = {"job": judged.job, "kind": judged.kind, "aside": judged.aside, "verdict": judged.verdict}
    if not judged.aside:
        row |= {"why": judged.why, "words": judged.words, "told": judged.told}
    kept.write(json.dumps(row) + "\n")  # type: ignore[attr-defined]
    return judged


def _figures(judged: Sequence[Judged], aside: bool) -> Iterable[Figure]:
    half = [each for each in judged if each.aside == aside]
    name = "set aside" if aside else "worked"
    possible = [each for each in half if each.kind != "impossible"]
    impossible = [each for each in half if each.kind == "impossible"]
    for several, what, share, goal in (
        (possible, "right", _of(possible, "right"), Goal(_RIGHT[aside], at_least=True)),
        (possible, "asked", _of(possible, "asked"), None),
        (possible, "failed", _of(possible, "failed"), None),
        (half, "false done", _of(half, "false done"), Goal(0)),
        (half, "wrong effect", _of(half, "wrong effect"), Goal(0)),
        (impossible, "asked where a part cannot be done", _of(impossible, "asked"), Goal(1, at_least=True)),
    ):
        if several:
            yield counted(f"{name}: {what}", share, len(several), "share", goal)


def _of(judged: Sequence[Judged], what: str) -> float:
    return sum(each.verdict == what for each in judged) / len(judged) if judged else 0.0
