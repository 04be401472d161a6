"""The workspace: its files are read, written and edited, and nothing outside it is."""

from __future__ import annotations

import codecs
import os
import subprocess
import sys
from pathlib import Path

import pytest

from desktop_agent.protocol import ops
from desktop_agent.protocol.errors import ConfigError
from desktop_agent.protocol.ops import Op
from desktop_agent.protocol.stop_flag import StopFlag
from desktop_agent.tools import files
from desktop_agent.tools.base import MAX_TOLD, Environment, Response


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "workspace"


@pytest.fixture
def workspace(folder: Path) -> Environment:
    made = files.create(files.Options(str(folder)))
    made.start()
    return made


def do(workspace: Environment, op: Op) -> Response:
    return workspace.execute(op, StopFlag())


def test_a_file_is_written_read_and_edited(workspace: Environment, folder: Path) -> None:
    assert do(workspace, ops.WriteFile("a/b.txt", "one\ntwo\r\nthrée")).outcome == "done"
    assert (folder / "a" / "b.txt").read_bytes() == "one\ntwo\r\nthrée".encode()
    assert do(workspace, ops.ReadFile("a/b.txt")) == Response(
        "done", "Lines 1 to 3 of 3.", "one\ntwo\r\nthrée", first_line=1
    )
    assert do(workspace, ops.ReadFile("a/b.txt", 2, 2)).text == "two\r\n"
    assert do(workspace, ops.EditFile("a/b.txt", "e", "E")).detail == "1 of 2 occurrences replaced."
    assert do(workspace, ops.EditFile("a/b.txt", "o", "0", all=True)).detail == "2 of 2 occurrences replaced."
    assert (folder / "a" / "b.txt").read_bytes() == "0nE\ntw0\r\nthrée".encode()
    assert workspace.screen() == "a/b.txt (15 bytes)"


@pytest.mark.parametrize(
    "path", ["/etc/passwd", "../x", "a/../../x", "..", ".", "C:\\x", "\\\\server\\x", "a/../b", "", "./"]
)
def test_a_path_that_is_not_below_it_is_refused(workspace: Environment, tmp_path: Path, path: str) -> None:
    (tmp_path / "x").write_text("out")
    for op in (ops.ReadFile(path), ops.WriteFile(path, "mine"), ops.EditFile(path, "o", "0")):
        response = do(workspace, op)
        assert response.outcome == "refused" and response.detail and not response.text
    assert (tmp_path / "x").read_text() == "out"


@pytest.mark.skipif(sys.platform == "win32", reason="links need a right there")
def test_a_link_that_leads_out_is_refused_and_one_that_stays_is_followed(
    workspace: Environment, folder: Path, tmp_path: Path
) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "secret.txt").write_text("secret")
    (folder / "link.txt").symlink_to(tmp_path / "out" / "secret.txt")
    (folder / "door").symlink_to(tmp_path / "out")
    (folder / "circle").symlink_to(folder / "circle")
    (folder / "kept.txt").write_text("kept")
    (folder / "inside.txt").symlink_to("kept.txt")
    for path in ("link.txt", "door/secret.txt", "door/new.txt", "circle"):
        for op in (ops.ReadFile(path), ops.WriteFile(path, "mine"), ops.EditFile(path, "s", "z")):
            response = do(workspace, op)
            assert response.outcome != "done" and response.detail and not response.text
    assert [each.name for each in (tmp_path / "out").iterdir()] == ["secret.txt"]
    assert (tmp_path / "out" / "secret.txt").read_text() == "secret"
    assert do(workspace, ops.ReadFile("inside.txt")).text == "kept"
    assert workspace.screen() == "kept.txt (4 bytes)"


def test_what_is_not_text_is_refused(workspace: Environment, folder: Path) -> None:
    (folder / "picture").write_bytes(b"abc\xff\xfe")
    (folder / "zero").write_bytes(b"a\0b")
    (folder / "deep").mkdir()
    assert "byte 3 cannot be decoded" in do(workspace, ops.ReadFile("picture")).detail
    assert "zero bytes" in do(workspace, ops.ReadFile("zero")).detail
    assert do(workspace, ops.ReadFile("deep")).outcome != "done"
    assert "is a folder" in do(workspace, ops.WriteFile("deep", "x")).detail
    assert "There is no file" in do(workspace, ops.ReadFile("none.txt")).detail
    assert "surrogate" in do(workspace, ops.WriteFile("half", "\ud800")).detail
    assert not (folder / "half").exists()


@pytest.mark.skipif(sys.platform == "win32", reason="there are none there")
def test_a_pipe_is_not_waited_for(workspace: Environment, folder: Path) -> None:
    os.mkfifo(folder / "pipe")
    assert do(workspace, ops.ReadFile("pipe")).outcome == "refused"


def test_sizes_are_bounded(workspace: Environment, folder: Path) -> None:
    (folder / "huge").write_bytes(b"x" * (files.MAX_BYTES + 1))
    assert "more than" in do(workspace, ops.ReadFile("huge")).detail
    assert "at most" in do(workspace, ops.WriteFile("new", "ä" * files.MAX_BYTES)).detail
    (folder / "grows").write_text("a" * 100_000)
    assert "at most" in do(workspace, ops.EditFile("grows", "a", "b" * 50, all=True)).detail
    (folder / "line").write_text("y" * 50_000)
    told = do(workspace, ops.ReadFile("line"))
    assert len(told.text) == MAX_TOLD and "Only the beginning" in told.detail


