"""What the packaged program leaves to those it opens: nothing of its own."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

from desktop_agent.startup import onefile


def test_variables_that_lead_into_the_program_are_not_handed_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("_PYI_APPLICATION_HOME_DIR", "/somewhere")
    monkeypatch.setenv("_PYI_ARCHIVE_FILE", "/somewhere/desktop-agent.exe")
    monkeypatch.setenv("OF_THE_USER", "1")
    onefile.hide_from_children()
    assert not [name for name in os.environ if name.startswith("_PYI_")]
    assert os.environ["OF_THE_USER"] == "1"


def test_from_source_and_from_a_folder_there_is_no_first_process(monkeypatch: pytest.MonkeyPatch) -> None:
    assert not onefile.unpacked()
    monkeypatch.setattr(sys, "_MEIPASS", str(Path(sys.executable).parent / "_internal"), raising=False)
    assert not onefile.unpacked()


def test_as_one_file_there_is(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(sys, "_MEIPASS", str(tmp_path / "_MEI1234"), raising=False)
    assert onefile.unpacked()


def of_the_program(folder: Path, first: int | None) -> Path:
    """A folder that the program unpacked, by a first process with that number."""
    (folder / "assets" / "icons").mkdir(parents=True)
    (folder / "assets" / "icons" / "app.ico").touch()
    (folder / "python313.dll").touch()
    if first is not None:
        (folder / "first process").write_text(str(first), encoding="ascii")
    return folder


@pytest.fixture
def gone() -> int:
    """The number of a process that has ended."""
    process = subprocess.Popen([sys.executable, "-c", ""])
    process.wait()
    return process.pid


def left(folder: Path) -> list[str]:
    onefile.remove_unused(folder / "_MEI9", time.time())
    return sorted(each.name for each in folder.iterdir())


def test_what_a_killed_first_process_left_is_removed_at_once(tmp_path: Path, gone: int) -> None:
    of_the_program(tmp_path / "_MEI1", gone)
    of_the_program(tmp_path / "_MEI2", os.getpid())
    (tmp_path / "_MEI3").mkdir()  # of another program
    assert left(tmp_path) == ["_MEI2", "_MEI3"]


def test_what_was_left_half_unpacked_is_removed_a_day_later(tmp_path: Path) -> None:
    of_the_program(tmp_path / "_MEI1", None)
    assert left(tmp_path) == ["_MEI1"]
    os.utime(tmp_path / "_MEI1", (time.time() - 2 * onefile.KEPT_SECONDS,) * 2)
    assert left(tmp_path) == []


def test_its_own_folder_stays(tmp_path: Path, gone: int) -> None:
    own = of_the_program(tmp_path / "_MEI1", gone)
    onefile.remove_unused(own, time.time())
    assert own.is_dir()


def test_the_program_tells_its_folder_who_was_first(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(sys, "_MEIPASS", str(tmp_path), raising=False)
    monkeypatch.setattr(
        os, "getppid", os.getpid
    )  # one that lives as long as this test; Wine may not know ours
    onefile.end_with_parent()
    assert (tmp_path / "first process").read_text() == str(os.getpid())


@pytest.mark.skipif(sys.platform != "win32", reason="other systems remove files in use")
def test_what_somebody_uses_stays(tmp_path: Path, gone: int) -> None:
    import ctypes

    folder = of_the_program(tmp_path / "_MEI1", gone)
    shutil.copy(Path(sys.base_prefix) / "vcruntime140.dll", folder / "python313.dll")
    loaded = ctypes.CDLL(str(folder / "python313.dll"))
    assert left(tmp_path) == ["_MEI1"]
    assert (folder / "assets" / "icons" / "app.ico").is_file(), loaded
