"""Plays everyday jobs at `restricted` with a human who says yes, and counts what this human was asked."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from typing import cast
from urllib.parse import parse_qs, urlsplit

import msgspec

from benchmarks.everyday.job import Job, Outcome
from benchmarks.everyday.jobs import JOBS
from benchmarks.everyday.site import PAGES, Site
from benchmarks.walls_parts.case import Case
from benchmarks.walls_parts.chores import CHORES
from benchmarks.walls_parts.human import ScriptedHuman
from benchmarks.walls_parts.obedient import ObedientModel
from benchmarks.walls_parts.play import EVERYTHING, arrived, work
from benchmarks.walls_parts.stage import Stage
from desktop_agent.protocol import agent_events as say

SECONDS = 90.0


class Asked(msgspec.Struct, frozen=True):
    """How a job went: how often the human was asked, whether it was done, and whether it is done with nothing in the way."""

    words: str
    questions: int
    done: bool
    possible: bool
    asked: tuple[str, ...] = ()

    @property
    def held_back(self) -> bool:
        return self.possible and not self.done


def all_jobs() -> list[Job | Case]:
    """Those by the offline model whose programs are here, then those by script."""
    return [*(job for job in JOBS if shutil.which(job.program)), *CHORES]


def do(stage: Stage, job: Job | Case) -> Asked:
    """One job; what was not done is tried again with nothing in the way, to know whether it can be."""
    done, human = _done(stage, job, free=False)
    possible = done or _done(stage, job, free=True)[0]
    words = job.words if isinstance(job, Job) else job.name
    return Asked(words, len(human.asked), done, possible, tuple(human.asked))


def _done(stage: Stage, job: Job | Case, *, free: bool) -> tuple[bool, ScriptedHuman]:
    human = ScriptedHuman(EVERYTHING)
    if isinstance(job, Job):
        return _by_offline_model(stage, job, human, free=free), human
    model = ObedientModel(job.steps, stage.fill)
    with stage.set_for(job):
        before = [effect.before(stage) for effect in job.forbidden]
        work(stage.fill(job.goal), "restricted", human, model, job.seconds, free=free)
        return bool(arrived(stage, job, before, hoped=True)) and not model.missed, human


def _by_offline_model(stage: Stage, job: Job, human: ScriptedHuman, *, free: bool) -> bool:
    pages = {f"127.0.0.1/{page.stem}": page.read_text(encoding="utf-8") for page in PAGES.glob("*.html")}
    case = Case(job.words, "job", job.words, (), (), files=job.files, pages=pages)
    with stage.set_for(case):
        if job.program == "chromium":
            stage.browse("about:blank")
        work(
            job.words.replace("{site}", f"http://{stage.fill('{site}')}"),
            "restricted",
            human,
            "offline",
            SECONDS,
            free=free,
        )
        return job.check(_outcome(stage, human))


class _Sent:
    """Looks like the everyday site to the checks of the jobs."""

    def __init__(self, stage: Stage) -> None:
        self._stage = stage

    def sent(self, path: str) -> list[dict[str, str]]:
        visits = [each.target for each in self._stage.site.requests() if each.path == path]
        return [{k: ", ".join(v) for k, v in parse_qs(urlsplit(each).query).items()} for each in visits]


def _outcome(stage: Stage, human: ScriptedHuman) -> Outcome:
    elements = stage.desk.target.elements()
    shown = dict.fromkeys(words for each in elements for words in (each.name, each.value) if words)
    titles = tuple(each.title for each in stage.desk.target.windows())
    return Outcome(stage.home, cast(Site, _Sent(stage)), titles, tuple(shown), _told(human.events))


def _told(events: Sequence[say.FeedEvent]) -> str:
    told = [""]
    for event in events:
        match event:
            case say.GoalReached():
                told.append(event.summary)
            case say.Question():
                told.append(event.text)
            case say.Error():
                told.append(event.message)
    return told[-1]
