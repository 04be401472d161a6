"""`./bench`: lists, runs one, writes its figures, and says clearly when one cannot be run."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks.__main__ import find
from tests.project_copy import ROOT

WORKS = '''"""Counts to three."""
from benchmarks.report import counted, report
def run(quick):
    return report("three", counted("quick", float(quick), 1, "flag"))
'''
FAILS = '''"""Cannot be run."""
from benchmarks.report import BenchmarkError
def run(quick):
    raise BenchmarkError("the moon is not full")
'''


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """A folder with the harness and two benchmarks of its own."""
    (tmp_path / "benchmarks").mkdir()
    for name in ("__init__.py", "__main__.py", "report.py"):
        (tmp_path / "benchmarks" / name).write_text((ROOT / "benchmarks" / name).read_text())
    (tmp_path / "benchmarks" / "three.py").write_text(WORKS)
    (tmp_path / "benchmarks" / "moon.py").write_text(FAILS)
    return tmp_path


def _bench(place: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "benchmarks", *words],
        cwd=place,
        env={**os.environ, "PYTHONPATH": str(place)},
        capture_output=True,
        text=True,
        timeout=240,
    )


def test_without_a_name_it_lists(place: Path) -> None:
    ran = _bench(place)
    assert ran.returncode == 0
    assert "three      Counts to three." in ran.stdout and "moon" in ran.stdout and "report" not in ran.stdout


def test_one_is_run_shown_and_written(place: Path) -> None:
    ran = _bench(place, "three")
    assert ran.returncode == 0 and "quick" in ran.stdout
    found = json.loads((place / "bench-results" / "three.json").read_text())
    assert found["name"] == "three" and found["figures"][0]["p50"] == 0


def test_its_figures_go_where_they_are_wanted(place: Path) -> None:
    assert _bench(place, "three", "--quick", "--json", "deep/down/it.json").returncode == 0
    assert json.loads((place / "deep/down/it.json").read_text())["figures"][0]["p50"] == 1


def test_a_benchmark_that_cannot_be_run_says_why(place: Path) -> None:
    ran = _bench(place, "moon")
    assert ran.returncode == 1 and ran.stderr == "bench moon: the moon is not full\n"
    assert not (place / "bench-results" / "moon.json").exists()


def test_an_unknown_name_is_wrong_usage(place: Path) -> None:
    ran = _bench(place, "four")
    assert ran.returncode == 2 and "three" in ran.stderr


def test_ours_are_found_and_say_what_they_are_about() -> None:
    found = find()
    assert {"startup", "steps"} <= set(found)
    assert all(found.values())
