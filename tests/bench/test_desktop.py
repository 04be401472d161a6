"""The benchmark of everyday jobs in short: one on disk and one in the application, judged as in the long form."""

from __future__ import annotations

import pytest

from benchmarks.everyday.job import Job
from benchmarks.everyday.jobs import EDITOR, SUMS
from benchmarks.everyday.work import carry_out

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("job", [EDITOR[0], SUMS[0]], ids=lambda job: job.program)
def test_an_everyday_job_is_done(job: Job) -> None:
    done = carry_out(job)
    assert done.right, f"{done.told} {done.kept}"
