"""The walls around the whole program: its terminal and the reports of its crashes hold no secrets."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager

from desktop_agent import folders
from desktop_agent.console import clean_streams
from desktop_agent.crash import CrashReports
from desktop_agent.redact import shared


@contextmanager
def guarded() -> Iterator[None]:
    """Run the program inside; an error that nobody catches becomes a report."""
    shared().know_environment(os.environ)
    CrashReports(folders.logs(), shared()).install()
    with clean_streams(shared()):
        yield
