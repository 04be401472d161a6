"""Sets up the program's log file: rotated, and without secrets."""

from __future__ import annotations

import logging
import logging.handlers
import os
from io import TextIOWrapper
from pathlib import Path

from desktop_agent.redaction.redactor import Redactor, redactor
from desktop_agent.support.private_files import FILE, private_folder

_FORM = "%(asctime)s %(levelname)s %(name)s: %(message)s"


class CleanFormatter(logging.Formatter):
    """Formats a log record without secrets, its traceback included."""

    def __init__(self, redactor: Redactor) -> None:
        super().__init__(_FORM)
        self._redactor = redactor

    def format(self, record: logging.LogRecord) -> str:
        return self._redactor.clean(super().format(record))


class _PrivateFile(logging.handlers.RotatingFileHandler):
    """A rotated log file that only its owner may read."""

    def _open(self) -> TextIOWrapper:
        os.close(os.open(self.baseFilename, os.O_WRONLY | os.O_CREAT | os.O_APPEND, FILE))
        return super()._open()


def set_up(folder: Path) -> None:
    """Log to `folder/desktop-agent.log` from level INFO on; when the folder cannot be written, log nowhere."""
    handler: logging.Handler
    try:
        private_folder(folder)
        handler = _PrivateFile(
            folder / "desktop-agent.log", maxBytes=1_000_000, backupCount=2, encoding="utf-8", delay=True
        )
    except OSError:
        handler = logging.NullHandler()
    redactor().know_environment(os.environ)
    handler.setFormatter(CleanFormatter(redactor()))
    root = logging.getLogger("desktop_agent")
    root.handlers[:] = [handler]
    root.setLevel(logging.INFO)
    root.propagate = False
