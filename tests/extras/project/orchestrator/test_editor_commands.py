"""Every command that cannot be read is refused with what was expected."""

from __future__ import annotations

import pytest

from tests.extras.project.orchestrator.editing_desk import HELLO_C, SHOP, EditorDesk


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("", "there is no command; expected open, goto_definition, search"),
        ("view a.txt", "unknown command view; expected open, goto_definition, search"),
        ("open", "a path is missing; expected open PATH"),
        ("open a.txt lines 3", "what follows a.txt is not known: lines 3; expected open PATH"),
        ("open a.txt 5-2", "there are no lines 5-2; expected A-B"),
        ("open a.txt 0", "there are no lines 0; expected A-B"),
        ("open a.txt function", "what follows a.txt is not known: function; expected open PATH"),
        ("open a.txt function two names", "what follows a.txt is not known"),
        ("open a.txt search", "what follows a.txt is not known: search"),
        ("open a.txt\nopen b.txt", "this command takes no text on further lines; expected one command"),
        ("goto_definition", "one name and at most one path can be given; expected goto_definition NAME"),
        ("goto_definition a b c", "one name and at most one path can be given"),
        ("search", "the text to search is missing; expected search TEXT"),
        ("scroll 1", "this does not say what to scroll; expected scroll N up or scroll N down"),
        ("scroll 1 left", "this does not say what to scroll"),
        ("scroll 1 down 0", "this does not say what to scroll"),
        ("scroll 1 down", "there is no view 1; no view is open, open one first"),
        ("close", "this does not say what to close; expected close N"),
        ("close x", "this does not say what to close"),
        ("close 3", "there is no view 3"),
        ("create", "a path is missing; expected create PATH"),
        ("create a b.txt\nx", "something follows the path: b.txt; expected create PATH"),
        ("insert a.txt\nx", "the number of a line is missing behind the path; expected insert PATH LINE"),
        ("insert a.txt 1", "there is no text to insert; expected insert PATH LINE"),
        ("replace", "a path is missing; expected replace PATH"),
        ("replace a.txt all\nx", "what follows a.txt is not known: all; expected replace PATH"),
        ("replace a.txt", "the text does not begin with a marker; expected a line <<<<<<<"),
        ("replace a.txt\nold\nnew", "the text does not begin with a marker"),
        ("replace a.txt\n<<<<<<\na\n======\nb\n>>>>>>", "the text does not begin with a marker"),
        ("replace a.txt\n<<<<<<<\na\n=======\nb", "markers of 7 signs are missing or something follows"),
        ("replace a.txt\n<<<<<<<\na\n>>>>>>>", "markers of 7 signs are missing"),
        (
            "replace a.txt\n<<<<<<<\na\n=======\nb\n>>>>>>>\nc",
            "markers of 7 signs are missing or something follows",
        ),
        ("replace a.txt\n<<<<<<<\na\n>>>>>>>\n=======\n>>>>>>>", "a marker of 7 signs stands there twice"),
        ("replace a.txt\n<<<<<<<<\na\n=======\nb\n>>>>>>>>", "markers of 8 signs are missing"),
        ("undo", "there is no change to take back"),
        ("undo a.txt b.txt", "something follows the path: b.txt"),
    ],
)
def test_refusals(desk_of_files: EditorDesk, command: str, expected: str) -> None:
    desk_of_files.write("a.txt", "1\n2\n3\n")
    assert desk_of_files.refused(command).startswith(expected)
    assert desk_of_files.data("a.txt") == b"1\n2\n3\n"


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("open helo.c", "there is no helo.c; expected perhaps src/hello.c"),
        ("open hello.c", "there is no hello.c; expected perhaps src/hello.c"),
        ("replace hello.c 1-1\nx", "there is no hello.c; expected perhaps src/hello.c"),
        ("open zzz", "there is no zzz; expected the path of a file of the project"),
        ("open src", "src is a folder; expected a text file"),
        ("open src/hello.c 99", "src/hello.c has only 6 lines; expected lines that it has"),
        ("open shop.py function total", 'shop.py has no function "total"; expected perhaps Cart.total'),
        ("open shop.py function ad", 'shop.py has no function "ad"; expected perhaps add'),
        ("open shop.py class Zzz", 'shop.py has no class "Zzz"; it has Cart'),
        (
            "open notes.txt function f",
            "no functions or classes are known in files such as notes.txt; open the whole",
        ),
    ],
)
def test_what_is_not_there_is_refused(desk_of_files: EditorDesk, command: str, expected: str) -> None:
    desk_of_files.write("src/hello.c", HELLO_C)
    desk_of_files.write("shop.py", SHOP)
    desk_of_files.write("notes.txt", "f\n")
    assert desk_of_files.refused(command).startswith(expected)
    assert desk_of_files.editor.screen() == "(no view is open)"


def test_paths_and_texts_in_quotes(desk_of_files: EditorDesk) -> None:
    desk_of_files.write("my notes.txt", "a  b\n")
    assert desk_of_files.run('open "my notes.txt" 1').startswith("Viewing my notes.txt, line 1")
    assert 'search "a  b", line 1 (view 2)' in desk_of_files.run(
        "open 'my notes.txt' search \"a  b\""
    ) + "".join(desk_of_files.screen())


def test_blank_lines_around_a_command_and_windows_line_ends(desk_of_files: EditorDesk) -> None:
    desk_of_files.run("\ncreate a.txt\r\nx\r\ny\r\n")
    assert desk_of_files.data("a.txt") == b"x\ny\n"
    assert desk_of_files.run("open a.txt 2\n\n") == "Viewing a.txt, line 2 (view 1)."


def test_a_method_may_be_named_as_in_c_plus_plus(desk_of_files: EditorDesk) -> None:
    desk_of_files.write("shop.py", SHOP)
    assert desk_of_files.run("open shop.py function Cart::total()").startswith(
        'Viewing function "Cart.total"'
    )
