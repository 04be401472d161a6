"""Runs the program with crash reports and redacted stdout and stderr."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager

from desktop_agent.redaction.redactor import redactor
from desktop_agent.redaction.streams import clean_streams
from desktop_agent.startup.crashes.crash_reports import CrashReports
from desktop_agent.support import paths


@contextmanager
def crash_boundary() -> Iterator[None]:
    """While it lasts, uncaught errors are written to reports and known secrets are taken out of what is printed."""
    redactor().know_environment(os.environ)
    CrashReports(paths.logs(), redactor()).install()
    with clean_streams(redactor()):
        yield
