"""What the packaged program leaves to those it opens: nothing of its own."""

from __future__ import annotations

import os
import shutil
import sys
import time
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


@pytest.fixture
def unpacked_before(tmp_path: Path) -> Path:
    """A folder that the program unpacked two days ago, beside others."""
    folder = tmp_path / "_MEI1111"
    for name in ("_MEI1111", "_MEI2222", "_MEI3333"):
        (tmp_path / name / "assets" / "icons").mkdir(parents=True)
        (tmp_path / name / "assets" / "icons" / "app.ico").touch()
    (folder / "library.dll").write_bytes(b"")
    (tmp_path / "_MEI3333" / "assets" / "icons" / "app.ico").unlink()  # of another program
    for name in ("_MEI1111", "_MEI3333"):
        os.utime(tmp_path / name, (time.time() - 2 * unpacked.KEPT_SECONDS,) * 2)
    return folder


def test_what_a_killed_first_process_left_is_removed(unpacked_before: Path) -> None:
    own = unpacked_before.parent / "_MEI4444"
    unpacked.remove_left(own, time.time())
    assert sorted(each.name for each in own.parent.iterdir()) == ["_MEI2222", "_MEI3333"]


def test_its_own_folder_stays(unpacked_before: Path) -> None:
    unpacked.remove_left(unpacked_before, time.time())
    assert unpacked_before.is_dir()


@pytest.mark.skipif(sys.platform != "win32", reason="other systems remove files in use")
def test_what_somebody_uses_stays(unpacked_before: Path) -> None:
    import ctypes

    library = unpacked_before / "library.dll"
    shutil.copy(Path(sys.base_prefix) / "vcruntime140.dll", library)
    os.utime(unpacked_before, (time.time() - 2 * unpacked.KEPT_SECONDS,) * 2)
    loaded = ctypes.CDLL(str(library))
    unpacked.remove_left(unpacked_before.parent / "_MEI4444", time.time())
    assert library.is_file() and (unpacked_before / "assets" / "icons" / "app.ico").is_file(), loaded
