"""What the packaged program leaves to those it opens: nothing of its own."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from desktop_agent import unpacked


def test_variables_that_lead_into_the_program_are_not_handed_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("_PYI_APPLICATION_HOME_DIR", "/somewhere")
    monkeypatch.setenv("_PYI_ARCHIVE_FILE", "/somewhere/desktop-agent.exe")
    monkeypatch.setenv("OF_THE_USER", "1")
    unpacked.keep_to_ourselves()
    assert not [name for name in os.environ if name.startswith("_PYI_")]
    assert os.environ["OF_THE_USER"] == "1"


def test_from_source_and_from_a_folder_there_is_no_first_process(monkeypatch: pytest.MonkeyPatch) -> None:
    assert not unpacked.unpacked()
    monkeypatch.setattr(sys, "_MEIPASS", str(Path(sys.executable).parent / "_internal"), raising=False)
    assert not unpacked.unpacked()


def test_as_one_file_there_is(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(sys, "_MEIPASS", str(tmp_path / "_MEI1234"), raising=False)
    assert unpacked.unpacked()
