"""Changes do what they say to the bytes of the file, and can be taken back."""

from __future__ import annotations

import stat

import pytest

from tests.extras.project.orchestrator.editing_desk import SHOP, EditorDesk, need_grammar


def test_create(desk_of_files: EditorDesk) -> None:
    assert desk_of_files.run("create new/deep/a.py", "x = 1", "y = 2") == "Made new/deep/a.py, 2 lines."
    assert desk_of_files.data("new/deep/a.py") == b"x = 1\ny = 2\n"
    desk_of_files.run("create empty.py")
    assert desk_of_files.data("empty.py") == b""
    assert "empty.py is there already" in desk_of_files.refused("create empty.py", "z")
    assert desk_of_files.data("empty.py") == b""


def test_a_last_line_end_in_the_text_makes_no_empty_line(desk_of_files: EditorDesk) -> None:
    desk_of_files.run("create a.txt", "x", "")
    assert desk_of_files.data("a.txt") == b"x\n"


@pytest.mark.parametrize(
    ("line", "expected"), [(1, b"new\n1\n2\n"), (2, b"1\nnew\n2\n"), (3, b"1\n2\nnew\n")]
)
def test_insert(desk_of_files: EditorDesk, line: int, expected: bytes) -> None:
    desk_of_files.write("a.txt", "1\n2\n")
    assert desk_of_files.run(f"insert a.txt {line}", "new") == f"Inserted line {line} in a.txt."
    assert desk_of_files.data("a.txt") == expected


def test_append_to_a_file_without_a_last_line_end(desk_of_files: EditorDesk) -> None:
    desk_of_files.write("a.txt", "1")
    desk_of_files.run("insert a.txt 2", "2")
    assert desk_of_files.data("a.txt") == b"1\n2\n"


@pytest.mark.parametrize("line", [0, 4])
def test_insert_elsewhere_is_refused(desk_of_files: EditorDesk, line: int) -> None:
    desk_of_files.write("a.txt", "1\n2\n")
    assert desk_of_files.refused(f"insert a.txt {line}", "new") == (
        f"a.txt has no line {line}; expected 1 to 3; the last appends"
    )


def test_replace_lines(desk_of_files: EditorDesk) -> None:
    desk_of_files.write("a.txt", "1\n2\n3\n")
    assert (
        desk_of_files.run("replace a.txt 2-3", "x", "y", "z") == "Replaced lines 2-3 of a.txt, now lines 2-4."
    )
    assert desk_of_files.data("a.txt") == b"1\nx\ny\nz\n"
    assert desk_of_files.run("replace a.txt 1-3") == "Removed lines 1-3 of a.txt."
    assert desk_of_files.data("a.txt") == b"z\n"
    assert desk_of_files.refused("replace a.txt 1-2", "q") == (
        "a.txt has 1 line, not 2; expected lines that it has"
    )


def test_replace_function_takes_its_decorators(desk_of_files: EditorDesk) -> None:
    desk_of_files.write("shop.py", SHOP)
    desk_of_files.run("open shop.py function Cart.total")
    said = desk_of_files.run(
        "replace shop.py function Cart.total", "    def total(self):", "        return 0"
    )
    assert said == "Replaced lines 10-12 of shop.py, now lines 10-11."
    assert "property" not in desk_of_files.data("shop.py").decode()
    assert desk_of_files.screen()[:3] == [
        '> shop.py: function "Cart.total", lines 10-11 (view 1)',
        "    def total(self):",
        "        return 0",
    ]


def test_replace_class(desk_of_files: EditorDesk) -> None:
    desk_of_files.write("shop.py", SHOP)
    desk_of_files.run("replace shop.py class Cart", "class Cart:", "    pass")
    assert desk_of_files.data("shop.py").decode() == SHOP.replace(
        SHOP[SHOP.index("class") : SHOP.index("\n\n\ndef")], "class Cart:\n    pass"
    )


def test_replace_a_typedef_and_its_struct_as_one(desk_of_files: EditorDesk) -> None:
    need_grammar("tree_sitter_c")
    desk_of_files.write("a.c", "typedef struct node {\n  int a;\n} node;\nint b;\n")
    desk_of_files.run("replace a.c class node", "typedef int node;")
    assert desk_of_files.data("a.c") == b"typedef int node;\nint b;\n"


def test_replace_function_of_two_is_refused(desk_of_files: EditorDesk) -> None:
    desk_of_files.write("a.py", "def f():\n    return 1\n\n\ndef f():\n    return 2\n")
    refusal = desk_of_files.refused("replace a.py function f", "x")
    assert refusal.startswith('function "f" of a.py is defined 2 times, in lines 1-2 and lines 5-6; ')


def test_replace_function_in_broken_code_is_refused(desk_of_files: EditorDesk) -> None:
    desk_of_files.write("a.py", "def f(:\n    return 1\n")
    assert "a.py cannot be parsed: line 1: " in desk_of_files.refused("replace a.py function f", "x")


