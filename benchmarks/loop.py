"""Jobs at a terminal and on forms, worked end to end through a simulated camera and a wire, by effects alone.

The cases are strangers' (camera_loop_cases; those marked held out stand apart). The program is run as a user runs it, with
the offline model; somebody at its terminal says yes. Terminals are typed to over HTTP, forms over a USB cable. The goal of a
terminal job is its command: what is judged is seeing and typing. Where the variable LOOP_MODEL names a model, as --model
does, that one works the terminal jobs in their writers' words, too. Prints one line a job.
"""

from __future__ import annotations

import os
import shutil
import tempfile
import time
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks.camera_loop_cases import judge
from benchmarks.report import Figure, Goal, Report, counted, measured, report
from tests.support.filmed_machine import Outcome, filmed_form, filmed_terminal
from tests.support.simulated_camera import GOOD, QUALITIES, CameraQuality

CASES = Path(__file__).parent / "camera_loop_cases"
FEW = 3
ENOUGH = Goal(0.9, at_least=True)
KINDS = ("terminal", "command given", "form")


class JobRun(NamedTuple):
    """One job at one quality: its faults as the judge found them (none: it is as it must be), and how long it took."""

    kind: str
    quality: str
    name: str
    held_out: bool
    faults: tuple[str, ...]
    false_done: bool
    seconds: float

    @property
    def line(self) -> str:
        state = "right" if not self.faults else "FALSE DONE" if self.false_done else "not right"
        return f"{self.quality} {self.kind} {self.name}: {state} ({self.seconds:.0f} s) {'; '.join(self.faults)[:160]}"


def run(quick: bool) -> Report:
    """All jobs at three qualities; with `quick` a few of each kind at the best one."""
    qualities: Sequence[CameraQuality] = (GOOD,) if quick else QUALITIES
    found: list[JobRun] = []
    for quality in qualities:
        for each in chain(terminal(quality, quick), commands(quality, quick), forms(quality, quick)):
            print(each.line, flush=True)
            found.append(each)
    return report("loop", *_figures(found), notes=[each.line for each in found if each.faults])


def _figures(found: Sequence[JobRun]) -> Iterator[Figure]:
    for held_out in (False, True):
        for quality in dict.fromkeys(each.quality for each in found):
            for kind in KINDS:
                some = [e for e in found if (e.held_out, e.quality, e.kind) == (held_out, quality, kind)]
                if some:
                    goal = ENOUGH if quality != "poor" and not held_out else None
                    name = f"{'held out: ' if held_out else ''}{kind} jobs right, {quality}"
                    yield counted(name, sum(not e.faults for e in some) / len(some), len(some), "share", goal)
    yield counted("false done", sum(each.false_done for each in found), len(found), "jobs", Goal(0))
    yield measured("a job", [each.seconds for each in found], "s")


def _jobs(file: str, quick: bool) -> Iterable[dict[str, Any]]:
    table = tomllib.loads((CASES / file).read_text("utf-8"))
    jobs: list[dict[str, Any]] = table["jobs"]
    return [each for each in jobs if not each.get("held_out")][:FEW] if quick else jobs


def _judged(
    kind: str,
    quality: CameraQuality,
    job: Mapping[str, Any],
    outcome: Outcome,
    faults: list[str],
    began: float,
) -> JobRun:
    return JobRun(
        kind,
        quality.name,
        str(job["id"]),
        bool(job.get("held_out")),
        tuple(faults),
        bool(faults) and outcome.done,
        time.monotonic() - began,
    )


def terminal(quality: CameraQuality, quick: bool) -> Iterator[JobRun]:
    """The jobs at a terminal, in their writers' words; none where LOOP_MODEL names no model."""
    model = os.environ.get("LOOP_MODEL", "")
    goals = [(job, str(job["goal"])) for job in _jobs("terminal_jobs.toml", quick)]
    return _at_terminal("terminal", quality, goals, model) if model else iter(())


def commands(quality: CameraQuality, quick: bool) -> Iterator[JobRun]:
    """The possible ones of these jobs, each with a command that does it as the goal."""
    solutions = tomllib.loads((CASES / "reference_solutions.toml").read_text("utf-8"))
    goals = [
        (job, command_goal(solutions[job["id"]]))
        for job in _jobs("terminal_jobs.toml", quick)
        if job["id"] in solutions
    ]
    return _at_terminal("command given", quality, goals)


def command_goal(solution: Mapping[str, str]) -> str:
    """A goal that names the command of a solution, and asks what it prints where the job is a question."""
    return f"Run “{solution['run']}”" + (" and tell me what it prints." if "answer" in solution else ".")


def _at_terminal(
    kind: str, quality: CameraQuality, goals: Sequence[tuple[dict[str, Any], str]], model: str = "offline"
) -> Iterator[JobRun]:
    with tempfile.TemporaryDirectory() as above:
        folder = Path(above) / "work"
        folder.mkdir()
        with filmed_terminal(quality, folder, Path(above) / "data") as machine:
            for job, goal in goals:
                began = time.monotonic()
                _empty(folder)
                judge.lay_out(job, folder)
                machine.give(folder)
                machine.clear_terminal()
                outcome = machine.run(goal, "--model", model)
                faults = judge.terminal_faults(job, folder, outcome.done, outcome.answer)
                yield _judged(kind, quality, job, outcome, faults, began)


def _empty(folder: Path) -> None:
    for each in folder.iterdir():
        if each.is_dir() and not each.is_symlink():
            shutil.rmtree(each)
        else:
            each.unlink()


def forms(quality: CameraQuality, quick: bool) -> Iterator[JobRun]:
    """The jobs on forms."""
    defaults = tomllib.loads((CASES / "form_jobs.toml").read_text("utf-8"))["defaults"]
    with (
        tempfile.TemporaryDirectory() as above,
        filmed_form(quality, CASES / "forms", Path(above)) as machine,
    ):
        for job in _jobs("form_jobs.toml", quick):
            began = time.monotonic()
            machine.show(job["page"])
            outcome = machine.run(job["goal"], "--model", "offline")
            faults = judge.form_faults(job, defaults[job["page"]], outcome.done, machine.submitted())
            yield _judged("form", quality, job, outcome, faults, began)
