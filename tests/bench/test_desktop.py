"""The benchmark of everyday jobs in short: one, judged as in the long form."""

from __future__ import annotations

from benchmarks.everyday.jobs import EDITOR
from benchmarks.everyday.work import carry_out


def test_an_everyday_job_is_done() -> None:
    done = carry_out(EDITOR[0])
    assert done.right, f"{done.told} {done.kept}"
