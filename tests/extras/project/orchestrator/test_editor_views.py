"""Views show what the file is now, wherever it moved to, and say why they cannot."""

from __future__ import annotations

import os
import time

import pytest

from tests.extras.project.orchestrator.editing_desk import HELLO_C, SHOP, EditorDesk, need_grammar


def test_the_seeds_example(desk_of_files: EditorDesk) -> None:
    need_grammar("tree_sitter_c")
    desk_of_files.write("hello.c", HELLO_C)
    assert (
        desk_of_files.run("goto_definition main") == 'Viewing function "main" of hello.c, lines 4-6 (view 1).'
    )
    assert desk_of_files.editor.screen() == (
        '> hello.c: function "main", lines 4-6 (view 1)\nvoid main() {\n  printf("Hello world\\n");\n}\n'
    )


def test_an_empty_screen_says_so(desk_of_files: EditorDesk) -> None:
    assert desk_of_files.editor.screen() == "(no view is open)"


def test_every_kind_of_view(desk_of_files: EditorDesk) -> None:
    desk_of_files.write("shop.py", SHOP)
    desk_of_files.run("open shop.py 1-3")
    desk_of_files.run("open shop.py function Cart.total")
    desk_of_files.run("open shop.py class Cart")
    desk_of_files.run("open shop.py search append")
    assert desk_of_files.run("open shop.py") == "Viewing shop.py, lines 1-21 (view 5)."
    lines = SHOP.split("\n")
    expected = [
        ["> shop.py: lines 1-3 (view 1)", *lines[:3], ""],
        ['> shop.py: function "Cart.total", lines 10-12 (view 2)', *lines[9:12], ""],
        ['> shop.py: class "Cart", lines 6-12 (view 3)', *lines[5:12], ""],
        ['> shop.py: search "append", lines 14-18 (view 4)', *lines[13:18], ""],
        ["> shop.py: whole file, lines 1-21 (view 5)", *lines[:21], ""],
    ]
    assert desk_of_files.screen() == [line for view in expected for line in view]


def test_a_function_is_followed_where_it_moves(desk_of_files: EditorDesk) -> None:
    file = desk_of_files.write("shop.py", SHOP)
    desk_of_files.run("open shop.py function add")
    file.write_text(f"# one\n# two\n{SHOP}".replace("append(price)", "append(2 * price)"))
    screen = desk_of_files.screen()
    assert screen[0] == '> shop.py: function "add", lines 17-19 (view 1)'
    assert screen[2] == "    cart.items.append(2 * price)"


def test_a_change_in_place_within_one_tick_is_seen(desk_of_files: EditorDesk) -> None:
    file = desk_of_files.write("shop.py", SHOP)
    desk_of_files.run("open shop.py function add")
    for text in ("aaaaa", "bbbbb", "ccccc", "ddddd") * 5:
        file.write_text(SHOP.replace("price", text))
        assert f"    cart.items.append({text})" in desk_of_files.screen()


@pytest.mark.linux("a file's ctime is that of its making there")
def test_a_change_that_keeps_time_and_size_is_seen(desk_of_files: EditorDesk) -> None:
    file = desk_of_files.write("shop.py", SHOP)
    os.utime(file, ns=(1_000_000_000, 1_000_000_000))
    while time.time_ns() - file.stat().st_ctime_ns < 200_000_000:  # until what is read may be kept
        time.sleep(0.01)
    desk_of_files.run("open shop.py function add")
    desk_of_files.screen()
    file.write_text(SHOP.replace("price", "PRICE"))
    os.utime(file, ns=(1_000_000_000, 1_000_000_000))
    assert "    cart.items.append(PRICE)" in desk_of_files.screen()


def test_a_renamed_function_is_gone_until_it_is_back(desk_of_files: EditorDesk) -> None:
    file = desk_of_files.write("shop.py", SHOP)
    desk_of_files.run("open shop.py function add")
    file.write_text(SHOP.replace("def add", "def put"))
    assert desk_of_files.screen() == [
        '> shop.py: function "add" (view 1)',
        '(gone: shop.py has no function "add")',
        "",
    ]
    file.write_text(SHOP)
    assert desk_of_files.screen()[:2] == [
        '> shop.py: function "add", lines 15-17 (view 1)',
        "def add(cart, price):",
    ]


def test_a_removed_file_is_gone_until_it_is_back(desk_of_files: EditorDesk) -> None:
    file = desk_of_files.write("shop.py", SHOP)
    desk_of_files.run("open shop.py 1-3")
    file.unlink()
    assert desk_of_files.screen() == ["> shop.py: lines 1-3 (view 1)", "(gone: there is no shop.py)", ""]
    file.write_text(SHOP)
    assert desk_of_files.screen()[1] == "import os"


def test_broken_python_says_where_and_comes_back_mended(desk_of_files: EditorDesk) -> None:
    file = desk_of_files.write("shop.py", SHOP)
    desk_of_files.run("open shop.py function add")
    file.write_text(SHOP.replace("LIMIT = 3", "LIMIT = (3"))
    heading, body, _ = desk_of_files.screen()
    assert heading == '> shop.py: function "add" (view 1)'
    assert body.startswith("(shop.py cannot be parsed: line 3: ")
    assert body.endswith("; the last known place was lines 15-17)")
    file.write_text(SHOP)
    assert desk_of_files.screen()[0] == '> shop.py: function "add", lines 15-17 (view 1)'


