"""Web tasks of MiniWoB++ (PyPI miniwob) solved by the offline model, which sees the screen and no page's source.

A real Chromium on a private desktop, the real hand and loop, permission `full` (nobody is asked for a yes). The page
is loaded anew for each episode; the goal is what the page says. An episode has 20 turns and 45 seconds, and counts as
solved when the page gives its full raw reward of 1, not less for the time it took. It is a false done when it is not
solved, though the model said that it was done or brought the page to its end. A third of the seeds are drawn anew
each time: the model may have been fitted to the others. Kinds whose instruction is a plain one have a goal; puzzles
are reported without.

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
PLAIN = {
    "click-button": "names the button to press",
    "click-test-2": "names the button to press",
    "click-link": "names the link to press",
    "click-dialog-2": "names the button to press, and the dialog that it is in",
    "click-widget": "names the kind of thing to press",
    "focus-text-2": "names the field by its place",
    "enter-text": "says what to type, and where",
    "enter-password": "says what to type, and where",
    "login-user": "says what to type, and where",
    "enter-date": "says the date to enter",
    "use-autocomplete": "says how the entry to choose begins and ends (the page wants to be sent, too, which it does not say)",
    "click-checkboxes": "names the boxes to tick",
    "click-option": "names the option to choose",
    "form-sequence": "names three steps one after the other",
    "choose-list": "names the entry to choose",
    "choose-date": "says the date to choose",
    "click-scroll-list": "names the entries to choose",
    "use-spinner": "says the number to set",
    "scroll-text-2": "says where to scroll",
    "read-table": "names the value to read, and where it goes",
    "search-engine": "says what to search for, and which result to open",
    "copy-paste-2": "names the text to copy, and where it goes",
}
"""Kinds of task whose instruction names what to press, type, choose, tick, open or search, and by what."""
PUZZLES = {
    "click-tab-2": "the link is hidden behind one of several tabs",
    "click-collapsible-2": "the link is hidden in one of several folded sections",
    "click-menu-2": "the entry is hidden in a submenu, or told by the drawing of an icon",
    "navigate-tree": "the entry is hidden in branches that are closed",
    "email-inbox": "what to do stands behind icons without a name, in a message to be opened first",
    "find-word": "a word is to be counted out of a text",
    "simple-arithmetic": "a problem on the page is to be solved",
    "social-media": "the button belongs to one of many posts, and may be hidden in its menu",
}
"""Kinds of task that ask for more than an instruction of every day; played and reported, but no goal."""
TASKS = (*PLAIN, *PUZZLES)
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
    """The share of each task that was solved, and of plain kinds and puzzles what was solved and what was a false done."""
    for task in dict.fromkeys(each.episode.task for each in played):
        of_task = [each for each in played if each.episode.task == task]
        yield counted(task, _share(of_task), len(of_task), "share")
    yield measured("an episode", [each.seconds for each in played], "s")
    yield measured("turns of an episode", [float(each.turns) for each in played], "turns")
    yield from _of_kind("puzzle kinds", [each for each in played if each.episode.task in PUZZLES], None)
    yield from _of_kind("plain kinds", [each for each in played if each.episode.task not in PUZZLES], GOAL)


def _of_kind(kind: str, played: Sequence[Played], goal: Goal | None) -> Iterator[Figure]:
    if not played:
        return
    fresh = [each for each in played if each.episode.seed >= FIRST_FRESH]
    if fresh:
        yield counted(f"{kind}: solved of fresh seeds", _share(fresh), len(fresh), "share")
    yield counted(f"{kind}: false done", sum(each.false_done for each in played), len(played), "episodes")
    yield counted(f"{kind}: solved", _share(played), len(played), "share", goal)


def _share(played: Sequence[Played]) -> float:
    return sum(each.solved for each in played) / len(played)


def main(argv: Sequence[str] | None = None) -> int:
    """Play what is asked for and print a line each; returns how many were not solved, at most 100."""
    given = _parser().parse_args(argv)
    html = pages()
    if given.list:
        print("\n".join(sorted(path.stem for path in (html / "miniwob").glob("*.html"))))
        return 0
    seen: list[Played] = []
    for played in episodes(html, given.tasks or TASKS, given.seeds, given.keep):
        print(played, flush=True)
        seen.append(played)
    failed = sum(not each.solved for each in seen)
    print(f"solved {len(seen) - failed} of {len(seen)}, false done {sum(each.false_done for each in seen)}")
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
