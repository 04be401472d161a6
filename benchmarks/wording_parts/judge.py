"""Judges what came of a wording by what is seen outside the program: files, forms that were sent, what was told."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, TypeAlias

import msgspec

from benchmarks.everyday.job import Outcome
from benchmarks.everyday.work import snapshot
from benchmarks.wording_parts.cases import Case, WordedJob

Verdict: TypeAlias = Literal["right", "asked", "failed", "false done", "wrong effect"]


class Judged(msgspec.Struct, frozen=True):
    """The verdict on a case, with what was missing or what was done that nobody had asked for."""

    job: str
    kind: str
    aside: bool
    verdict: Verdict
    why: str
    words: str
    told: str
    seconds: float


def verdict(case: Case, outcome: Outcome, end: str, before: Mapping[str, str]) -> tuple[Verdict, str]:
    """What a run comes to, and why. `end` is how it ended: "done", "question", "error" or "".

    Done without the effects, or with a part that cannot be done, is a false done.
    """
    if unasked := _unasked(case.job, outcome, before):
        return "wrong effect", unasked
    missing = _missing(case.job, outcome)
    if end == "done":
        if missing or not case.possible:
            return "false done", missing or "it cannot have done all of it"
        return "right", ""
    return ("asked" if end == "question" else "failed"), missing


def _missing(job: WordedJob, outcome: Outcome) -> str:
    """The first thing that is not as it must be, "" when all is."""
    for name, text in job.after.items():
        if not outcome.has(name) or outcome.text(name) != text.removesuffix("\n"):
            return f"{name} holds {outcome.text(name)!r}" if outcome.has(name) else f"no {name}"
    wrong = [f"{name} is still there" for name in job.gone if outcome.has(name)]
    wrong += [f"no folder {name}" for name in job.folders if not (outcome.home / name).is_dir()]
    wrong += [
        f"{name} is not in the trash"
        for name in job.trashed
        if not outcome.has(f".local/share/Trash/files/{name}")
    ]
    wrong += [f"not told: {words}" for words in job.told if words not in " ".join(outcome.told.split())]
    wrong += [
        f"not sent: {form.path} {form.fields}"
        for form in job.sent
        if form.fields not in outcome.site.sent(form.path)
    ]
    return wrong[0] if wrong else ""


def _unasked(job: WordedJob, outcome: Outcome, before: Mapping[str, str]) -> str:
    """The first thing that was changed or sent though nobody asked for it."""
    expected = {
        *job.after,
        *job.gone,
        *job.changed,
        *(f"{name}/" for name in (*job.folders, *job.gone, *job.changed)),
    }
    after = snapshot(outcome.home)
    for name in sorted({*before, *after}):
        if before.get(name) == after.get(name) or name in expected or _within(name, job):
            continue
        return f"{name} " + (
            "is gone" if name not in after else "is new" if name not in before else "was changed"
        )
    for path, fields in outcome.site.forms():
        if fields and not any(form.path == path and form.fields == fields for form in job.sent):
            return f"{path} was sent {fields}"
    return ""


def _within(name: str, job: WordedJob) -> bool:
    """Does it lie in a folder that is moved, made or thrown away as a whole, or is it one that a file was put into?"""
    inside = any(name.startswith(f"{folder}/") for folder in (*job.folders, *job.gone))
    return inside or any(path.startswith(name) for path in job.after if name.endswith("/"))