def test_views_that_need_no_parsing_live_on_in_a_broken_file(desk_of_files: EditorDesk) -> None:
    desk_of_files.write("bad.py", "def f(:\n    pass\n")
    desk_of_files.run("open bad.py")
    assert desk_of_files.screen()[1:3] == ["def f(:", "    pass"]


@pytest.mark.parametrize("text", ["x = '\\d'\n\ndef f():\n    pass\n", "\ufeffdef f():\n    pass\n"])
def test_what_python_only_warns_of_is_parsed(desk_of_files: EditorDesk, text: str) -> None:
    desk_of_files.write("a.py", text)
    assert desk_of_files.run("open a.py function f").startswith('Viewing function "f" of a.py')


@pytest.mark.parametrize("text", ["def f():\n    x = '\0'\n", "x = " + "(" * 5000 + "\n"])
def test_what_python_cannot_take_is_a_syntax_error(desk_of_files: EditorDesk, text: str) -> None:
    desk_of_files.write("a.py", text)
    assert "a.py cannot be parsed: line " in desk_of_files.refused("open a.py function f")


def test_broken_c_says_where_and_comes_back_mended(desk_of_files: EditorDesk) -> None:
    need_grammar("tree_sitter_c")
    file = desk_of_files.write("hello.c", HELLO_C)
    desk_of_files.run("open hello.c function main")
    file.write_text("int x = ;\nvoid (((\n")
    assert desk_of_files.screen()[1] == (
        "(hello.c cannot be parsed: line 1: syntax error; the last known place was lines 4-6)"
    )
    file.write_text(HELLO_C)
    assert desk_of_files.screen()[1] == "void main() {"


def test_a_search_without_hits_says_so_and_waits_for_one(desk_of_files: EditorDesk) -> None:
    file = desk_of_files.write("a.txt", "one\n")
    said = desk_of_files.run("open a.txt search two")
    assert said == 'Viewing what of a.txt holds "two", no line now (view 1).'
    assert desk_of_files.screen() == ['> a.txt: search "two" (view 1)', '(no line of a.txt holds "two")', ""]
    file.write_text("one\ntwo\n")
    assert desk_of_files.screen() == ['> a.txt: search "two", lines 1-2 (view 1)', "one", "two", ""]


def test_a_search_tells_its_places_apart(desk_of_files: EditorDesk) -> None:
    lines = [str(number) for number in range(1, 31)]
    lines[4] = lines[19] = "hit"
    desk_of_files.write("a.txt", "\n".join(lines))
    desk_of_files.run("open a.txt search hit")
    assert desk_of_files.screen() == [
        '> a.txt: search "hit", lines 3-7, 18-22 (view 1)',
        *["(lines 3-7)", "3", "4", "hit", "6", "7"],
        *["(lines 18-22)", "18", "19", "hit", "21", "22"],
        "",
    ]


def test_lines_beyond_the_end_are_gone(desk_of_files: EditorDesk) -> None:
    file = desk_of_files.write("a.txt", "1\n2\n3\n4\n")
    desk_of_files.run("open a.txt 3-9")
    assert desk_of_files.screen() == ["> a.txt: lines 3-4 (view 1)", "3", "4", ""]
    file.write_text("1\n")
    assert desk_of_files.screen()[:2] == ["> a.txt: lines 3-9 (view 1)", "(gone: a.txt has only 1 line)"]


def test_an_empty_file_is_shown_as_empty(desk_of_files: EditorDesk) -> None:
    desk_of_files.write("a.txt", "")
    desk_of_files.run("open a.txt")
    assert desk_of_files.screen() == ["> a.txt: whole file, empty (view 1)", ""]


def test_a_file_that_became_something_else_says_so(desk_of_files: EditorDesk) -> None:
    file = desk_of_files.write("a.txt", "1\n")
    desk_of_files.run("open a.txt")
    file.write_bytes(b"\xff\xfe")
    assert desk_of_files.screen()[1].startswith("(cannot be shown: a.txt is not UTF-8 text")
    file.unlink()
    file.mkdir()
    assert desk_of_files.screen()[1].startswith("(cannot be shown: a.txt is a folder")


def test_the_same_is_not_viewed_twice(desk_of_files: EditorDesk) -> None:
    desk_of_files.write("shop.py", SHOP)
    desk_of_files.run("open shop.py function add")
    again = desk_of_files.run("open ./shop.py function add")
    assert again == 'Viewed already: function "add" of shop.py, lines 15-17 (view 1).'
    assert len([line for line in desk_of_files.screen() if line.startswith("> ")]) == 1


