"""Only text files of the project are read and written."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.extras.project.orchestrator.editing_desk import EditorDesk


@pytest.fixture
def secret(desk_of_files: EditorDesk) -> Path:
    """A file beside the project."""
    file = desk_of_files.root.parent / "secret.txt"
    file.write_text("secret\n")
    return file


def _all_refused(desk: EditorDesk, path: str) -> set[str]:
    commands = [
        [f"open {path}"],
        [f"insert {path} 1", "x"],
        [f"replace {path} 1-1", "x"],
        desk.replace(path, "secret", "x"),
        [f"goto_definition secret {path}"],
    ]
    return {desk.refused(*command) for command in commands}


def test_a_path_with_two_dots_is_refused(desk_of_files: EditorDesk, secret: Path) -> None:
    (desk_of_files.root / "sub").mkdir()
    for path in ("../secret.txt", "sub/../../secret.txt"):
        assert _all_refused(desk_of_files, path) == {
            f"{path} holds ..; expected a path from the project's folder, without .."
        }
    assert "holds .." in desk_of_files.refused("create ../new.txt", "x")
    assert sorted(each.name for each in desk_of_files.root.parent.iterdir()) == ["project", "secret.txt"]


def test_an_absolute_path_is_taken_only_inside(desk_of_files: EditorDesk, secret: Path) -> None:
    assert _all_refused(desk_of_files, str(secret)) == {
        f"{secret} is not in the project; expected a path from the project's folder"
    }
    assert "is not in the project" in desk_of_files.refused(f"create {secret}.new", "x")
    file = desk_of_files.write("a.txt", "1\n")
    assert desk_of_files.run(f"open {file}") == "Viewing a.txt, line 1 (view 1)."


@pytest.mark.linux("links need rights there")
def test_links_that_lead_out_are_refused(desk_of_files: EditorDesk, secret: Path) -> None:
    (desk_of_files.root / "file").symlink_to(secret)
    (desk_of_files.root / "folder").symlink_to(secret.parent)
    (desk_of_files.root / "chain").symlink_to("file")
    for path in ("file", "folder/secret.txt", "chain"):
        assert _all_refused(desk_of_files, path) == {
            f"{path} is a link that leads out of the project; expected a file of the project"
        }
    assert "leads out of the project" in desk_of_files.refused("create folder/new.txt", "x")
    assert secret.read_text() == "secret\n"
    assert not (secret.parent / "new.txt").exists()


@pytest.mark.linux("links need rights there")
def test_a_link_that_begins_to_lead_out_is_not_shown(desk_of_files: EditorDesk, secret: Path) -> None:
    file = desk_of_files.write("a.txt", "1\n")
    desk_of_files.run("open a.txt")
    file.unlink()
    file.symlink_to(secret)
    assert desk_of_files.screen()[1].startswith("(cannot be shown: a.txt is a link that leads out")


@pytest.mark.linux("links need rights there")
def test_a_link_inside_stays_a_link(desk_of_files: EditorDesk) -> None:
    desk_of_files.write("a.txt", "1\n")
    link = desk_of_files.root / "b.txt"
    link.symlink_to("a.txt")
    desk_of_files.run("replace b.txt 1-1", "2")
    assert link.is_symlink()
    assert desk_of_files.data("a.txt") == b"2\n"


@pytest.mark.linux("links need rights there")
def test_a_link_to_nothing_is_not_written_through(desk_of_files: EditorDesk) -> None:
    (desk_of_files.root / "b.txt").symlink_to("a.txt")
    assert "b.txt is there already" in desk_of_files.refused("create b.txt", "x")
    assert not (desk_of_files.root / "a.txt").exists()


@pytest.mark.linux("there are no such files there")
def test_a_pipe_is_refused_without_waiting(desk_of_files: EditorDesk) -> None:
    os.mkfifo(desk_of_files.root / "pipe")
    assert desk_of_files.refused("open pipe") == "pipe is not a regular file; expected a text file"


def test_what_is_not_utf8_is_refused(desk_of_files: EditorDesk) -> None:
    desk_of_files.write("a.txt", "é".encode("latin-1"))
    assert desk_of_files.refused("open a.txt") == (
        "a.txt is not UTF-8 text (byte 1 is not); use bash or python for it"
    )
    assert "not UTF-8" in desk_of_files.refused("insert a.txt 1", "x")


def test_at_most_one_megabyte(desk_of_files: EditorDesk) -> None:
    desk_of_files.write("a.txt", "x" * 999_999 + "\n")
    desk_of_files.run("open a.txt")
    assert "larger than 1 MB" in desk_of_files.refused("insert a.txt 2", "x")
    assert len(desk_of_files.data("a.txt")) == 1_000_000
    desk_of_files.write("b.txt", "x" * 1_000_001)
    assert "larger than 1 MB" in desk_of_files.refused("open b.txt")
    assert "larger than 1 MB" in desk_of_files.refused("create c.txt", "x" * 1_000_001)
    assert not (desk_of_files.root / "c.txt").exists()


def test_create_below_a_file_is_refused(desk_of_files: EditorDesk) -> None:
    desk_of_files.write("a.txt", "x")
    assert "a.txt/b.txt cannot be made: " in desk_of_files.refused("create a.txt/b.txt", "x")
