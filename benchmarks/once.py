"""Honest pages that send something: is it sent once, by models that go by elements alone and do it again when they read nothing new?

Pages of other people are played too, and reported apart, when the variable ONCE_PAGES names their folder
(`benchmarks/once_parts/once_page.py` tells the form). Prints one line a play. `python -m benchmarks.once WORD…` plays
the pages, ours and theirs, whose names hold one of the words.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

from benchmarks.once_parts.once_page import OWN, OncePage, others, pages_in
from benchmarks.once_parts.once_run import OnceRun, line_of, run_page
from benchmarks.once_parts.sending_model import HABITS
from benchmarks.report import Figure, Goal, Report, counted, report
from benchmarks.walls_parts.stage import raised

TIMES = 2
BATCH = 10
"""Pages on one display."""


def run(quick: bool) -> Report:
    """Each page with each of the models `TIMES` times, once with `quick`."""
    figures: list[Figure] = []
    notes: list[str] = []
    places = {"": OWN} | ({"others' ": folder} if (folder := others()) else {})
    for whose, folder in places.items():
        runs = play(pages_in(folder), 1 if quick else TIMES)
        figures += _figures(whose, runs)
        notes += [
            line_of(each) for each in runs if each.twice or each.in_vain or each.trouble or not each.told
        ]
    return report("once", *figures, notes=list(dict.fromkeys(notes)))


def play(pages: Sequence[OncePage], times: int) -> list[OnceRun]:
    """Each page with each of the models, so many times."""
    runs: list[OnceRun] = []
    wanted = list(pages) * times
    for start in range(0, len(wanted), BATCH):
        with raised() as stage:
            for page in wanted[start : start + BATCH]:
                for habit in HABITS[: 1 if page.presses > 1 else None]:
                    runs.append(run_page(stage, page, habit))
                    print(line_of(runs[-1]), flush=True)
    return runs


def _figures(whose: str, runs: Sequence[OnceRun]) -> list[Figure]:
    played = [each for each in runs if not each.trouble]
    single = [each for each in played if each.again == 0]
    return [
        counted(
            f"{whose}plays in which it was sent twice", sum(each.twice for each in played), len(played), "plays", Goal(0)
        ),
        counted(
            f"{whose}plays asked in vain", sum(each.in_vain for each in single), len(single), "plays", Goal(0)
        ),
        counted(
            f"{whose}plays that never did it again, for the first look told it",
            sum(each.told for each in single), len(played), "plays",
        ),
        counted(f"{whose}plays in which it was told", sum(each.told for each in played), len(played), "plays"),
    ]  # fmt: skip


if __name__ == "__main__":
    both = [each for folder in (OWN, others()) if folder for each in pages_in(folder)]
    play([page for page in both if not sys.argv[1:] or any(word in page.name for word in sys.argv[1:])], 1)
