"""The benchmark of wordings: its data is whole, half is set aside, and each verdict can be reached."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from benchmarks.everyday.job import Outcome
from benchmarks.everyday.site import Site
from benchmarks.everyday.work import snapshot
from benchmarks.wording import play
from benchmarks.wording_parts.cases import KINDS, Case, Form, WordedJob, cases
from benchmarks.wording_parts.judge import verdict

_JOB = WordedJob(
    "move a report", "pcmanfm", dict.fromkeys(KINDS, "move it"), {"a.txt": "A"}, {"b.txt": "A"}, ("a.txt",),
    told=("done",), sent=(Form("/thanks", {"name": "Ada"}),),
)  # fmt: skip


def test_every_job_is_worded_in_every_way_and_no_wording_stands_twice() -> None:
    every = cases()
    assert (
        len(every)
        == len({each.words for each in every})
        == len(KINDS) * len({each.job.name for each in every})
    )


def test_whole_jobs_and_single_wordings_are_set_aside() -> None:
    every = cases()
    whole = {each.job.name for each in every} - {each.job.name for each in every if not each.aside}
    assert whole and any(each.aside for each in every if each.job.name not in whole)
    assert 0.25 < sum(each.aside for each in every) / len(every) < 0.75


@pytest.mark.parametrize(
    ("kind", "end", "done", "more", "found"),
    [
        ("short", "done", True, "", "right"),
        ("short", "done", False, "", "false done"),
        ("impossible", "done", True, "", "false done"),
        ("impossible", "question", True, "", "asked"),
        ("short", "question", False, "", "asked"),
        ("short", "error", False, "", "failed"),
        ("short", "", False, "", "failed"),
        ("short", "done", True, "c.txt", "wrong effect"),
        ("short", "question", False, "c.txt", "wrong effect"),
    ],
)
def test_a_run_is_judged_by_what_is_there(
    tmp_path: Path, kind: str, end: str, done: bool, more: str, found: str
) -> None:
    before, outcome = _played(tmp_path, done=done, more=more)
    assert verdict(Case(_JOB, kind), outcome, end, before)[0] == found


def test_a_form_that_nobody_asked_for_is_a_wrong_effect(tmp_path: Path) -> None:
    before, outcome = _played(tmp_path, done=True)
    outcome.site.visit("/thanks?name=Bob")
    assert verdict(Case(_JOB, "short"), outcome, "done", before)[0] == "wrong effect"


def test_what_programs_keep_for_themselves_is_no_effect(tmp_path: Path) -> None:
    before, outcome = _played(tmp_path, done=True)
    (tmp_path / ".cache").mkdir()
    (tmp_path / ".cache" / "x").write_text("x")
    assert verdict(Case(_JOB, "short"), outcome, "done", before)[0] == "right"


def test_a_wording_is_really_played() -> None:
    (case,) = [each for each in cases() if (each.job.name, each.kind) == ("move a report", "synonyms")]
    assert play(case).verdict == "right"


def _played(home: Path, *, done: bool, more: str = "") -> tuple[Mapping[str, str], Outcome]:
    """The files before, and the outcome of a run that did what was asked or nothing, and something `more`."""
    (home / "a.txt").write_text("A")
    before, site = snapshot(home), Site(1)
    if done:
        (home / "a.txt").rename(home / "b.txt")
        site.visit("/thanks?name=Ada")
    if more:
        (home / more).write_text("not asked for")
    return before, Outcome(home, site, (), (), "I have done it" if done else "What is it?")
