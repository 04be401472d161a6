"""`./test`: every check runs, any failure counts, and pytest speaks last; what is put on record, and when that counts."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from scripts import checks

ROOT = Path(__file__).parents[2]
PARTS = {
    "scripts": ("__init__.py", "checks.py", "results.py"),
    "tests": (
        "__init__.py",
        "conftest.py",
        "durations.py",
        "long_files.json",
        "systems.py",
        "temporary_folder.py",
        "tiers.py",
        "tiers.toml",
    ),
}
pytestmark = pytest.mark.linux("puts shell scripts in the tools' place")


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """A folder with the checks, tools that pass, one test that passes, and what pytest is told in tests/."""
    for folder, names in PARTS.items():
        (tmp_path / folder).mkdir()
        for name in names:
            shutil.copy(ROOT / folder / name, tmp_path / folder)
    (tmp_path / "bin").mkdir()
    for name in ("ruff", "mypy", "lint-imports", "python"):
        _tool(tmp_path, name, 0)
    (tmp_path / "tests" / "test_it.py").write_text("def test_it(): assert 1 + 1 == 2\n")
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
    (place / "tests" / "test_it.py").write_text("def test_it(): assert not 1\n")
    ran = _run(place)
    assert ran.returncode == 1 and "1 failed" in ran.stdout.splitlines()[-1]


ONLY_ALONE = """
from pathlib import Path
def test_it():
    seen = Path("seen").exists()
    Path("seen").touch()
    assert seen
def test_other(): pass
"""


def test_a_test_that_passes_only_alone_is_told_once_and_counts_the_second_time(place: Path) -> None:
    (place / "tests" / "test_it.py").write_text(ONLY_ALONE)
    ran = _run(place)
    assert ran.returncode == 0 and "1 failed, 1 passed" in ran.stdout
    assert ran.stdout.splitlines()[-2] == "UNSTEADY, passed only alone: tests/test_it.py::test_it"
    assert [each["test"] for each in _recorded(place, "unsteady")] == ["tests/test_it.py::test_it"]

    (place / "seen").unlink()
    ran = _run(place)
    assert ran.returncode == 1
    assert "FAILED, for the second time passed only alone: tests/test_it.py::test_it" in ran.stdout
    assert len(_recorded(place, "unsteady")) == 2


def test_how_long_each_test_took_is_on_record(place: Path) -> None:
    assert _run(place, workers=True).returncode == 0
    assert _run(place, "tests/test_it.py").returncode == 0
    whole, part = _recorded(place, "durations")
    assert whole["tier"] == "core" and set(whole["seconds"]["tests/test_it.py"]) == {"test_it"}
    assert whole["seconds"]["tests/test_it.py"]["test_it"] >= 0
    assert {"date", "machine", "commit"} < set(whole) and part["seconds"].keys() == whole["seconds"].keys()


def _recorded(place: Path, name: str) -> list[dict[str, Any]]:
    lines = (place / "test-results" / f"{name}.jsonl").read_text().splitlines()
    return [json.loads(line) for line in lines]


@pytest.mark.parametrize(
    ("tier", "run"),
    [("unit", {"quick"}), ("core", {"quick", "it"}), ("all", {"quick", "it", "long", "slow"})],
)
def test_a_tier_runs_its_tests_and_those_of_the_tiers_below(place: Path, tier: str, run: set[str]) -> None:
    (place / "tests" / "tiers.toml").write_text('unit = ["tests/test_quick.py"]\nall = ["tests/long"]\n')
    (place / "tests" / "test_quick.py").write_text(
        "import pytest\ndef test_quick(): pass\n@pytest.mark.slow\ndef test_slow(): pass\n"
    )
    (place / "tests" / "long").mkdir()
    (place / "tests" / "long" / "test_long.py").write_text("def test_long(): pass\n")
    assert _run(place, tier).returncode == 0
    (recorded,) = _recorded(place, "durations")
    assert {test.removeprefix("test_") for tests in recorded["seconds"].values() for test in tests} == run


NO_UNIT_TESTS = """
import contextlib, os, socket, subprocess
def test_run(): subprocess.run(["true"])
def test_fork(): os.waitpid(os.fork() or os._exit(0), 0)
def test_hidden():
    with contextlib.suppress(Exception): subprocess.run(["true"])
def test_away(): socket.socket().connect(("192.0.2.1", 80))
def test_display(): assert "DISPLAY" in os.environ
"""
UNIT_TEST = """
import socket
def test_own_server():
    with socket.create_server(("127.0.0.1", 0)) as server:
        socket.create_connection(server.getsockname()).close()
"""


@pytest.mark.parametrize("workers", [False, True])
def test_a_unit_test_that_starts_a_process_or_leaves_the_machine_fails(place: Path, workers: bool) -> None:
    (place / "tests" / "tiers.toml").write_text('unit = ["tests"]\n')
    (place / "tests" / "test_it.py").write_text(NO_UNIT_TESTS + UNIT_TEST)
    ran = _run(place, "unit", "-rA", *(["-n", "2"] if workers else []), workers=workers)
    told = {
        line.split("::")[1].split()[0]: line.split()[0] for line in ran.stdout.splitlines() if "::" in line
    }
    assert told.pop("test_own_server") == "PASSED"
    assert len(told) == 5 and set(told.values()) <= {"FAILED", "ERROR"}


def test_many_failures_are_not_tried_again(place: Path) -> None:
    (place / "tests" / "test_it.py").write_text(
        "import pytest\n@pytest.mark.parametrize('n', range(6))\ndef test_it(n): assert not 1\n"
    )
    ran = _run(place)
    assert ran.returncode == 1 and "again, alone" not in ran.stdout


def test_a_file_that_cannot_be_read_counts(place: Path) -> None:
    (place / "tests" / "test_other.py").write_text("1 +")
    ran = _run(place)
    assert ran.returncode != 0


def test_with_arguments_only_pytest_runs(place: Path) -> None:
    ran = _run(place, "-k", "nothing_of_that_name")
    assert ran.returncode == 5, "pytest's own status for no tests"
    assert "ruff" not in ran.stdout


def test_checks_fixes_and_help_run_no_tests(place: Path) -> None:
    for word, told in {"lint": "mypy", "fix": "ruff check --fix .", "--help": "./test unit"}.items():
        ran = _run(place, word)
        assert ran.returncode == 0 and told in ran.stdout and "test session" not in ran.stdout
    _tool(place, "ruff", 1)
    assert _run(place, "lint").returncode == 1
