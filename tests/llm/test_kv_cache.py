"""The files of what a model has read: bound to it, whole or not there, and nothing but data."""

from __future__ import annotations

import logging
import os
import pickle
import subprocess
import sys
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest

from desktop_agent.llm.kv_cache import kept_cache
from desktop_agent.llm.kv_cache.kept_cache import NotOurs, NotPlain
from desktop_agent.llm.kv_cache.slot_files import (
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


# ---- what llama.cpp writes ---------------------------------------------------------------------


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
from desktop_agent.llm.kv_cache.slot_files import Binding, open_slot_files
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


def test_a_model_file_is_told_from_another(tmp_path: Path) -> None:
    path = tmp_path / "model.gguf"
    path.write_bytes(bytes(3_000_000))
    first = kept_cache.of_file(path)
    assert kept_cache.of_file(path) == first
    time = path.stat().st_mtime_ns
    with path.open("r+b") as file:
        file.seek(-1, os.SEEK_END)
        file.write(b"!")
    os.utime(path, ns=(time, time))
    assert kept_cache.of_file(path) != first
    assert kept_cache.of_class(Binding) != kept_cache.of_class(SlotFiles)


# ---- what a model of one's own hands over ------------------------------------------------------

VALUE: dict[str, Any] = {
    "layers": [
        (np.arange(6, dtype="float16").reshape(1, 2, 3), np.zeros((2, 0))),
        (np.array(3.5), np.array([True, False])),
    ],
    "tokens": np.arange(4, dtype=">i4"),
    "raw": b"\x00\xff",
    "plain": [None, True, 7, 2.5, "grüß", float("inf")],
}


def test_tensors_and_how_they_were_put_together_come_back() -> None:
    file = kept_cache.written(VALUE, "mine 1")
    back = kept_cache.read(file, "mine 1")
    (keys, values), (scalar, flags) = back["layers"]
    assert keys.dtype == np.float16 and keys.tolist() == VALUE["layers"][0][0].tolist()
    assert values.shape == (2, 0) and scalar.shape == () and float(scalar) == 3.5
    assert flags.tolist() == [True, False] and back["tokens"].tolist() == [0, 1, 2, 3]
    assert back["raw"] == VALUE["raw"] and back["plain"] == VALUE["plain"]
    assert isinstance(back["layers"][0], tuple)
    keys[0, 0, 0] = 9  # a model may go on writing into it


def test_torch_tensors_come_back() -> None:
    torch = pytest.importorskip("torch")
    value = [torch.arange(6, dtype=torch.bfloat16).reshape(2, 3), torch.zeros(0, 3)]
    back = kept_cache.read(kept_cache.written(value, "mine"), "mine")
    assert all(torch.equal(a, b) and a.dtype == b.dtype for a, b in zip(value, back, strict=True))


def test_other_programs_can_read_it_as_safetensors() -> None:
    """The header's length and a JSON header whose offsets cover the rest without a gap, as the format says."""
    file = kept_cache.written(VALUE, "mine 1")
    length = int.from_bytes(file[:8], "little")
    header = msgspec.json.decode(file[8 : 8 + length])
    assert all(isinstance(each, str) for each in header.pop("__metadata__").values())
    spans = sorted(each["data_offsets"] for each in header.values())
    assert [span[0] for span in spans] == [0, *(span[1] for span in spans[:-1])]
    assert spans[-1][1] == len(file) - 8 - length


@pytest.mark.parametrize(
    "value", [object(), {1: 2}, {"a": [{1}]}, np.array([object()]), [np.array(["text"])], lambda: 0]
)
def test_what_is_more_than_data_is_refused(value: object) -> None:
    with pytest.raises(NotPlain):
        kept_cache.written(value, "mine")


def test_something_nested_too_deeply_is_refused() -> None:
    value: list[Any] = []
    value.append(value)
    with pytest.raises(NotPlain):
        kept_cache.written(value, "mine")


def test_a_foreign_or_damaged_file_is_refused_and_never_unpickled() -> None:
    file = kept_cache.written(VALUE, "mine 1")
    with pytest.raises(NotOurs, match="belongs to 'mine 1'"):
        kept_cache.read(file, "mine 2")
    for number in range(0, len(file), 7):
        with pytest.raises(NotOurs):
            kept_cache.read(file[:number], "mine 1")
        with pytest.raises(NotOurs):
            harmed = file[:number] + bytes([file[number] ^ 0x20]) + file[number + 1 :]
            assert kept_cache.read(harmed, "mine 1") is None
    for foreign in (pickle.dumps(_Bomb()), b"PK\x03\x04" + bytes(100), b"\xff" * 64, b"[" * 100):
        with pytest.raises(NotOurs):
            kept_cache.read(foreign, "mine 1")
    assert not _Bomb.gone_off


class _Bomb:
    gone_off = False

    def __reduce__(self) -> Any:
        return setattr, (_Bomb, "gone_off", True)
