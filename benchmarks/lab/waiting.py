"""Waiting for something to become true, without taking processor time from what is measured."""

from __future__ import annotations

import select
import time
from collections.abc import Callable

from benchmarks.report import BenchmarkError


def until(condition: Callable[[], object], what: str, seconds: float = 30.0) -> None:
    """Ask until the answer is true. Raises BenchmarkError at the deadline."""
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > deadline:
            raise BenchmarkError(f"not within {seconds:g} s: {what}")
        select.select([], [], [], 0.01)
