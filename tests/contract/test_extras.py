"""The program without each of its extras: it starts, its other tests can be collected, and it says what is missing."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from desktop_agent.support import plugins
from tests.project_copy import ROOT

PARTS = (
    "desktop_agent",
    "assets",
    "tests",
    "benchmarks",
    "installer",
    "scripts",
    "requirements",
    "config.toml",
    "pyproject.toml",
    "README.md",
    "project.md",
    "main.py",
)
"""What a program that starts and its tests need."""
MISSED = {
    "avis": None,
    "camera": (("--no-window", "--target", "webcam", "look"), "There is no target called 'webcam'"),
    "console": (("console",), "console"),
    "fleet": (("fleet", "run", "goals.txt"), "fleet"),
    "offline": (("--no-window", "--model", "offline", "look"), "There is no model called 'offline'"),
    "project": (("new", "environment", "x"), "project"),
    "sandbox": (("--no-window", "--target", "container", "look"), "There is no target called 'container'"),
}
"""What asks for it, and a part of the answer."""


@pytest.mark.slow
@pytest.mark.linux("the program's own files")
@pytest.mark.parametrize("extra", plugins.extras())
def test_the_program_lives_without(extra: str, tmp_path: Path) -> None:
    for part in PARTS:
        source = ROOT / part
        if source.is_dir():
            shutil.copytree(
                source, tmp_path / part, ignore=shutil.ignore_patterns("__pycache__", "bench-results")
            )
        else:
            shutil.copy(source, tmp_path / part)
    shutil.rmtree(tmp_path / "desktop_agent" / "extras" / extra)
    shutil.rmtree(tmp_path / "tests" / "extras" / extra)

    def said(*words: str, code: int | None = None) -> str:
        ran = subprocess.run(
            [sys.executable, "-m", *words], cwd=tmp_path, env={**os.environ, "PYTHONPATH": str(tmp_path), "XDG_CONFIG_HOME": str(tmp_path)}, capture_output=True, text=True, timeout=240,
        )  # fmt: skip
        assert code is None or ran.returncode == code, ran.stdout + ran.stderr
        return ran.stdout + ran.stderr

    assert "examples:" in said("desktop_agent", "--help", code=0)
    assert (
        "error"
        not in said("pytest", "--collect-only", "-q", "-p", "no:cacheprovider", "tests", code=0).rpartition(
            "\n\n"
        )[2]
    )
    asking = MISSED[extra]
    if asking is not None:
        words, answer = asking
        assert answer in said("desktop_agent", *words, code=2)
