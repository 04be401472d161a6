"""A process ends when something goes wrong in it: with a code, a word, and no window."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
CODE = "import sys; sys.path.insert(0, sys.argv[1]); from desktop_agent.startup.exit_code import exit_code_of; sys.exit(exit_code_of(lambda: {}))"


@pytest.mark.parametrize(
    ("done", "code", "said"),
    [
        ("0", 0, ""),
        ("3", 3, ""),
        ("sys.exit('the reason')", 1, "the reason\n"),
        ("sys.exit()", 0, ""),
        ("sys.exit(2)", 2, ""),
        ("1 // 0", 1, "ZeroDivisionError"),
        ("(_ for _ in ()).throw(KeyboardInterrupt)", 130, ""),
    ],
)
def test_every_end_has_its_code_and_its_words(done: str, code: int, said: str) -> None:
    command = [sys.executable, "-c", CODE.format(done), str(ROOT)]
    ran = subprocess.run(command, capture_output=True, text=True, timeout=240, check=False)
    assert ran.returncode == code
    assert said in ran.stderr and bool(ran.stderr) == bool(said)


@pytest.mark.linux("pipes tell there that nobody reads them")
@pytest.mark.parametrize(
    ("done", "said"),
    [
        ("[print('x' * 99) for _ in range(9999)]", ""),
        ("(_ for _ in ()).throw(BrokenPipeError())", "BrokenPipeError"),
    ],
)
def test_output_that_nobody_reads_is_no_error_but_any_other_broken_pipe_is(done: str, said: str) -> None:
    command = [sys.executable, "-c", CODE.format(done), str(ROOT)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None and process.stderr is not None
        if not said:
            process.stdout.close()
        complaint = process.stderr.read()
    assert process.returncode == 1 and said in complaint and bool(complaint) == bool(said)