def test_a_long_file_is_read_on_from_where_it_was_cut(workspace: Environment, folder: Path) -> None:
    text = "".join(f"line {number}\n" for number in range(5_000))
    (folder / "long.txt").write_bytes(text.encode())
    start, read = 1, ""
    while len(read) < len(text):
        told = do(workspace, ops.ReadFile("long.txt", start))
        assert told.outcome == "done" and len(told.text) <= MAX_TOLD
        read += told.text
        start += told.text.count("\n")
        assert (f"Read on from line {start}." in told.detail) == (len(read) < len(text))
    assert read == text


@pytest.mark.parametrize(
    ("start", "end", "words"), [(9, None, "There is no line 9"), (3, 2, "before line 3"), (None, 99, "")]
)
def test_lines_that_are_not_there_are_refused(
    workspace: Environment, folder: Path, start: int | None, end: int | None, words: str
) -> None:
    (folder / "three.txt").write_bytes(b"1\n2\n3\n")
    response = do(workspace, ops.ReadFile("three.txt", start, end))
    assert words in response.detail and (response.outcome == "refused") == bool(words)


def test_an_edit_of_what_is_not_there_changes_nothing(workspace: Environment, folder: Path) -> None:
    (folder / "a.txt").write_text("text")
    assert do(workspace, ops.EditFile("a.txt", "other", "x")).outcome == "refused"
    assert (folder / "a.txt").read_text() == "text"


@pytest.mark.parametrize("mark", [codecs.BOM_UTF8, codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE])
def test_a_file_keeps_the_encoding_that_it_is_marked_with(
    mark: bytes, workspace: Environment, folder: Path
) -> None:
    encoding = {codecs.BOM_UTF8: "utf-8", codecs.BOM_UTF16_LE: "utf-16-le"}.get(mark, "utf-16-be")
    (folder / "marked.txt").write_bytes(mark + "grün\n".encode(encoding))
    assert do(workspace, ops.ReadFile("marked.txt")).text == "grün\n"
    assert do(workspace, ops.EditFile("marked.txt", "grün", "röter")).outcome == "done"
    assert (folder / "marked.txt").read_bytes() == mark + "röter\n".encode(encoding)


def test_lines_of_a_file_that_end_as_on_windows_are_found_and_stay_so(
    workspace: Environment, folder: Path
) -> None:
    (folder / "dos.txt").write_bytes(b"one\r\ntwo\r\nthree\r\n")
    assert do(workspace, ops.EditFile("dos.txt", "one\ntwo\n", "1\n2\n")).outcome == "done"
    assert (folder / "dos.txt").read_bytes() == b"1\r\n2\r\nthree\r\n"


FLIP = """
import os, shutil, sys
place, out = sys.argv[1:]
os.mkdir(place + ".real"), os.symlink(out, place + ".link")
open(place + ".real/file.txt", "w").write("inside")
print(flush=True)
while True:
    for each in (".real", ".link"):
        while True:
            try:
                os.rename(place + each, place)
                break
            except OSError:
                shutil.rmtree(place, ignore_errors=True)
        os.rename(place, place + each)
"""
"""In turns the place is a folder, a link out of it, and nothing; a folder that a written file made in between is removed."""


@pytest.mark.skipif(sys.platform == "win32", reason="links need a right there")
def test_no_race_of_folders_and_links_leads_out(workspace: Environment, folder: Path, tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "file.txt").write_text("secret")
    command = [sys.executable, "-c", FLIP, str(folder / "turning"), str(tmp_path / "out")]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as flipping:
        try:
            assert flipping.stdout is not None and flipping.stdout.readline()
            seen: set[str] = set()
            tried = 0
            while tried < 3_000 or "inside" not in seen:
                tried += 1
                seen.add(do(workspace, ops.ReadFile("turning/file.txt")).text)
                do(workspace, ops.WriteFile("turning/new.txt", "mine"))
        finally:
            flipping.kill()
    assert "secret" not in seen
    assert [each.name for each in (tmp_path / "out").iterdir()] == ["file.txt"]


@pytest.mark.skipif(sys.platform == "win32" or os.geteuid() != 0, reason="only root gives files away")
def test_what_root_writes_belongs_to_the_one_who_works_there(workspace: Environment, folder: Path) -> None:
    os.chown(folder, 1234, 1234)
    do(workspace, ops.WriteFile("new/file.txt", "x"))
    assert {(folder / each).stat().st_uid for each in ("new", "new/file.txt")} == {1234}


def test_commands_are_refused(workspace: Environment) -> None:
    assert "runs no commands" in do(workspace, ops.Run("files", "ls")).detail


def test_the_list_of_many_files_is_bounded(workspace: Environment, folder: Path) -> None:
    assert workspace.screen() == "The workspace is empty."
    for number in range(files.MAX_LISTED + 5):
        (folder / f"{number:04}.txt").touch()
    lines = workspace.screen().splitlines()
    assert len(lines) == files.MAX_LISTED + 1 and lines[-1] == "… and more"


@pytest.mark.skipif(sys.platform == "win32", reason="there are no such modes there")
def test_a_folder_that_may_not_be_written_is_a_result(workspace: Environment, folder: Path) -> None:
    (folder / "file").write_text("x")
    response = do(workspace, ops.WriteFile("file/below.txt", "x"))
    assert response.outcome == "failed" and response.detail


def test_a_folder_must_be_told_whole() -> None:
    with pytest.raises(ConfigError, match="not a whole path"):
        files.create(files.Options("somewhere"))
