"""The walls around the whole program: its terminal and the reports of its crashes hold no secrets."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager

from desktop_agent.redaction.redactor import redactor
from desktop_agent.redaction.streams import clean_streams
from desktop_agent.startup.crash_reports import CrashReports
from desktop_agent.support import paths


@contextmanager
def crash_boundary() -> Iterator[None]:
    """Run the program inside; an error that nobody catches becomes a report."""
    redactor().know_environment(os.environ)
    CrashReports(paths.logs(), redactor()).install()
    with clean_streams(redactor()):
        yield
