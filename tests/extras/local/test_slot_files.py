"""The files in which llama.cpp keeps what it has read: bound to their model, whole or not there."""

from __future__ import annotations

import logging
import os
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

from desktop_agent.extras.local.slot_files import (
    DESCRIPTION,
    Binding,
    Description,
    SlotFiles,
    open_slot_files,
)
from tests.project_copy import ROOT

BINDING = Binding("smol", 2048, "build 1")
SYSTEM = "You work a desktop."


def files(folder: Path, binding: Binding = BINDING, most: int = 1_000_000) -> SlotFiles:
    found = open_slot_files(folder, binding, most)
    assert found is not None
    return found


def saved(folder: Path, content: bytes = b"read tokens" * 100) -> Path:
    """A file that was saved, and closed by its process."""
    kept = files(folder)
    with kept.saving(SYSTEM) as name:
        (folder / name).write_bytes(content)
    kept.close()
    return folder / name


def test_what_was_saved_is_used_again_for_a_conversation_that_begins_like_it(tmp_path: Path) -> None:
    path = saved(tmp_path)
    kept = files(tmp_path)
    assert kept.usable(SYSTEM) == path.name
    assert kept.usable("Another system prompt") == ""
    long = "w" * 2_000
    with kept.saving(long) as name:
        (tmp_path / name).write_bytes(b"more")
    assert kept.usable(long + "the mark of another run") == name
    assert not path.exists()
    if os.name == "posix":
        assert all(each.stat().st_mode & 0o077 == 0 for each in (tmp_path, *tmp_path.iterdir()))


@pytest.mark.parametrize(
    "other", [("other", 2048, "build 1"), ("smol", 4096, "build 1"), ("smol", 2048, "2")]
)
def test_another_model_context_or_build_is_refused(
    tmp_path: Path, other: tuple[str, int, str], caplog: pytest.LogCaptureFixture
) -> None:
    path = saved(tmp_path)
    with caplog.at_level(logging.WARNING):
        assert files(tmp_path, Binding(*other)).usable(SYSTEM) == ""
    assert "made anew: it belongs to another model" in caplog.text
    assert not path.exists() and not (tmp_path / DESCRIPTION).exists()


@pytest.mark.parametrize("harm", ["shorter", "other bytes", "gone"])
def test_a_file_that_is_not_what_was_saved_is_refused(
    tmp_path: Path, harm: str, caplog: pytest.LogCaptureFixture
) -> None:
    path = saved(tmp_path)
    content = path.read_bytes()
    path.unlink()
    if harm != "gone":
        path.write_bytes(content[:-1] + (b"" if harm == "shorter" else b"!"))
    kept = files(tmp_path)
    with caplog.at_level(logging.WARNING):
        assert kept.usable(SYSTEM) == ""
    assert "made anew" in caplog.text and not path.exists()


def test_a_description_that_names_a_file_elsewhere_leads_nowhere(tmp_path: Path) -> None:
    path = saved(tmp_path / "cache")
    moved = path.rename(tmp_path / "outside.bin")
    description = tmp_path / "cache" / DESCRIPTION
    told = msgspec.json.decode(description.read_bytes(), type=Description)
    description.write_bytes(msgspec.json.encode(msgspec.structs.replace(told, file="../outside.bin")))
    assert files(tmp_path / "cache").usable(SYSTEM) == ""
    assert moved.exists()


def test_one_that_has_become_too_large_is_not_kept_and_the_one_before_stays(tmp_path: Path) -> None:
    path = saved(tmp_path)
    kept = files(tmp_path, most=2_000)
    with pytest.raises(OSError, match="at most 2000"), kept.saving(SYSTEM) as name:
        (tmp_path / name).write_bytes(bytes(3_000))
    assert not (tmp_path / name).exists()
    assert kept.usable(SYSTEM) == path.name


def test_a_failure_while_saving_leaves_the_one_before(tmp_path: Path) -> None:
    path = saved(tmp_path)
    kept = files(tmp_path)
    with pytest.raises(RuntimeError), kept.saving(SYSTEM) as name:
        (tmp_path / name).write_bytes(b"half")
        raise RuntimeError("the server went away")
    assert kept.usable(SYSTEM) == path.name
    assert sorted(each.name for each in tmp_path.glob("*.bin")) == [path.name]


def test_a_second_process_goes_without(tmp_path: Path) -> None:
    held = files(tmp_path)
    assert open_slot_files(tmp_path, BINDING, 1_000) is None
    held.close()
    files(tmp_path).close()


KILLED = """
import sys
from pathlib import Path
from desktop_agent.extras.local.slot_files import Binding, open_slot_files
folder = Path(sys.argv[1])
kept = open_slot_files(folder, Binding("smol", 2048, "build 1"), 50_000_000)
number = 0
while True:
    number += 1
    with kept.saving("You work a desktop.") as name, (folder / name).open("wb") as file:
        for _ in range(40):
            file.write(bytes([number % 251]) * 10_000)
            if number > int(sys.argv[2]):
                print("writing", flush=True)
                sys.stdin.read(1)
"""


@pytest.mark.parametrize("whole", [0, 1, 3])
def test_who_is_killed_while_writing_leaves_the_one_before_or_none(tmp_path: Path, whole: int) -> None:
    child = subprocess.Popen(
        [sys.executable, "-c", KILLED, str(tmp_path), str(whole)],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    assert child.stdout is not None and child.stdout.readline().strip() == b"writing"
    child.kill()
    child.wait()
    child.communicate()
    kept = files(tmp_path, most=50_000_000)
    name = kept.usable(SYSTEM)
    assert bool(name) == bool(whole)
    assert [each.name for each in tmp_path.glob("*.bin")] == ([name] if whole else [])
    if whole:
        assert (tmp_path / name).read_bytes() == bytes([whole]) * 400_000
