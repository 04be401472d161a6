"""What a judgement costs: the calls of the policy are timed while cases are played."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any
from unittest import mock

from benchmarks.report import Figure, Goal, measured
from desktop_agent.policy import gatekeeper


@dataclass
class Judging:
    """Milliseconds of each judgement."""

    times: list[float] = field(default_factory=list)

    def figures(self) -> list[Figure]:
        return (
            [measured("a judgement of one operation", self.times, "ms", Goal(2, "p50"))] if self.times else []
        )


@contextmanager
def timed(judging: Judging) -> Iterator[None]:
    """Time every judgement meanwhile, but those of proofs, where there is none."""
    judge: Callable[..., Any] = vars(gatekeeper)["judge"]

    def measure(*given: Any, **named: Any) -> Any:
        start = time.perf_counter()
        try:
            return judge(*given, **named)
        finally:
            judging.times.append((time.perf_counter() - start) * 1000)

    with mock.patch.object(gatekeeper, "judge", measure):
        yield
