"""The program's log file: rotated, private, and without keys."""

from __future__ import annotations

import logging
import logging.handlers
import os
from pathlib import Path

from desktop_agent.protocol.secret_names import is_secret


class Redact(logging.Filter):
    """Replaces the exact values of secrets, wherever they stand in a line."""

    def __init__(self, secrets: tuple[str, ...]) -> None:
        super().__init__()
        self._secrets = secrets

    def filter(self, record: logging.LogRecord) -> bool:
        text = record.getMessage()
        for secret in self._secrets:
            text = text.replace(secret, "[secret]")
        record.msg, record.args = text, ()
        return True


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
    handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(name)s: %(message)s"))
    handler.addFilter(Redact(secrets_of(dict(os.environ))))
    root = logging.getLogger("desktop_agent")
    root.handlers[:] = [handler]
    root.setLevel(logging.INFO)
    root.propagate = False


def secrets_of(environment: dict[str, str]) -> tuple[str, ...]:
    """Values of variables whose names say that they are secret."""
    return tuple(value for name, value in environment.items() if len(value) >= 8 and is_secret(name))
