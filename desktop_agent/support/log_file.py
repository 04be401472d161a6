"""The program's log file: rotated, private, and without keys."""

from __future__ import annotations

import logging
import logging.handlers
import os
from pathlib import Path

from desktop_agent.redaction.redactor import Redactor, redactor

_FORM = "%(asctime)s %(levelname)s %(name)s: %(message)s"


class CleanFormatter(logging.Formatter):
    """Takes secrets out of the whole text of a record, its traceback included."""

    def __init__(self, redactor: Redactor) -> None:
        super().__init__(_FORM)
        self._redactor = redactor

    def format(self, record: logging.LogRecord) -> str:
        return self._redactor.clean(super().format(record))


def set_up(folder: Path) -> None:
    """Log warnings and worse to `folder/desktop-agent.log`; a folder that cannot be written is no error."""
    handler: logging.Handler
    try:
        folder.mkdir(parents=True, exist_ok=True)
        handler = logging.handlers.RotatingFileHandler(
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