@pytest.mark.parametrize(
    "text", ["int a(void) { return 1; } int b(void) { return 2; }\n", "int a(void) {\n  return 1 +;\n}\n"]
)
def test_replace_function_that_is_not_clear_is_refused(desk_of_files: EditorDesk, text: str) -> None:
    need_grammar("tree_sitter_c")
    desk_of_files.write("a.c", text)
    assert "has a syntax error or shares a line" in desk_of_files.refused("replace a.c function a", "x")
    assert desk_of_files.data("a.c").decode() == text


def test_replace_text(desk_of_files: EditorDesk) -> None:
    desk_of_files.write("a.py", "a = 1\nb = 2\nc = 3\n")
    assert desk_of_files.run(*desk_of_files.replace("a.py", "a = 1\nb = 2", "x = 0")) == (
        "Replaced lines 1-2 of a.py, now line 1."
    )
    assert desk_of_files.data("a.py") == b"x = 0\nc = 3\n"


def test_replace_text_without_new_removes_the_lines(desk_of_files: EditorDesk) -> None:
    desk_of_files.write("a.py", "a = 1\nb = 2\nc = 3\n")
    assert desk_of_files.run(*desk_of_files.replace("a.py", "b = 2", "")) == "Removed line 2 of a.py."
    assert desk_of_files.data("a.py") == b"a = 1\nc = 3\n"


def test_replace_within_lines(desk_of_files: EditorDesk) -> None:
    desk_of_files.write("a.py", "if x:\n    return a - b\n")
    desk_of_files.run(*desk_of_files.replace("a.py", "a - b", "a + b"))
    assert desk_of_files.data("a.py") == b"if x:\n    return a + b\n"
    desk_of_files.run(*desk_of_files.replace("a.py", "x:\n    return", "y:\n    yield"))
    assert desk_of_files.data("a.py") == b"if y:\n    yield a + b\n"


def test_whole_lines_go_before_parts_of_lines(desk_of_files: EditorDesk) -> None:
    desk_of_files.write("a.py", "max = 10\nx = 1\nx = 10\n")
    desk_of_files.run(*desk_of_files.replace("a.py", "x = 1", "x = 2"))
    assert desk_of_files.data("a.py") == b"max = 10\nx = 2\nx = 10\n"


@pytest.mark.parametrize(
    ("text", "old", "lines"),
    [
        ("a\nb\na\n", "a", "line 1, line 3"),
        ("f(1)\ng(f(1) + f(1))\n", "f(", "line 1, line 2, line 2"),
        ("aaa\n", "aa", "line 1, line 1"),
        ("a\nb\nc\na\nb\n", "a\nb", "lines 1-2, lines 4-5"),
    ],
)
def test_old_text_that_occurs_twice_is_refused(
    desk_of_files: EditorDesk, text: str, old: str, lines: str
) -> None:
    desk_of_files.write("a.txt", text)
    refusal = desk_of_files.refused(*desk_of_files.replace("a.txt", old, "new"))
    assert f" times in a.txt: {lines}; " in refusal
    assert desk_of_files.data("a.txt").decode() == text


@pytest.mark.parametrize("old", ["c", "a\n\nb", "a\n", "\nb", "b\n"])
def test_old_text_that_does_not_occur_is_refused(desk_of_files: EditorDesk, old: str) -> None:
    desk_of_files.write("a.txt", "a\nb\n")
    refusal = desk_of_files.refused(*desk_of_files.replace("a.txt", old, "new"))
    assert refusal.startswith("the old text does not occur in a.txt; copy it")


def test_old_text_with_other_blanks_is_refused_with_where_it_is(desk_of_files: EditorDesk) -> None:
    desk_of_files.write("a.py", "if x:\n    a = 1\n    b = 2\n")
    refusal = desk_of_files.refused(*desk_of_files.replace("a.py", "a = 1\nb = 2", "c"))
    assert "; lines 2-3 would be the same but for blanks" in refusal


def test_empty_old_text_and_no_change_are_refused(desk_of_files: EditorDesk) -> None:
    desk_of_files.write("a.txt", "a\n")
    assert "the old text is empty" in desk_of_files.refused(*desk_of_files.replace("a.txt", "", "new"))
    assert "nothing would change" in desk_of_files.refused(*desk_of_files.replace("a.txt", "a", "a"))
    assert "there is no change to take back" in desk_of_files.refused("undo")


def test_longer_markers_where_the_text_holds_a_marker(desk_of_files: EditorDesk) -> None:
    conflict = "<<<<<<<\nours\n=======\ntheirs\n>>>>>>>"
    desk_of_files.write("a.txt", f"{conflict}\n")
    assert "stands there twice" in desk_of_files.refused(*desk_of_files.replace("a.txt", conflict, "both"))
    desk_of_files.run(*desk_of_files.replace("a.txt", conflict, "both", size=9))
    assert desk_of_files.data("a.txt") == b"both\n"


