"""Runs the program with crash reports and redacted stdout and stderr."""

from __future__ import annotations

import contextlib
import os
import platform
import sys
import threading
import time
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType

from desktop_agent import __version__
from desktop_agent.redaction.redactor import Redactor, redactor
from desktop_agent.redaction.streams import clean_streams
from desktop_agent.support import paths
from desktop_agent.support.paths import private_folder

KEPT = 10
"""Reports that are kept; older ones are removed."""


@contextmanager
def crash_boundary() -> Iterator[None]:
    """While it lasts, uncaught errors are written to reports and known secrets are taken out of what is printed."""
    redactor().know_environment(os.environ)
    CrashReports(paths.logs(), redactor()).install()
    with clean_streams(redactor()):
        yield


class CrashReports:
    """Writes a report into `folder` for every uncaught error of the process, in any thread."""

    def __init__(self, folder: Path, redactor: Redactor) -> None:
        self._folder = folder
        self._redactor = redactor
        self._lock = threading.Lock()

    def install(self) -> None:
        """Replace the exception hooks of the process and of its threads."""
        sys.excepthook = self._on_error
        threading.excepthook = self._on_thread_error

    def write(self, error: BaseException, where: str) -> Path | None:
        """Write a report and return its path, None when it cannot be written."""
        text = self._redactor.clean(_text(error, where))
        seconds, rest = divmod(time.time_ns(), 1_000_000_000)
        moment = time.strftime("%Y%m%d-%H%M%S", time.localtime(seconds))
        path = self._folder / f"crash-{moment}-{rest:09d}-{os.getpid()}.txt"
        try:
            private_folder(self._folder)
            file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            with os.fdopen(file, "w", encoding="utf-8") as out:
                out.write(text)
        except OSError:
            return None
        self._remove_old()
        return path

    def _remove_old(self) -> None:
        with contextlib.suppress(OSError):
            for old in sorted(self._folder.glob("crash-*.txt"))[:-KEPT]:
                old.unlink()

    def _on_error(self, kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        if issubclass(kind, KeyboardInterrupt):
            sys.__excepthook__(kind, error, trace)
            return
        self._report(error, "the main thread")

    def _on_thread_error(self, given: threading.ExceptHookArgs) -> None:
        if given.exc_value is not None and not issubclass(given.exc_type, SystemExit):
            self._report(given.exc_value, f"the thread {given.thread.name if given.thread else '?'}")

    def _report(self, error: BaseException, where: str) -> None:
        with self._lock:
            path = self.write(error, where)
            kept = f"What is known about it is in {path}, without your secrets." if path else ""
            words = f"desktop-agent: something went wrong inside ({type(error).__name__}). {kept} Start it again.\n"
            if sys.stderr is not None:
                sys.stderr.write(self._redactor.clean(words))
                sys.stderr.flush()


def _text(error: BaseException, where: str) -> str:
    """The text of a report: versions, time and traceback; `format_exception` shows code and messages, no values."""
    lines = traceback.format_exception(type(error), error, error.__traceback__)
    head = f"desktop-agent {__version__}, Python {platform.python_version()} on {platform.platform()}\n"
    return f"{head}{time.strftime('%Y-%m-%d %H:%M:%S')}, in {where}\n\n{''.join(lines)}"
