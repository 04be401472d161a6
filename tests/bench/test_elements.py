"""The short form of `./bench elements`: what is kept is what is read anew, and at rest nothing is asked."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest

from benchmarks.elements import SUBJECTS, Subject, shown, unlike
from desktop_agent.vision.atspi.atspi_reader import AtspiReader
from tests.desk import until


@pytest.mark.parametrize("subject", SUBJECTS[1:], ids=lambda each: each.title)
def test_what_is_kept_is_what_is_read_anew(subject: Subject) -> None:
    with tempfile.TemporaryDirectory() as folder, shown(subject, Path(folder)) as desk:
        kept = AtspiReader(desk.environment)

        def at_rest() -> bool:
            before = kept.questions
            kept.read(desk.windows())
            return kept.questions - before <= 2

        def alike() -> bool:
            """A new reader may run out of time on a busy machine; one that keeps something wrong goes on so."""
            fresh = AtspiReader(desk.environment)
            try:
                return not unlike(kept.read(desk.windows()), fresh.read(desk.windows()))
            finally:
                fresh.close()

        until(at_rest, "a read that only asks who is there")
        until(alike, "the same from a new reader")
        kept.close()
