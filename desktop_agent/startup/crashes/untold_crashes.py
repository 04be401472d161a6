"""The reports of crashes that the user has not been told of: their texts, and their deletion."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

from desktop_agent.redaction.redactor import redactor
from desktop_agent.support import paths

TOLD = paths.TOLD_CRASHES
"""The file beside the reports that names those the user has been told of, one a line."""


class UntoldCrashes:
    """The reports in `folder` that are not named in the file of those told. Nothing here is sent anywhere."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def text(self) -> str:
        """All that the untold reports hold, the newest first, and "" when there are none."""
        return "\n\n".join(self._read(each) for each in reversed(self._untold()))

    def told(self) -> None:
        """The user has been told of all of them."""
        names = sorted(each.name for each in self._folder.glob("crash-*.txt"))
        with suppress(OSError):
            if names:
                (self._folder / TOLD).write_text("\n".join(names), encoding="utf-8")

    def delete(self) -> None:
        """Delete all reports, told of or not."""
        for each in (*self._folder.glob("crash-*.txt"), self._folder / TOLD):
            with suppress(OSError):
                each.unlink()

    def _untold(self) -> list[Path]:
        try:
            known = (self._folder / TOLD).read_text(encoding="utf-8").splitlines()
        except (OSError, UnicodeDecodeError):
            known = []
        return sorted(each for each in self._folder.glob("crash-*.txt") if each.name not in known)

    def _read(self, file: Path) -> str:
        """A report, cleaned once more: a secret may have become known since it was written."""
        try:
            return redactor().clean(file.read_text(encoding="utf-8", errors="replace"))
        except OSError as error:
            return f"{file.name}: {error.strerror}"
