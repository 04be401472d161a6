"""`./test`: every check runs, any failure counts, and pytest speaks last."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from scripts import checks
from tests.long_first import LONG, rank

ROOT = Path(__file__).parents[2]
pytestmark = pytest.mark.linux("puts shell scripts in the tools' place")


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """A folder with the checks, tools that pass, and one test that passes."""
    (tmp_path / "scripts").mkdir()
    for name in ("__init__.py", "checks.py"):
        shutil.copy(ROOT / "scripts" / name, tmp_path / "scripts")
    (tmp_path / "bin").mkdir()
    for name in ("ruff", "mypy", "lint-imports", "python"):
        _tool(tmp_path, name, 0)
    (tmp_path / "test_it.py").write_text("def test_it(): assert 1 + 1 == 2\n")
    return tmp_path


def _tool(place: Path, name: str, status: int) -> None:
    path = place / "bin" / name
    path.write_text(f'#!/bin/sh\necho {name} "$@"\nexit {status}\n')
    path.chmod(0o755)


def _run(place: Path, *words: str, workers: bool = False) -> subprocess.CompletedProcess[str]:
    """Run the checks there; pytest without plugins, which starts sooner, and in one process, unless with `workers`."""
    code = f"""
import pathlib, sys
from scripts import checks
checks.BIN = pathlib.Path({str(place / "bin")!r})
if not {workers}:
    checks.AT_A_TIME = []
sys.exit(checks.main({list(words)!r}))
"""
    return subprocess.run(
        [sys.executable, "-c", code],
        cwd=place,
        env=os.environ
        | {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
        | ({"PYTEST_PLUGINS": "xdist.plugin"} if workers else {}),
        capture_output=True,
        text=True,
        timeout=240,
    )


def test_all_pass(place: Path) -> None:
    ran = _run(place, workers=True)
    assert ran.returncode == 0
    assert "3 workers" in ran.stdout and "1 passed" in ran.stdout.splitlines()[-1]
    assert "FAILED" not in ran.stdout


@pytest.mark.parametrize("name", ["ruff", "mypy", "lint-imports", "python"])
def test_one_failure_counts_and_does_not_stop_the_others(place: Path, name: str) -> None:
    _tool(place, name, 1)
    ran = _run(place)
    assert ran.returncode == 1
    assert all(each in ran.stdout for each in ("ruff format", "ruff check", "mypy", "lint-imports", "FAILED"))
    assert "1 passed" in ran.stdout.splitlines()[-1]


@pytest.mark.parametrize(("system", "left_out"), [("linux", set()), ("win32", {"types"})])
def test_on_windows_types_are_not_checked(
    monkeypatch: pytest.MonkeyPatch, system: str, left_out: set[str]
) -> None:
    monkeypatch.setattr(sys, "platform", system)
    assert set(checks.CHECKS) - set(checks.checks()) == left_out


def test_a_failing_test_counts(place: Path) -> None:
    (place / "test_it.py").write_text("def test_it(): assert not 1\n")
    ran = _run(place)
    assert ran.returncode == 1 and "1 failed" in ran.stdout.splitlines()[-1]


def test_a_test_that_fails_once_is_named_as_unsteady(place: Path) -> None:
    (place / "test_it.py").write_text(
        "from pathlib import Path\n"
        "def test_it():\n"
        "    seen = Path('seen').exists()\n"
        "    Path('seen').touch()\n"
        "    assert seen\n"
        "def test_other(): pass\n"
    )
    ran = _run(place)
    assert ran.returncode == 0 and "1 failed, 1 passed" in ran.stdout
    assert ran.stdout.splitlines()[-1] == "UNSTEADY, passed alone: test_it.py::test_it"


def test_many_failures_are_not_tried_again(place: Path) -> None:
    (place / "test_it.py").write_text(
        "import pytest\n@pytest.mark.parametrize('n', range(6))\ndef test_it(n): assert not 1\n"
    )
    ran = _run(place)
    assert ran.returncode == 1 and "again, alone" not in ran.stdout


def test_a_file_that_cannot_be_read_counts(place: Path) -> None:
    (place / "test_other.py").write_text("1 +")
    ran = _run(place)
    assert ran.returncode != 0


def test_with_arguments_only_pytest_runs(place: Path) -> None:
    ran = _run(place, "-k", "nothing_of_that_name")
    assert ran.returncode == 5, "pytest's own status for no tests"
    assert "ruff" not in ran.stdout


def test_long_files_come_first_and_are_there() -> None:
    assert [name for name in LONG if not (ROOT / name).is_file()] == []
    tests = [
        "tests/agent/test_inbox.py::test_a",
        f"{LONG[1]}::test_b[x]",
        "tests/agent/test_z.py::test_c",
        f"{LONG[0]}::test_d",
    ]
    assert sorted(tests, key=rank) == [tests[3], tests[1], tests[0], tests[2]]
