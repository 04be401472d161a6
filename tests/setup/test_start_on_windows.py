"""The commands on Windows, as a newcomer uses them who has Python and nothing else."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.project_copy import SECONDS, Project, make_project

pytestmark = pytest.mark.timeout(SECONDS + 20)
PYTHON = Path(sys.base_prefix)
CHECKS = "import sys, tiny, tool\nprint(tiny.VERSION, tool.VERSION, *sys.argv[1:])\nsys.exit(5)"


@pytest.fixture(scope="module")
def ready(tmp_path_factory: pytest.TempPathFactory) -> Project:
    """A project in a folder with an awkward name that has been started once. Tests leave it as it is."""
    folder = tmp_path_factory.mktemp("Q&A (x86) ünï")
    project = make_project(folder, {**os.environ, "PATH": f"{PYTHON};{os.environ['PATH']}"})
    (project.root / "scripts" / "checks.py").write_text(CHECKS)
    project.require("3.0", lock="dev.txt", name="tool")
    first = project.start("run")
    assert first.returncode == 7, first.stderr
    assert first.stderr.startswith("Setting up once: Python packages")
    return project


def test_the_program_gets_its_words_and_its_exit_status_counts(ready: Project, tmp_path: Path) -> None:
    words = ["two words", "--model=ünïcode", "*", "a/b"]
    ran = ready.start("run", *words, cwd=tmp_path, PYTHONIOENCODING="utf-8")
    assert ran.returncode == 7
    assert ran.stdout.splitlines() == [str(tmp_path), str(ready.root / ".venv"), "1.0", *words]
    assert ran.stderr == "", "a second start sets nothing up and says nothing"


def test_modules_in_the_current_folder_do_not_stand_in_for_ours(ready: Project, tmp_path: Path) -> None:
    (tmp_path / "tiny.py").write_text("VERSION = 'an impostor'")
    (tmp_path / "desktop_agent").mkdir()
    assert "1.0" in ready.start("run", cwd=tmp_path).stdout


def test_there_is_a_console_script(ready: Project, tmp_path: Path) -> None:
    ran = ready.start(program=ready.root / ".venv/Scripts/desktop-agent.exe", cwd=tmp_path)
    assert ran.returncode == 7 and "1.0" in ran.stdout


def test_the_tests_bring_their_tools_and_their_exit_status_counts(ready: Project, tmp_path: Path) -> None:
    first = ready.start("test", "-k", "two words", cwd=tmp_path)
    assert first.stderr.startswith("Setting up once: development tools")
    again = ready.start("test", "-k", "two words", cwd=tmp_path)
    assert again.stderr == ""
    assert [(each.returncode, each.stdout) for each in (first, again)] == [(5, "1.0 3.0 -k two words\n")] * 2


def test_without_a_python_that_is_new_enough_it_says_so(ready: Project, tmp_path: Path) -> None:
    system = str(Path(os.environ["SYSTEMROOT"]) / "System32")
    for name in ("none", "old"):
        place = tmp_path / name
        place.mkdir()
        if name == "old":  # what Python 3.10 answers to the question for its version
            (place / "python.cmd").write_text("@exit /b 1\n")
        ran = ready.start("run", PATH=f"{place};{system}")
        assert ran.returncode == 1
        assert "needs Python 3.11 or newer" in ran.stderr and "python.org" in ran.stderr


def test_an_environment_in_use_is_told_and_not_begun_upon(ready: Project) -> None:
    program = "import sys; print(flush=True); sys.stdin.read()"
    python = ready.root / ".venv/Scripts/python.exe"
    with subprocess.Popen([python, "-c", program], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as busy:
        assert busy.stdout is not None and busy.stdout.readline()
        ready.require("2.0")
        ran = ready.start("run")
        assert ran.returncode == 1 and "is in use" in ran.stderr and "End the program" in ran.stderr
