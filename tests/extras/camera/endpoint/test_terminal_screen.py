"""What programs print stands on the terminal as on others, whatever they print and however it is cut."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

pytest.importorskip("pyte", reason="the extra endpoint is not installed")

from desktop_agent.extras.camera.endpoint.terminal_emulator import MOST_LINES
from desktop_agent.extras.camera.endpoint.terminal_screen import TerminalScreen

SAID = (
    b"\x1b[1;31mbold\x1b[0m \x1bP+q436f\x1b\\\x1b]0;a title\x07\x1b[>4;2mplain\x1b[?4m \x1b[4:3mwavy\x1b[0m"
    b"\x1b[38:2::10:20:30mcolour\x1b[1;2;3;4A\x1b[m \xe6\xbc\xa2e\xcc\x81\r\n\x1b(0lqk\x1b(B\x1b[3b."
)


def screen(columns: int = 40, rows: int = 6) -> TerminalScreen:
    return TerminalScreen(columns, rows, lambda _: None)


def test_sequences_that_are_not_understood_leave_nothing_behind() -> None:
    made = screen(60)
    made.feed(SAID)
    assert made.text()[:2] == ["bold plain wavycolour 漢é", "┌─┐┐┐┐."]
    cells = made.view().rows[0]
    assert cells[0].bold and cells[0].fg == "red"
    assert not cells[5].underscore and cells[11].underscore
    assert cells[15].fg == "0a141e"


@settings(max_examples=50)
@given(some.lists(some.integers(1, len(SAID) - 1), max_size=8))
def test_output_may_be_cut_anywhere(places: list[int]) -> None:
    whole, cut = screen(60), screen(60)
    whole.feed(SAID)
    marks = [0, *sorted(places), len(SAID)]
    for start, end in itertools.pairwise(marks):
        cut.feed(SAID[start:end])
    assert cut.view() == whole.view()


@given(some.lists(some.one_of(some.binary(max_size=30), some.from_regex(rb"\x1b\[[?>]?[0-9;:]{0,8}[ -~]", fullmatch=True)), max_size=20))  # fmt: skip
def test_nothing_that_is_printed_is_an_error(pieces: list[bytes]) -> None:
    made = screen(20, 5)
    for each in pieces:
        made.feed(each)
        view = made.view()
        assert len(view.rows) == 5 and all(len(row) == 20 for row in view.rows)
    made.resize(7, 3)
    assert all(len(row) == 7 for row in made.view().rows)


def test_lines_that_leave_can_be_scrolled_to_and_do_not_pile_up() -> None:
    made = screen(10, 4)
    made.feed(b"".join(b"%d\r\n" % number for number in range(MOST_LINES + 500)))
    view = made.view(back=10)
    assert view.above == MOST_LINES
    assert "".join(cell.data for cell in view.rows[0]).strip() == str(MOST_LINES + 500 - 3 - 10)
    assert view.cursor is None


def test_full_screen_programs_leave_the_screen_as_it_was() -> None:
    made = screen()
    made.feed(b"before\r\n\x1b[?1049h\x1b[H\x1b[2Jeditor" + b"\r\nmore" * 20)
    assert made.full_screen and made.view().above == 0
    made.feed(b"\x1b[?1049l")
    assert made.text()[:2] == ["before", ""] and not made.full_screen
    made.feed(b"x")
    assert made.text()[1] == "x"


def test_a_smaller_terminal_keeps_the_lines_at_the_cursor() -> None:
    made = screen(20, 6)
    made.feed(b"one\r\ntwo\r\nthree")
    made.resize(20, 4)
    assert made.text() == ["one", "two", "three", ""]
    made.resize(4, 2)
    assert made.text() == ["two", "thre"] and made.view(1).above == 1


def test_a_character_in_two_cells_goes_to_the_next_line_as_a_whole() -> None:
    made = screen(5, 3)
    made.feed("abcd漢".encode())
    assert made.text()[:2] == ["abcd", "漢"]
    assert made.view().rows[1][1].data == ""


def test_the_program_is_told_where_the_cursor_is_and_nothing_else() -> None:
    said = list[bytes]()
    made = TerminalScreen(20, 5, said.append)
    made.feed(b"ab\x1b[6n\x1b]11;?\x07\x1b[21t\x1b[?6n\x1bP$qm\x1b\\")
    assert said == [b"\x1b[1;3R"]
