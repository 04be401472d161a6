"""A program without a console says its words somewhere: what a message box is told, and how a run's end is."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

import pytest

from desktop_agent.cli import main
from desktop_agent.startup import windows_console


def run_with(words: list[str], out: io.StringIO, err: io.StringIO) -> int:
    """Run without streams, as a program for windows does."""
    with redirect_stdout(None), redirect_stderr(None):
        return windows_console._run_with(lambda: main(words), out, err)


def test_the_version_and_the_help_are_heard() -> None:
    out, err = io.StringIO(), io.StringIO()
    assert run_with(["--version"], out, err) == 0
    assert out.getvalue().startswith("desktop-agent ")
    assert run_with(["--help"], out, err) == 0
    assert "exit codes:" in windows_console.to_show(out.getvalue(), err.getvalue(), 0)


def test_a_mistake_is_heard_and_its_code_is_kept() -> None:
    out, err = io.StringIO(), io.StringIO()
    assert run_with(["--step", "sideways"], out, err) == 2
    assert windows_console.to_show(out.getvalue(), err.getvalue(), 2).startswith(
        "desktop-agent: error: argument --step"
    )


@pytest.mark.skipif(sys.platform != "win32", reason="pipes take one code page there")
def test_a_pipe_takes_every_character() -> None:
    code = "import sys; from desktop_agent.startup.windows_console import with_console; sys.exit(with_console(lambda: print('Grüße → ▸ 漢')))"
    done = subprocess.run(
        [sys.executable, "-X", "utf8=0", "-c", code], capture_output=True, check=True, timeout=240
    )
    assert done.stdout.decode("utf-8").strip() == "Grüße → ▸ 漢"


def test_nobody_answers_on_an_empty_device() -> None:
    with Path(os.devnull).open() as nothing:
        assert not windows_console.can_answer(nothing)
    assert not windows_console.can_answer(None)


def test_what_libraries_complain_of_is_no_message_box_when_all_went_well() -> None:
    assert windows_console.to_show("", "a warning", 0) == ""
    assert windows_console.to_show("", "it broke", 1) == "it broke"


def test_a_long_story_is_told_from_its_end() -> None:
    text = windows_console.to_show("a" * 5000 + "the end", "", 0)
    assert len(text) < 4100 and text.endswith("the end") and text.startswith("…")
