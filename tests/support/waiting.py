"""Waiting for something to become true, without taking processor time from what is measured."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import TypeVar

from benchmarks.report import BenchmarkError

T = TypeVar("T")


class Late(BenchmarkError, AssertionError):
    """It did not come true in time: a benchmark cannot be carried out then, a test has failed."""


def until(condition: Callable[[], T | None], what: str, seconds: float = 60.0) -> T:
    """Ask until the answer is true and return it. Raises Late at the deadline."""
    deadline = time.monotonic() + seconds
    while not (answer := condition()):
        if time.monotonic() > deadline:
            raise Late(f"not within {seconds:g} s: {what}")
        threading.Event().wait(0.01)
    return answer
