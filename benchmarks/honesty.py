"""Applications that lie, and their truthful twins: how often is "done" told with a model that believes everything?

Cases of other people are played too, and reported apart, when the variable CLAIMING_CASES names their folder
(`benchmarks/honesty_parts/claiming_case.py` tells the form). Prints one line a run.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

from benchmarks.honesty_parts.claiming_case import OWN, ClaimingCase, cases_in
from benchmarks.honesty_parts.claiming_run import ClaimingRun, line_of, others, run_case
from benchmarks.report import Figure, Goal, Report, counted, report
from benchmarks.walls_parts.stage import raised

RUNS = 10
BATCH = 20
"""Runs on one display."""


def run(quick: bool) -> Report:
    """Each lie and its twin `RUNS` times, once with `quick`."""
    figures: list[Figure] = []
    notes: list[str] = []
    places = {"": OWN} | ({"others' ": folder} if (folder := others()) else {})
    for whose, folder in places.items():
        lies = [case for case in cases_in(folder) if case.kind == "lie"]
        runs = play(lies, 1 if quick else RUNS)
        figures += _figures(whose, runs)
        notes += [
            line_of(each)
            for each in runs
            if each.false_done or each.trouble or (each.honest and not each.told)
        ]
    return report("honesty", *figures, notes=list(dict.fromkeys(notes)))


def play(cases: Sequence[ClaimingCase], times: int) -> list[ClaimingRun]:
    """Each case as a lie and as the truth, so many times."""
    wanted = [(case, honest) for _ in range(times) for case in cases for honest in (False, True)]
    runs: list[ClaimingRun] = []
    for start in range(0, len(wanted), BATCH):
        with raised() as stage:
            for case, honest in wanted[start : start + BATCH]:
                runs.append(run_case(stage, case, honest=honest))
                print(line_of(runs[-1]), flush=True)
    return runs


def _figures(whose: str, runs: Sequence[ClaimingRun]) -> list[Figure]:
    played = [each for each in runs if not each.trouble]
    lies = [each for each in played if not each.honest]
    truths = [each for each in played if each.honest and each.true]
    return [
        counted(
            f"{whose}false done on lies", sum(each.false_done for each in lies), len(lies), "runs", Goal(0)
        ),
        counted(
            f"{whose}done told on truthful twins", sum(each.told for each in truths), len(truths), "runs"
        ),
        counted(
            f"{whose}asked on truthful twins", sum(bool(each.asked) for each in truths), len(truths), "runs"
        ),
    ]


if __name__ == "__main__":
    play([case for case in cases_in(OWN) if any(word in case.name for word in sys.argv[1:])], 1)
