"""The user's folders where the system has them, and the address of a model that has none."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from desktop_agent.extras.offline.llm import offline
from desktop_agent.extras.offline.llm.offline.intents_desk import RunCommand
from desktop_agent.extras.offline.llm.offline.language.understand import parse
from desktop_agent.extras.offline.llm.offline.scene import folder_path
from desktop_agent.support import paths
from tests.support.test_paths import german

__all__ = ["german"]


@pytest.mark.linux("these settings are Linux's")
def test_the_offline_model_finds_them_too(german: Path) -> None:
    assert folder_path("DOCUMENTS/Work", str(german)) == str(german / "Meine Dokumente/Work")
    assert folder_path("DOCUMENTS", "/home/ada") == "/home/ada/Documents"
    (first,) = parse("in a terminal, list the files in Documents")
    assert isinstance(first, RunCommand) and first.command == "ls ~/'Meine Dokumente'"


@pytest.mark.skipif(sys.platform != "win32", reason="asks Windows itself")
def test_on_windows_moved_documents_are_found(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("WIN_PD_OVERRIDE_PERSONAL", str(tmp_path))
    assert folder_path("DOCUMENTS/Work", str(Path.home())) == str(tmp_path / "Work")
    assert folder_path("PICTURES/Work", str(Path.home())) == str(paths.of_user("PICTURES") / "Work")


def test_no_picture_goes_anywhere() -> None:
    assert offline.create(offline.Options()).server() == ""
