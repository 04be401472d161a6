"""Reports of crashes are shown once, whole and without secrets, and can be deleted."""

from __future__ import annotations

from pathlib import Path

from desktop_agent.redaction.redactor import redactor
from desktop_agent.startup.crash_boundary import CrashReports
from desktop_agent.startup.window_surroundings import UntoldCrashes

SECRET = "s3cret-Passw0rd-of-the-user"


def crash(folder: Path, words: str) -> Path:
    path = CrashReports(folder, redactor()).write(ValueError(words), "the main thread")
    assert path is not None
    return path


def test_a_report_is_told_of_once(tmp_path: Path) -> None:
    crashes = UntoldCrashes(tmp_path)
    assert crashes.text() == ""
    report = crash(tmp_path, "first")
    assert crashes.text() == report.read_text(encoding="utf-8")
    crashes.told()
    assert crashes.text() == ""
    crash(tmp_path, "second")
    assert "second" in crashes.text() and "first" not in crashes.text()


def test_a_secret_that_became_known_later_is_not_shown(tmp_path: Path) -> None:
    crash(tmp_path, f"refused: {SECRET}")
    redactor().know(SECRET)
    assert SECRET not in UntoldCrashes(tmp_path).text()


def test_deleting_leaves_nothing(tmp_path: Path) -> None:
    crash(tmp_path, "first")
    crashes = UntoldCrashes(tmp_path)
    crashes.told()
    crash(tmp_path, "second")
    crashes.delete()
    crashes.told()  # as the closing of the question does
    assert list(tmp_path.iterdir()) == []
