"""The cache of a local model's reading, kept in a file: bound to the model, and nothing but data."""

from __future__ import annotations

import os
import pickle
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest

from desktop_agent.llm.transport import kept_cache
from desktop_agent.llm.transport.kept_cache import NotOurs, NotPlain


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
    assert kept_cache.of_class(NotOurs) != kept_cache.of_class(NotPlain)


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
