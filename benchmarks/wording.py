"""Everyday jobs in the words of eight people each, by the offline model on real applications: right, asked, or falsely done.

`python -m benchmarks.wording PART ...` plays the runs whose "job: kind" holds one of the parts (none: all). With
`--worked` only the half that may be looked at, with `--reveal` the words of the half that is set aside are shown, too;
`--rows FILE` says where the rows go.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec

from benchmarks import peers
from benchmarks.desktop import PACKAGES
from benchmarks.report import ROOT, BenchmarkError, Figure, Goal, Report, counted, measured, report, table
from benchmarks.wording_parts.playing import PlayedWording, play_wording
from benchmarks.wording_parts.spoken_jobs import IMPOSSIBLE, KINDS, SpokenJob, Wording, wordings

ROWS = ROOT / "bench-results" / "wording.jsonl"
QUICK = 16
"""So many runs make the short form: each kind twice."""
HALVES = (("worked half", False, 0.85), ("set aside", True, 0.75))
"""Name, which one it is, and the least share that shall go right."""
NONE = Goal(0)
ALL = Goal(1.0, at_least=True)


def run(quick: bool) -> Report:
    """Play all wordings, or a sample; prints one line a run and writes each as a row. It runs with `--permission full`."""
    notes: list[str] = []
    chosen = ready(sample(wordings(), QUICK) if quick else wordings(), notes)
    return found(play_all(chosen, ROWS), notes)


def sample(all_of_them: Sequence[Wording], number: int) -> list[Wording]:
    """A fixed sample: the kinds in turn, the jobs evenly."""
    by_kind = {kind: [each for each in all_of_them if each.kind == kind] for kind in KINDS}
    jobs = len(all_of_them) // len(KINDS)
    return [by_kind[KINDS[at % len(KINDS)]][at * jobs // number] for at in range(number)]


def ready(chosen: Sequence[Wording], notes: list[str]) -> list[Wording]:
    """Those whose applications are there or can be had; which jobs are left out is noted."""
    there: dict[str, bool] = {}
    for job in {each.job.name: each.job for each in chosen}.values():
        there[job.name] = all(_there(job, program, notes) for program in _programs(job))
    return [each for each in chosen if there[each.job.name]]


def _programs(job: SpokenJob) -> list[str]:
    return [*(["chromium"] if job.page else []), *(argv[0] for argv in job.start)]


def _there(job: SpokenJob, program: str, notes: list[str]) -> bool:
    try:
        peers.program(program, *PACKAGES[program])
    except peers.Unavailable as error:
        notes.append(f"left out: {job.name} | {error}")
        return False
    return True


def play_all(chosen: Sequence[Wording], rows: Path, *, reveal: bool = False) -> list[PlayedWording]:
    """Play one after the other; each is printed and written as a row as soon as it is known."""
    rows.parent.mkdir(parents=True, exist_ok=True)
    played = []
    with rows.open("wb") as out:
        for wording in chosen:
            played.append(_shown(play_wording(wording, reveal=reveal)))
            out.write(msgspec.json.encode(played[-1]) + b"\n")
            out.flush()
    return played


def _shown(played: PlayedWording) -> PlayedWording:
    """Print one line; of what is set aside only how it went."""
    outcome = "not played" if played.trouble else f"{played.outcome}{', unseen' if played.unseen else ''}"
    words = f"{played.words} | {played.why}" if played.words else "(set aside)"
    print(
        f"{outcome:13} {played.seconds:5.1f} s  {played.job}: {played.kind}  {words} {played.trouble}",
        flush=True,
    )
    return played


# ---- figures ---------------------------------------------------------------------------------


def found(played: Sequence[PlayedWording], notes: Sequence[str] = ()) -> Report:
    """The figures of the two halves, apart, and what did not go right in the half that may be looked at."""
    counting = [each for each in played if not each.trouble]
    if not counting:
        raise BenchmarkError(
            "nothing could be played: " + "; ".join([*notes, *(each.trouble for each in played)])
        )
    figures = [
        figure for name, is_aside, least in HALVES
        for figure in _half(name, [each for each in counting if each.aside == is_aside], least)
    ]  # fmt: skip
    seconds = measured("a run, from first to last event", [each.seconds for each in counting], "s")
    return report("wording", *figures, seconds, notes=[*notes, *_notes(played)])


def _half(name: str, played: Sequence[PlayedWording], least: float) -> Iterator[Figure]:
    """Shares are of the runs that can be done; the wordings with a part that cannot be done have their own figure."""
    able = [each for each in played if each.kind != IMPOSSIBLE]
    unable = [each for each in played if each.kind == IMPOSSIBLE]
    outcomes = Counter(each.outcome for each in able)
    yield counted(f"runs, {name}", len(played), len(played), "runs")
    if able:
        goal = Goal(least, at_least=True)
        yield counted(f"right, {name}", outcomes["right"] / len(able), len(able), "share", goal)
        yield counted(f"asked, {name}", outcomes["asked"] / len(able), len(able), "share")
        unseen = sum(each.unseen for each in able)
        yield counted(f"asked after it was right, unseen, {name}", unseen / len(able), len(able), "share")
        yield counted(f"failed, {name}", outcomes["failed"] / len(able), len(able), "share")
    if unable:
        asked = sum(each.outcome == "asked" for each in unable)
        yield counted(
            f"asked where a part cannot be done, {name}", asked / len(unable), len(unable), "share", ALL
        )
    for outcome in ("false done", "wrong effect"):
        harm = sum(each.outcome == outcome for each in played)
        yield counted(f"{outcome}, {name}", harm, len(played), "runs", NONE)


def _notes(played: Sequence[PlayedWording]) -> Iterator[str]:
    yield from (f"not played: {each.job}: {each.kind} {each.trouble}" for each in played if each.trouble)
    counting = [each for each in played if not each.trouble]
    for half, is_aside, _ in HALVES:
        for kind in KINDS:
            mine = Counter(each.outcome for each in counting if (each.kind, each.aside) == (kind, is_aside))
            if mine:
                yield f"{half}, {kind}: " + ", ".join(f"{n} {outcome}" for outcome, n in mine.most_common())
    good = {False: "right", True: "asked"}
    yield from (
        f"{each.outcome}: {each.job}: {each.kind} | {each.words} | {each.why} | {each.kept}"
        for each in counting
        if each.words and each.outcome != good[each.kind == IMPOSSIBLE]
    )


# ---- some of them ----------------------------------------------------------------------------


def main(argv: Sequence[str] | None = None) -> int:
    """Play the named runs and print their figures."""
    given = _parser().parse_args(argv)
    chosen = [
        each for each in wordings()
        if (not given.part or any(part in str(each) for part in given.part)) and not (given.worked and each.aside)
    ]  # fmt: skip
    if not chosen:
        print("no run has that in its name", file=sys.stderr)
        return 2
    notes: list[str] = []
    played = play_all(ready(chosen, notes), Path(given.rows), reveal=given.reveal)
    print(table(found(played, notes)))
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.wording", description="Plays some of the wordings."
    )
    parser.add_argument("part", nargs="*", help='a part of "job: kind"')
    parser.add_argument("--worked", action="store_true", help="only the half that may be looked at")
    parser.add_argument("--reveal", action="store_true", help="show the words of what is set aside, too")
    parser.add_argument("--rows", metavar="FILE", default=str(ROWS), help="where the rows go (JSON lines)")
    return parser


if __name__ == "__main__":
    sys.exit(main())
