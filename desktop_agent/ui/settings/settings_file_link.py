"""Opens config.toml in the user's editor; makes it from the commented template where it is not there."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QUrl
from PySide6.QtGui import QDesktopServices

from desktop_agent.protocol.errors import ConfigError
from desktop_agent.support import resources
from desktop_agent.support.language import tr


def make_settings_file(path: Path) -> None:
    """Write the commented template where there is no file yet. Raises ConfigError."""
    try:
        if not path.exists():
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(template(), encoding="utf-8")
    except OSError as error:
        raise ConfigError(
            tr("{path} cannot be written: {error}.").format(path=path, error=error.strerror),
            tr("Check that you may write there."),
        ) from error


def template() -> str:
    """The settings file as the program ships it: every line is a comment that shows a default."""
    return resources.text("settings", "config.toml")


def open_settings_file(path: Path) -> bool:
    """Open the file with what the system opens text files with; False where it has nothing."""
    return QDesktopServices.openUrl(QUrl.fromLocalFile(str(path)))
