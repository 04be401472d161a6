"""`python main.py` with a Python that cannot run desktop-agent: one sentence that leads on, and no traceback."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from pathlib import Path

import pytest

MAIN = Path(__file__).resolve().parents[2] / "main.py"
RUN = "run.cmd" if os.name == "nt" else "./run"
OLD = f"import runpy, sys; sys.version_info = (3, 9, 2); runpy.run_path({str(MAIN)!r}, run_name='__main__')"


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (("-S", str(MAIN)), "its packages are not installed"),
        (("-I", "-S", str(MAIN), "open the text editor"), "its packages are not installed"),
        (("-c", OLD), "needs Python 3.11 or newer, and this one is 3.9"),
    ],
)
def test_one_sentence_names_the_command_that_sets_it_up(arguments: tuple[str, ...], reason: str) -> None:
    ended = subprocess.run([sys.executable, *arguments], capture_output=True, text=True, timeout=60)
    assert ended.returncode == 2 and not ended.stdout
    (sentence,) = ended.stderr.splitlines()
    assert sentence.startswith("desktop-agent ") and reason in sentence and RUN in sentence


def test_an_old_python_can_read_the_file() -> None:
    ast.parse(MAIN.read_text(encoding="utf-8"), feature_version=(3, 8))


def test_a_python_with_the_packages_starts() -> None:
    ended = subprocess.run([sys.executable, MAIN, "--version"], capture_output=True, text=True, timeout=60)
    assert ended.returncode == 0 and ended.stdout.startswith("desktop-agent "), ended.stderr
