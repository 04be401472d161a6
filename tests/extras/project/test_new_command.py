"""`desktop-agent new environment`: what it writes works at once, and what it refuses says why and writes nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

from desktop_agent.cli import main
from desktop_agent.extras.project.commands.new import LIKE
from desktop_agent.extras.project.orchestrator import own_modules
from desktop_agent.support import resources
from tests.extras.project.orchestrator.asked import Asked

Captured = pytest.CaptureFixture[str]


def new(project: Path, *words: str) -> int:
    return main(["new", "environment", *words, "--project", str(project)])


@pytest.mark.linux("the orchestrator forks")
def test_the_template_works_at_once(tmp_path: Path, capsys: Captured) -> None:
    assert new(tmp_path, "mine") == 0
    out = capsys.readouterr().out
    assert str(tmp_path / "env" / "mine.py") in out and f"--project {tmp_path}" in out and "README.md" in out
    asked = Asked(tmp_path)
    assert asked.run("mine", "buy milk") == ("done", "note 1")
    assert asked.shown["mine"] == "buy milk"
    assert asked.close() == 0


def test_the_current_folder_is_the_project_unless_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Captured
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["new", "environment", "mine"]) == 0
    assert own_modules.found_in(tmp_path).modules.keys() == {"mine"}


@pytest.mark.parametrize("like", LIKE)
def test_it_begins_with_an_example(tmp_path: Path, like: str, capsys: Captured) -> None:
    assert new(tmp_path, "mine", "--like", like) == 0
    assert (tmp_path / "env" / "mine.py").read_text() == resources.text("environments", f"{like}.py")
    assert own_modules.found_in(tmp_path).modules.keys() == {"mine"}
    assert (tmp_path / "env" / "_devtools.py").exists() == (like == "browser")
    assert "{" not in capsys.readouterr().out


def test_two_may_share_what_an_example_needs(tmp_path: Path, capsys: Captured) -> None:
    assert new(tmp_path, "one", "--like", "browser") == new(tmp_path, "two", "--like", "browser") == 0
    (tmp_path / "env" / "_devtools.py").write_text("mine = 1\n")
    assert new(tmp_path, "three", "--like", "browser") == 2
    assert "is another one" in capsys.readouterr().err
    assert not (tmp_path / "env" / "three.py").exists()
    assert (tmp_path / "env" / "_devtools.py").read_text() == "mine = 1\n"


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("bash", "is there already"),
        ("screen", "is there already"),
        ("Upper", "small letters"),
        ("with-dash", "small letters"),
        ("../out", "small letters"),
        ("_shared", "small letters"),
        ("", "small letters"),
        ("a" * 41, "small letters"),
    ],
)
def test_a_name_that_cannot_be_is_refused(tmp_path: Path, name: str, words: str, capsys: Captured) -> None:
    assert new(tmp_path, name) == 2
    assert words in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


def test_a_file_that_is_there_stays(tmp_path: Path, capsys: Captured) -> None:
    (tmp_path / "env").mkdir()
    (tmp_path / "env" / "mine.py").write_text("mine = 1\n")
    assert new(tmp_path, "mine") == 2
    assert "is there already" in capsys.readouterr().err
    assert (tmp_path / "env" / "mine.py").read_text() == "mine = 1\n"


@pytest.mark.linux("makes links")
def test_a_link_that_leads_nowhere_is_a_file_that_is_there(tmp_path: Path, capsys: Captured) -> None:
    (tmp_path / "env").mkdir()
    (tmp_path / "env" / "mine.py").symlink_to(tmp_path / "elsewhere.py")
    assert new(tmp_path, "mine") == 2 and not (tmp_path / "elsewhere.py").exists()


def test_a_folder_that_is_none_is_refused(tmp_path: Path, capsys: Captured) -> None:
    assert new(tmp_path / "missing", "mine") == 2
    assert "is no folder" in capsys.readouterr().err
    (tmp_path / "env").write_text("")
    assert new(tmp_path, "mine") == 2
    assert "is no folder" in capsys.readouterr().err


def test_more_than_are_loaded_are_refused(tmp_path: Path, capsys: Captured) -> None:
    (tmp_path / "env").mkdir()
    for number in range(own_modules.MOST):
        (tmp_path / "env" / f"a{number}.py").write_text("")
    assert new(tmp_path, "mine") == 2
    assert "24 environments already" in capsys.readouterr().err


def test_a_home_is_no_project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Captured) -> None:
    home = tmp_path / "home"
    (home / "project").mkdir(parents=True)
    monkeypatch.setattr(Path, "home", lambda: home)
    for folder in (home, tmp_path):
        assert new(folder, "mine") == 2
        assert "your home" in capsys.readouterr().err and not (folder / "env").exists()
    assert new(home / "project", "mine") == 0


@pytest.mark.parametrize("words", [[], ["thing"], ["environment"], ["environment", "a", "--like", "nothing"]])
def test_wrong_usage(words: list[str], capsys: Captured) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["new", *words])
    assert ended.value.code == 2


def test_the_help_names_it(capsys: Captured) -> None:
    with pytest.raises(SystemExit):
        main(["--help"])
    assert "desktop-agent new environment NAME" in capsys.readouterr().out