def test_two_of_one_name_shows_the_first_and_names_the_other(desk_of_files: EditorDesk) -> None:
    desk_of_files.write("a.py", "def f():\n    return 1\n\n\ndef f():\n    return 2\n")
    said = desk_of_files.run("open a.py function f")
    assert (
        said
        == 'Viewing function "f" of a.py, lines 1-2 (view 1). It is defined again in lines 5-6, not viewed.'
    )
    assert desk_of_files.screen()[1:3] == ["def f():", "    return 1"]


def test_at_most_twelve_views(desk_of_files: EditorDesk) -> None:
    desk_of_files.write("a.txt", "x\n" * 20)
    for line in range(1, 13):
        desk_of_files.run(f"open a.txt {line}")
    assert "12 views are open; close one first" in desk_of_files.refused("open a.txt 13")
    desk_of_files.run("close 5")
    assert desk_of_files.run("open a.txt 13") == "Viewing a.txt, line 13 (view 13)."


def test_close(desk_of_files: EditorDesk) -> None:
    desk_of_files.write("a.txt", "x\ny\n")
    desk_of_files.run("open a.txt 1")
    desk_of_files.run("open a.txt 2")
    assert desk_of_files.run("close 1") == "Closed view 1."
    assert desk_of_files.screen()[0] == "> a.txt: line 2 (view 2)"
    assert desk_of_files.refused("close 1") == "there is no view 1; open views: 2"
    assert desk_of_files.run("close all") == "Closed 1 view."
    assert desk_of_files.editor.screen() == "(no view is open)"
    assert desk_of_files.run("open a.txt") == "Viewing a.txt, lines 1-2 (view 1)."


def test_a_long_view_is_cut_and_scrolls_to_its_end(desk_of_files: EditorDesk) -> None:
    desk_of_files.write("a.txt", "".join(f"{number}\n" for number in range(1, 1001)))
    desk_of_files.run("open a.txt")
    screen = desk_of_files.screen()
    assert len(screen) == 400
    assert screen[:2] == ["> a.txt: whole file, lines 1-1000 (view 1)", "1"]
    assert screen[-2] == "(cut: only lines 1-397 of lines 1-1000; scroll 1 down)"
    assert desk_of_files.run("scroll 1 down") == "View 1 shows lines 21-417 now."
    assert desk_of_files.screen()[1] == "21"
    assert desk_of_files.screen()[-2].endswith("scroll 1 up or down)")
    assert desk_of_files.run("scroll 1 down 5000") == "View 1 shows lines 604-1000 now."
    assert desk_of_files.screen()[-3:-1] == [
        "1000",
        "(cut: only lines 604-1000 of lines 1-1000; scroll 1 up)",
    ]
    assert desk_of_files.refused("scroll 1 down") == "view 1 shows its end already"
    assert desk_of_files.run("scroll 1 up 600") == "View 1 shows lines 4-400 now."


def test_long_views_share_the_screen_and_short_ones_are_whole(desk_of_files: EditorDesk) -> None:
    for name in "abc":
        desk_of_files.write(f"{name}.txt", f"{name}\n" * 900)
    desk_of_files.write("short.txt", "s\n" * 10)
    for name in ("a", "b", "c", "short"):
        desk_of_files.run(f"open {name}.txt")
    screen = desk_of_files.screen()
    assert len(screen) <= 400
    counts = [screen.count(text) for text in "abcs"]
    assert counts[3] == 10
    assert max(counts[:3]) - min(counts[:3]) <= 1
    assert sum(counts) >= 380


def test_a_view_of_lines_scrolls_through_the_file(desk_of_files: EditorDesk) -> None:
    desk_of_files.write("a.txt", "".join(f"{number}\n" for number in range(1, 51)))
    desk_of_files.run("open a.txt 10-12")
    assert desk_of_files.run("scroll 1 down") == "View 1 shows lines 30-32 of a.txt now."
    assert desk_of_files.screen()[1:4] == ["30", "31", "32"]
    desk_of_files.run("scroll 1 down 40")
    assert desk_of_files.screen()[0] == "> a.txt: lines 48-50 (view 1)"
    assert "shows the end of a.txt already" in desk_of_files.refused("scroll 1 down")
    desk_of_files.run("scroll 1 up 100")
    assert desk_of_files.screen()[1] == "1"


def test_what_is_shown_whole_does_not_scroll(desk_of_files: EditorDesk) -> None:
    desk_of_files.write("shop.py", SHOP)
    desk_of_files.run("open shop.py function add")
    assert "view 1 is shown whole" in desk_of_files.refused("scroll 1 down")


def test_a_view_that_shrank_while_scrolled_shows_its_end(desk_of_files: EditorDesk) -> None:
    file = desk_of_files.write("a.txt", "x\n" * 1000)
    desk_of_files.run("open a.txt")
    desk_of_files.run("scroll 1 down 500")
    file.write_text("1\n2\n3\n")
    assert desk_of_files.screen()[1:4] == ["1", "2", "3"]


def test_a_very_long_line_is_cut(desk_of_files: EditorDesk) -> None:
    desk_of_files.write("a.txt", "x" * 100_000)
    desk_of_files.run("open a.txt")
    assert desk_of_files.screen()[1] == f"{'x' * 500} (… 99,500 more characters)"
