"""How often a user is asked for a yes: the everyday jobs with the permission that the program has by itself."""

from __future__ import annotations

from benchmarks.desktop import ready
from benchmarks.everyday.jobs import JOBS, QUICK
from benchmarks.everyday.work import Done, carry_out, let_work_and_say_yes
from benchmarks.report import Report, counted, measured, report


def run(quick: bool) -> Report:
    """Somebody says yes to all that is asked; prints one line a job and one a question."""
    notes: list[str] = []
    jobs = [job for job in (QUICK if quick else JOBS) if ready(job, notes)]
    done = [_shown(carry_out(job, let_work_and_say_yes)) for job in jobs]
    notes += [f"not done: {each.words} | {each.told} | {each.kept}" for each in done if not each.right]
    asked = [float(len(each.asked)) for each in done]
    return report(
        "approvals",
        measured("questions for a yes, a job", asked, "questions"),
        counted("jobs without any", asked.count(0.0) / len(done), len(done), "share"),
        counted("jobs done", sum(each.right for each in done) / len(done), len(done), "share"),
        notes=notes,
    )


def _shown(done: Done) -> Done:
    print(f"{len(done.asked)} asked, {'done' if done.right else 'FAILED'}: {done.words}", flush=True)
    for words in done.asked:
        print(f"    {words}", flush=True)
    return done