def test_an_edit_that_breaks_the_code_says_so(desk_of_files: EditorDesk) -> None:
    desk_of_files.write("shop.py", SHOP)
    broken = desk_of_files.run(*desk_of_files.replace("shop.py", "LIMIT = 3", "LIMIT = (3"))
    assert broken.startswith("Replaced line 3 of shop.py. It cannot be parsed: line 3: ")
    still = desk_of_files.run("insert shop.py 1", "# more")
    assert "It still cannot be parsed: line 4: " in still
    mended = desk_of_files.run(*desk_of_files.replace("shop.py", "LIMIT = (3", "LIMIT = 3"))
    assert mended == "Replaced line 4 of shop.py."


def test_windows_line_ends_stay(desk_of_files: EditorDesk) -> None:
    desk_of_files.write("a.txt", "1\r\n2\r\n3")
    desk_of_files.run("insert a.txt 2", "new")
    assert desk_of_files.data("a.txt") == b"1\r\nnew\r\n2\r\n3"
    desk_of_files.run(*desk_of_files.replace("a.txt", "new\n2", "a\nb\nc"))
    assert desk_of_files.data("a.txt") == b"1\r\na\r\nb\r\nc\r\n3"
    desk_of_files.run("replace a.txt 5-5", "end")
    assert desk_of_files.data("a.txt") == b"1\r\na\r\nb\r\nc\r\nend"
    desk_of_files.run("open a.txt 1-2")
    assert desk_of_files.screen()[1:3] == ["1", "a"]


def test_mixed_line_ends_stay_where_nothing_changes(desk_of_files: EditorDesk) -> None:
    desk_of_files.write("a.txt", b"1\r\n2\n3\r\nlone\rcr\n")
    desk_of_files.run("replace a.txt 2-2", "x")
    assert desk_of_files.data("a.txt") == b"1\r\nx\n3\r\nlone\rcr\n"


def test_a_byte_order_mark_stays(desk_of_files: EditorDesk) -> None:
    desk_of_files.write("a.py", b"\xef\xbb\xbfx = 1\n")
    desk_of_files.run(*desk_of_files.replace("a.py", "x = 1", "x = 2"))
    assert desk_of_files.data("a.py") == b"\xef\xbb\xbfx = 2\n"


@pytest.mark.linux("files have no mode there")
def test_the_mode_stays_and_no_other_file_is_left(desk_of_files: EditorDesk) -> None:
    file = desk_of_files.write("run.sh", "echo 1\n")
    file.chmod(0o751)
    desk_of_files.run("replace run.sh 1-1", "echo 2")
    assert stat.S_IMODE(file.stat().st_mode) == 0o751
    assert [each.name for each in desk_of_files.root.iterdir()] == ["run.sh"]


def test_undo_takes_back_one_change_after_the_other(desk_of_files: EditorDesk) -> None:
    desk_of_files.write("a.txt", "1\r\n2\n")
    desk_of_files.run("insert a.txt 1", "0")
    desk_of_files.run("replace a.txt 3-3", "two")
    assert desk_of_files.run("undo") == 'Took back "Replaced line 3 of a.txt".'
    assert desk_of_files.data("a.txt") == b"0\r\n1\r\n2\n"
    desk_of_files.run("undo a.txt")
    assert desk_of_files.data("a.txt") == b"1\r\n2\n"
    assert "there is no change of a.txt to take back" in desk_of_files.refused("undo a.txt")


def test_undo_of_one_file_leaves_later_changes_of_others(desk_of_files: EditorDesk) -> None:
    for name in ("a.txt", "b.txt"):
        desk_of_files.write(name, "1\n")
        desk_of_files.run(f"insert {name} 1", "0")
    desk_of_files.run("undo a.txt")
    assert (desk_of_files.data("a.txt"), desk_of_files.data("b.txt")) == (b"1\n", b"0\n1\n")
    desk_of_files.run("undo")
    assert desk_of_files.data("b.txt") == b"1\n"


def test_undo_of_a_new_file_removes_it_and_its_folders(desk_of_files: EditorDesk) -> None:
    desk_of_files.write("old/b.txt", "b")
    desk_of_files.run("create old/new/a.txt", "x")
    assert desk_of_files.run("undo") == "Took back the making of old/new/a.txt."
    assert [each.name for each in (desk_of_files.root / "old").iterdir()] == ["b.txt"]


def test_undo_is_refused_where_the_file_has_changed_since(desk_of_files: EditorDesk) -> None:
    file = desk_of_files.write("a.txt", "1\n")
    desk_of_files.run("insert a.txt 1", "0")
    file.write_text("mine\n")
    assert "a.txt has changed since this editor changed it" in desk_of_files.refused("undo")
    assert desk_of_files.data("a.txt") == b"mine\n"
    file.unlink()
    assert "there is no a.txt" in desk_of_files.refused("undo")
