"""Definitions and lines are found throughout the project, within bounds."""

from __future__ import annotations

import os

import pytest

from desktop_agent.extras.project.orchestrator.editing import project_files
from tests.extras.project.orchestrator.editing_desk import HELLO_C, SHOP, EditorDesk, need_grammar


def test_goto_function_class_method_and_variable(desk_of_files: EditorDesk) -> None:
    desk_of_files.write("src/shop.py", SHOP)
    for name, said in [
        ("add", 'function "add" of src/shop.py, lines 15-17'),
        ("Cart", 'class "Cart" of src/shop.py, lines 6-12'),
        ("total", 'function "Cart.total" of src/shop.py, lines 10-12'),
        ("Cart.total", 'function "Cart.total" of src/shop.py, lines 10-12'),
        ("LIMIT", 'variable "LIMIT" of src/shop.py, line 3'),
        ("pay", 'function "pay" of src/shop.py, lines 20-21'),
    ]:
        assert said in desk_of_files.run(f"goto_definition {name}")
    assert '> src/shop.py: variable "LIMIT", line 3 (view 4)' in desk_of_files.screen()


def test_goto_of_several_lists_them_and_views_none(desk_of_files: EditorDesk) -> None:
    desk_of_files.write("a.py", "def run():\n    pass\n")
    desk_of_files.write("sub/b.py", "class Job:\n    def run(self):\n        pass\n")
    assert desk_of_files.run("goto_definition run") == (
        'run is defined 2 times: function "run" of a.py, lines 1-2 and '
        'function "Job.run" of sub/b.py, lines 2-3. '
        "None is viewed: open one."
    )
    assert desk_of_files.editor.screen() == "(no view is open)"
    assert 'Viewing function "run" of a.py' in desk_of_files.run("goto_definition run a.py")
    assert 'Viewing function "Job.run" of sub/b.py' in desk_of_files.run("goto_definition run sub")


def test_goto_of_several_in_one_file_lists_them(desk_of_files: EditorDesk) -> None:
    desk_of_files.write("a.py", "def f():\n    return 1\n\n\ndef f():\n    return 2\n")
    assert "f is defined 2 times" in desk_of_files.run("goto_definition f a.py")
    assert desk_of_files.editor.screen() == "(no view is open)"


@pytest.mark.parametrize(
    "folder", [".git", "__pycache__", "node_modules", ".venv", "build", ".hidden", "src/build"]
)
def test_goto_and_search_skip(desk_of_files: EditorDesk, folder: str) -> None:
    desk_of_files.write(f"{folder}/a.py", "def hidden_one():\n    pass\n")
    assert desk_of_files.refused("goto_definition hidden_one").startswith(
        "hidden_one is not defined in the project"
    )
    assert (
        desk_of_files.run("search hidden_one")
        == 'No line of the project holds "hidden_one" (0 files searched).'
    )


def test_goto_says_what_it_could_not_look_at(desk_of_files: EditorDesk) -> None:
    desk_of_files.write("bad.py", "def f(:\n")
    desk_of_files.write("other.py", "def g(:\n")
    refusal = desk_of_files.refused("goto_definition f")
    assert refusal.startswith(
        "f is not defined in the project; not looked at: bad.py (cannot be parsed: line 1: "
    )
    assert "other.py" not in refusal


def test_goto_in_a_file_that_is_not_there(desk_of_files: EditorDesk) -> None:
    desk_of_files.write("src/shop.py", SHOP)
    refusal = desk_of_files.refused("goto_definition add shop.py")
    assert refusal == "there is no shop.py; expected perhaps src/shop.py"


def test_goto_leaves_large_files_and_links_aside(desk_of_files: EditorDesk) -> None:
    desk_of_files.write("large.py", "def f():\n    pass\n" + "#" * 1_000_000)
    assert desk_of_files.refused("goto_definition f").startswith("f is not defined")
    desk_of_files.write("small.py", "def f():\n    pass\n")
    assert "small.py" in desk_of_files.run("goto_definition f")


