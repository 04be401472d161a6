"""Sets up the program's log file: rotated, and without secrets."""

from __future__ import annotations

import logging
import logging.handlers
import os
from io import TextIOWrapper
from pathlib import Path

from desktop_agent.redaction.redactor import Redactor, redactor
from desktop_agent.support.paths import FILE, private_folder

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


def set_up(folder: Path, level: str = "info", file: str = "") -> None:
    """Log to `file`, or to `folder/desktop-agent.log`, from a level on; when it cannot be written, log nowhere.

    Called again, it replaces what was set up before.
    """
    handler: logging.Handler
    path = Path(file).expanduser() if file else folder / "desktop-agent.log"
    try:
        private_folder(path.parent) if not file else path.parent.mkdir(parents=True, exist_ok=True)
        handler = _PrivateFile(path, maxBytes=1_000_000, backupCount=2, encoding="utf-8", delay=True)
    except OSError:
        handler = logging.NullHandler()
    redactor().know_environment(os.environ)
    handler.setFormatter(CleanFormatter(redactor()))
    root = logging.getLogger("desktop_agent")
    before, root.handlers[:] = list(root.handlers), [handler]
    for each in before:
        each.close()
    root.setLevel(level.upper())
    root.propagate = False
