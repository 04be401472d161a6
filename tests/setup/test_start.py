"""The two commands as a newcomer uses them: what they set up, when, and what they say when they cannot."""

from __future__ import annotations

import errno
import os
import shutil
import signal
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.desk import until
from tests.project_copy import SECONDS, Project, make_project

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="starts the POSIX commands")


@pytest.fixture
def project(tmp_path: Path, made_environment: Path) -> Project:
    """A project never started; its environment will be a copy of one that was made before."""
    project = make_project(tmp_path, os.environ)
    project.copy_environment(made_environment)
    return project


@pytest.fixture(scope="module")
def ready(tmp_path_factory: pytest.TempPathFactory) -> Project:
    """A project that has been started once, where pip's own settings lead elsewhere, with an environment that it made. Tests leave it as it is."""
    settings = tmp_path_factory.mktemp("pip") / "pip.conf"
    settings.write_text("[install]\nuser = true\n")
    project = make_project(tmp_path_factory.mktemp("ready"), os.environ)
    first = project.start("run", PIP_CONFIG_FILE=str(settings))
    assert first.returncode == 7, first.stderr
    assert first.stderr.startswith("Setting up once: Python packages … done in ")
    return project


@pytest.fixture
def ctrl_c_counts() -> Iterator[None]:
    """Has processes end at SIGINT also where this one was started to ignore it, as in the background of a shell."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def test_the_program_gets_its_words_and_its_exit_status_counts(ready: Project, tmp_path: Path) -> None:
    words = ["two words", "", "--model=ünïcode", "*", "$HOME"]
    ran = ready.start("run", *words, cwd=tmp_path)
    assert ran.returncode == 7
    assert ran.stdout.splitlines() == [str(tmp_path), str(ready.root / ".venv"), "1.0", *words]


def test_a_second_start_sets_nothing_up_and_says_nothing(ready: Project) -> None:
    before = ready.log
    ran = ready.start("run")
    assert (ran.stderr, ready.log) == ("", before)


def test_a_start_through_a_link_finds_the_project(ready: Project, tmp_path: Path) -> None:
    link = tmp_path / "agent"
    link.symlink_to(ready.root / "run")
    assert ready.start(program=link, cwd=tmp_path).returncode == 7


def test_modules_in_the_current_folder_do_not_stand_in_for_ours(ready: Project, tmp_path: Path) -> None:
    (tmp_path / "tiny.py").write_text("VERSION = 'an impostor'")
    (tmp_path / "desktop_agent").mkdir()
    assert "1.0" in ready.start("run", cwd=tmp_path).stdout


def test_there_is_a_console_script(ready: Project, tmp_path: Path) -> None:
    ran = ready.start(program=ready.root / ".venv/bin/desktop-agent", cwd=tmp_path)
    assert ran.returncode == 7 and "1.0" in ran.stdout


def test_a_package_that_is_not_the_locked_one_is_refused(project: Project) -> None:
    project.require("1.0", hash="0" * 64)
    for _ in range(2):  # and the second start does not take the failed set-up for a finished one
        ran = project.start("run")
        assert ran.returncode == 1 and not ran.stdout
        assert "pip could not install the Python packages" in ran.stderr
        assert str(project.root / ".setup" / "log") in ran.stderr
        assert "THESE PACKAGES DO NOT MATCH THE HASHES" in project.log
    project.require("1.0")
    assert project.start("run").returncode == 7


def test_an_interrupted_set_up_is_begun_again(project: Project, ctrl_c_counts: None) -> None:
    status, said = interrupted(project, "run", "build.txt", signal.SIGINT)
    assert "The set-up was interrupted. The next start begins it again." in said
    assert status == 130
    interrupted(project, "run", "build.txt", signal.SIGKILL)
    assert not list(project.root.glob(".venv/stamps/*"))
    ran = project.start("run")
    assert ran.returncode == 7 and ran.stderr.startswith("Setting up once")


def test_an_environment_that_was_being_changed_is_not_trusted(project: Project) -> None:
    assert project.start("run").returncode == 7
    project.require("1.0", lock="dev.txt", name="tool")
    interrupted(project, "test", "dev.txt", signal.SIGKILL)
    ran = project.start("run")
    assert ran.returncode == 7 and ran.stderr.startswith("Setting up once: Python packages")


def interrupted(project: Project, what: str, lock: str, number: signal.Signals) -> tuple[int, str]:
    """Start a command and send a signal to all of it while pip reads a lock; returns exit status and stderr.

    The lock is a named pipe meanwhile, which does not end: the set-up cannot be done before the signal comes.
    """
    path = project.root / "requirements" / lock
    text = path.read_text()
    path.unlink()
    os.mkfifo(path)
    begun = project.begin(what)
    writer = until(lambda: writer_of(path), "pip's reading of the lock", SECONDS)
    os.killpg(begun.pid, number)
    said = begun.communicate()[1]
    os.close(writer)
    path.unlink()
    path.write_text(text)
    return begun.returncode, said


def writer_of(fifo: Path) -> int:
    """A descriptor to write to a named pipe with, 0 while nobody reads it."""
    try:
        return os.open(fifo, os.O_WRONLY | os.O_NONBLOCK)
    except OSError as error:
        if error.errno != errno.ENXIO:
            raise
        return 0


def test_two_starts_at_once_set_up_once(project: Project) -> None:
    both = [project.begin("run"), project.begin("run")]
    said = [each.communicate() for each in both]
    assert [each.returncode for each in both] == [7, 7], said
    assert sorted("Another start is setting up" in stderr for _, stderr in said) == [False, True]
    assert sorted("Setting up once" in stderr for _, stderr in said) == [False, True]


def test_a_copy_in_another_place_is_set_up_for_that_place(project: Project, tmp_path: Path) -> None:
    project.start("run")
    moved = tmp_path / "moved"
    shutil.move(project.root, moved)
    there = Project(moved, project.shelf, project.environment)
    ran = there.start("run")
    assert ran.stderr.startswith("Setting up once") and str(moved / ".venv") in ran.stdout
    assert there.start(program=moved / ".venv/bin/desktop-agent").returncode == 7


def test_development_tools_come_with_the_tests_and_survive_a_new_app_lock(project: Project) -> None:
    (project.root / "scripts" / "checks.py").write_text(
        "import tiny, tool\nprint(tiny.VERSION, tool.VERSION)"
    )
    project.require("3.0", lock="dev.txt", name="tool")
    assert project.start("run").returncode == 7
    assert project.start("test").stdout == "1.0 3.0\n"
    project.require("2.0")
    assert "2.0" in project.start("run").stdout
    assert project.start("run").stderr == ""
    assert project.start("test").stdout == "2.0 3.0\n"


def test_without_a_python_that_is_new_enough_it_says_so(project: Project, tmp_path: Path) -> None:
    tools = tmp_path / "bin"
    tools.mkdir()
    (tools / "readlink").symlink_to(shutil.which("readlink") or "")
    (tools / "sh").symlink_to("/bin/sh")
    old = tools / "python3"
    old.write_text("#!/bin/sh\nexit 1\n")  # what Python 3.10 answers to the question for its version
    old.chmod(0o755)
    ran = project.start("run", PATH=str(tools))
    assert ran.returncode == 1
    assert "needs Python 3.11 or newer" in ran.stderr and "apt-get install python3" in ran.stderr