def test_looking_is_bounded(desk_of_files: EditorDesk) -> None:
    for number in range(project_files.MOST_FILES + 1):
        (desk_of_files.root / f"m{number:05}.py").touch()
    desk_of_files.write("z/last.py", "def last():\n    pass\n")
    assert "only the first 2,000 files were looked at" in desk_of_files.refused("goto_definition last")
    assert "Only the first 2,000 files were searched." in desk_of_files.run("search last")
    assert "Viewing" in desk_of_files.run("goto_definition last z")


def test_goto_across_languages(desk_of_files: EditorDesk) -> None:
    need_grammar("tree_sitter_c")
    desk_of_files.write("hello.c", HELLO_C)
    desk_of_files.write("run.py", "def main():\n    pass\n")
    assert "main is defined 2 times" in desk_of_files.run("goto_definition main")


def test_search_lists_lines(desk_of_files: EditorDesk) -> None:
    desk_of_files.write("a.py", "x = 1\n  y = x\n")
    desk_of_files.write("sub/b.txt", "no\nmax\n")
    assert desk_of_files.run("search x").split("\n") == [
        '3 lines of the project with "x":',
        "a.py:1: x = 1",
        "a.py:2: y = x",
        "sub/b.txt:2: max",
    ]
    assert desk_of_files.editor.screen() == "(no view is open)"


@pytest.mark.parametrize(
    ("glob", "files"),
    [
        ("*.py", ["a.py", "sub/c.py"]),
        ("**/*.py", ["a.py", "sub/c.py"]),
        ("sub/*", ["sub/b.txt", "sub/c.py"]),
        ("sub", ["sub/b.txt", "sub/c.py"]),
        ("sub/b.txt", ["sub/b.txt"]),
        ("?.txt", ["sub/b.txt"]),
    ],
)
def test_search_in_a_glob(desk_of_files: EditorDesk, glob: str, files: list[str]) -> None:
    for path in ("a.py", "sub/b.txt", "sub/c.py"):
        desk_of_files.write(path, "the hit\n")
    listed = desk_of_files.run(f"search the hit {glob}").split("\n")
    assert listed[0] == f'{len(files)} line{"s" * (len(files) > 1)} of {glob} with "the hit":'
    assert listed[1:] == [f"{path}:1: the hit" for path in files]


def test_search_of_several_words_and_in_quotes(desk_of_files: EditorDesk) -> None:
    desk_of_files.write("a.py", 'print("a b", *c)\n')
    for text in ("print(", '"a b"', "'\"a b\"'", '"a b" *.py', 'b", *c)', '"*c"', 'b", *c'):
        assert desk_of_files.run(f"search {text}").startswith("1 line of"), text
    assert desk_of_files.run("search a c").startswith('No line of the project holds "a c"')


def test_search_is_bounded(desk_of_files: EditorDesk) -> None:
    desk_of_files.write("a.txt", f"hit {'x' * 1000}\n" * 150)
    listed = desk_of_files.run("search hit").split("\n")
    assert listed[0] == '150 lines of the project with "hit", the first 100 of them:'
    assert len(listed) == 101
    assert max(map(len, listed)) < 250


def test_search_passes_over_what_is_no_text(desk_of_files: EditorDesk) -> None:
    desk_of_files.write("a.bin", b"hit\xff\n")
    desk_of_files.write("b.txt", "hit\n")
    assert desk_of_files.run("search hit").split("\n")[1:] == ["b.txt:1: hit"]


@pytest.mark.linux("links need rights there")
def test_looking_follows_no_links(desk_of_files: EditorDesk) -> None:
    desk_of_files.write("a.py", "def f():\n    pass\n")
    os.symlink("a.py", desk_of_files.root / "b.py")  # noqa: PTH211
    (desk_of_files.root / "loop").symlink_to(desk_of_files.root)
    assert desk_of_files.run("search def").startswith("1 line of")
    assert 'Viewing function "f" of a.py' in desk_of_files.run("goto_definition f")
