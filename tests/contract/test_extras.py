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
    "avis": (("--no-window", "--target", "simulated", "look"), "There is no target called 'simulated'"),
    "camera": (("--no-window", "--target", "webcam", "look"), "There is no target called 'webcam'"),
    "console": (("console",), "console"),
    "fleet": (("fleet", "run", "goals.txt"), "fleet"),
    "local": (("--no-window", "--model", "local", "look"), "There is no model called 'local'"),
    "mcp": (("mcp",), "mcp"),
    "offline": (("--no-window", "--model", "offline", "look"), "There is no model called 'offline'"),
    "project": (("new", "environment", "x"), "project"),
    "sandbox": (("--no-window", "--target", "container", "look"), "There is no target called 'container'"),
    "ticks": (
        ("--no-window", "--model", "policy_program", "look"),
        "There is no model called 'policy_program'",
    ),
}
"""What asks for it, and a part of the answer."""


def copied(place: Path) -> Path:
    """A copy of the project without byte code."""
    for part in PARTS:
        source = ROOT / part
        if source.is_dir():
            shutil.copytree(source, place / part, ignore=shutil.ignore_patterns("__pycache__", "*.pyc"))
        else:
            shutil.copy(source, place / part)
    return place


def said(root: Path, *words: str, code: int) -> str:
    """What `python -m WORDS` prints there; it ends with that code."""
    environment = {**os.environ, "PYTHONPATH": str(root), "XDG_CONFIG_HOME": str(root)}
    ran = subprocess.run(
        [sys.executable, "-m", *words], cwd=root, env=environment, capture_output=True, text=True, timeout=240
    )
    assert ran.returncode == code, ran.stdout[-2000:] + ran.stderr[-2000:]
    return ran.stdout + ran.stderr


@pytest.mark.linux("the program's own files")
def test_the_program_lives_without_each(tmp_path: Path) -> None:
    root = copied(tmp_path)
    rooms = root / "desktop_agent" / "extras"
    assert {*plugins.extras()} == {*MISSED}
    for extra, asking in MISSED.items():
        (rooms / extra).rename(root / "away")
        assert "examples:" in said(root, "desktop_agent", "--help", code=0), extra
        if asking is not None:
            assert asking[1] in said(root, "desktop_agent", *asking[0], code=2), extra
        (root / "away").rename(rooms / extra)


@pytest.mark.linux("the program's own files")
def test_the_program_s_tests_need_no_extra(tmp_path: Path) -> None:
    root = copied(tmp_path)
    for extra in MISSED:
        shutil.rmtree(root / "desktop_agent" / "extras" / extra)
    shutil.rmtree(root / "tests" / "extras")
    said(root, "pytest", "--collect-only", "-q", "-p", "no:cacheprovider", "tests", code=0)
