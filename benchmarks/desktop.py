"""Everyday jobs on real applications by the offline model, from a user's words to what is seen on disk or in the application."""

from __future__ import annotations

from benchmarks import peers
from benchmarks.everyday.job import Job
from benchmarks.everyday.jobs import JOBS, QUICK
from benchmarks.everyday.work import Done, carry_out
from benchmarks.report import Goal, Report, counted, measured, report

PACKAGES = {
    "soffice": ("libreoffice-calc", "libreoffice-gtk3"),
    "mousepad": ("mousepad",),
    "galculator": ("galculator",),
    "pcmanfm": ("pcmanfm",),
    "xterm": ("xterm",),
    "chromium": ("chromium",),
}
"""The applications, and the Debian packages that bring them."""


def run(quick: bool) -> Report:
    """One agent process, home folder and display a job; prints one line a job. It runs with `--permission full`."""
    notes: list[str] = []
    jobs = [job for job in (QUICK if quick else JOBS) if ready(job, notes)]
    done = [_shown(carry_out(job)) for job in jobs]
    right = sum(each.right for each in done)
    notes += [f"not done: {each.words} | {each.told} | {each.kept}" for each in done if not each.right]
    return report(
        "desktop",
        counted("jobs done", right / len(done), len(done), "share", Goal(0.9, at_least=True)),
        measured("a job, from first to last event", [each.seconds for each in done], "s"),
        notes=notes,
    )


def ready(job: Job, notes: list[str]) -> bool:
    """Is its application there? If it cannot be had, the job is left out, and that is said."""
    try:
        peers.program(job.program, *PACKAGES[job.program])
    except peers.Unavailable as error:
        notes.append(f"left out: {job.words} | {error}")
        return False
    return True


def _shown(done: Done) -> Done:
    print(f"{'done  ' if done.right else 'FAILED'} {done.seconds:5.1f} s  {done.words}", flush=True)
    return done
