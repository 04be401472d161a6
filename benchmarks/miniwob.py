"""Web tasks of MiniWoB++ (PyPI miniwob) solved by the offline model, which sees the screen and no page's source.

A real Chromium on a private desktop, the real hand and loop, permission `full` (nobody is asked for a yes). The page
is loaded anew for each episode; the goal is what the page says. An episode has 20 turns and 45 seconds, and counts as
solved when the page gives its full raw reward of 1, not less for the time it took. A third of the seeds are drawn
anew each time: the model may have been fitted to the others.

Chosen tasks and seeds, with picture, words and steps of each failure left in a folder:

    python -m benchmarks.miniwob click-button enter-date --seeds 20-29 --keep FOLDER
    python -m benchmarks.miniwob --list
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from benchmarks.peers import Unavailable, files
from benchmarks.report import BenchmarkError, Figure, Goal, Report, counted, measured, report
from benchmarks.web.player import Played, player

PACKAGE = "miniwob==1.1.0"
TASKS = (
    "click-button", "click-test-2", "click-link", "click-dialog-2", "click-tab-2", "click-collapsible-2",
    "click-menu-2", "click-widget", "focus-text-2", "navigate-tree", "enter-text", "enter-password", "login-user",
    "enter-date", "use-autocomplete", "click-checkboxes", "click-option", "form-sequence", "choose-list",
    "choose-date", "click-scroll-list", "use-spinner", "scroll-text-2", "read-table", "email-inbox",
    "search-engine", "find-word", "simple-arithmetic", "social-media", "copy-paste-2",
)  # fmt: skip
SEEDS, QUICK = range(100, 110), range(100, 101)
FRESH = 5
"""Seeds that nobody has seen before, from FIRST_FRESH on."""
FIRST_FRESH = 1_000
GOAL = Goal(0.9, at_least=True)


def run(quick: bool) -> Report:
    """All tasks, with ten known and five fresh seeds each, or one known seed."""
    try:
        html = pages()
    except Unavailable as why:
        return report("miniwob", notes=[f"Not measured: {why}."])
    seeds = list(QUICK) if quick else [*SEEDS, *fresh_seeds()]
    played = list(episodes(html, TASKS, seeds))
    notes = [
        f"Seeds: {', '.join(map(str, seeds))}",
        *(f"Not solved: {each}" for each in played if not each.solved),
    ]
    return report("miniwob", *figures(played), notes=notes)


def fresh_seeds() -> list[int]:
    """Other seeds each time; the report tells them, so that an episode can be played again."""
    return sorted(random.SystemRandom().sample(range(FIRST_FRESH, 1_000_000), FRESH))


def pages() -> Path:
    """The folder with the tasks' pages. Raises Unavailable."""
    return files("miniwob", PACKAGE) / "miniwob" / "html"


def episodes(
    html: Path, tasks: Sequence[str], seeds: Sequence[int], keep: Path | None = None
) -> Iterator[Played]:
    """Play each task with each seed. Raises BenchmarkError for a task that there is not."""
    with player(html, keep) as desk:
        unknown = [task for task in tasks if task not in desk.site.tasks()]
        if unknown:
            raise BenchmarkError(f"{PACKAGE} has no task called {', '.join(unknown)}")
        for task in tasks:
            for seed in seeds:
                yield desk.play(task, seed)


def figures(played: Sequence[Played]) -> Iterator[Figure]:
    """The share of each task that was solved, and of all."""
    for task in dict.fromkeys(each.episode.task for each in played):
        of_task = [each for each in played if each.episode.task == task]
        yield counted(task, _share(of_task), len(of_task), "share")
    fresh = [each for each in played if each.episode.seed >= FIRST_FRESH]
    if fresh:
        yield counted("solved of fresh seeds", _share(fresh), len(fresh), "share")
    yield measured("an episode", [each.seconds for each in played], "s")
    yield measured("turns of an episode", [float(each.turns) for each in played], "turns")
    yield counted("solved of all", _share(played), len(played), "share", GOAL)


def _share(played: Sequence[Played]) -> float:
    return sum(each.solved for each in played) / len(played)


def main(argv: Sequence[str] | None = None) -> int:
    """Play what is asked for and print a line each; returns how many were not solved, at most 100."""
    given = _parser().parse_args(argv)
    html = pages()
    if given.list:
        print("\n".join(sorted(path.stem for path in (html / "miniwob").glob("*.html"))))
        return 0
    failed = total = 0
    for played in episodes(html, given.tasks or TASKS, given.seeds, given.keep):
        print(played, flush=True)
        failed, total = failed + (not played.solved), total + 1
    print(f"solved {total - failed} of {total}")
    return min(failed, 100)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="benchmarks.miniwob", description="Plays web tasks.")
    parser.add_argument("tasks", nargs="*", metavar="TASK", help="names of tasks (the benchmark's when none)")
    parser.add_argument("--seeds", type=_seeds, default=QUICK, metavar="N or N-M", help="which seeds (100)")
    parser.add_argument("--keep", type=Path, metavar="FOLDER", help="leave what is known of failures there")
    parser.add_argument("--list", action="store_true", help="names of all tasks")
    return parser


def _seeds(words: str) -> range:
    first, _, last = words.partition("-")
    return range(int(first), int(last or first) + 1)


if __name__ == "__main__":
    sys.exit(main())
