"""The end of a command in a terminal, from its text or from nothing but its picture."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
import pytest

from desktop_agent.extras.offline.llm.offline.terminal_picture import lines_printed
from desktop_agent.protocol import ops
from desktop_agent.protocol.geometry import Rect
from desktop_agent.vision.observation import Observation
from tests.extras.offline.things import Talk, element, look, question, summary
from tests.vision.drawing import Canvas

PROMPT, COMMAND = "ada@pc:~$ ", "sort names.txt > sorted.txt"
ECHO = PROMPT + COMMAND
WIDTH, HEIGHT = 6, 13
COLUMNS = 60
AREA = Rect(20, 10, COLUMNS * WIDTH + 6, 260)


def drawn(lines: Sequence[str], *, cursor: bool = True) -> Observation:
    """A terminal's window with a title, a frame and a handle below it; behind the last of the lines is the cursor."""
    canvas = Canvas(420, 300)
    canvas.pen.rectangle((AREA.x, AREA.y, AREA.right - 1, AREA.bottom - 1), "white", "black")
    canvas.pen.rectangle((AREA.x, AREA.y, AREA.right - 1, AREA.y + 20), "blue", "black")
    canvas.pen.line((AREA.x, AREA.bottom - 6, AREA.right - 1, AREA.bottom - 6), "black")
    canvas.pen.line((AREA.x + 30, AREA.bottom - 6, AREA.x + 30, AREA.bottom - 1), "black")
    for row, line in enumerate(lines):
        for column, letter in enumerate(line):
            _letter(canvas, row, column, ord(letter))
    if cursor:
        x, y = _cell(len(lines) - 1, len(lines[-1]))
        canvas.pen.rectangle((x, y, x + WIDTH - 1, y + HEIGHT - 1), "black")
    return msgspec.structs.replace(look(window="ada@pc: ~"), frame=canvas.frame)


def _cell(row: int, column: int) -> tuple[int, int]:
    return AREA.x + 3 + column * WIDTH, AREA.y + 23 + row * HEIGHT


def _letter(canvas: Canvas, row: int, column: int, code: int) -> None:
    """A mark in its cell that no other letter has; a blank has none."""
    x, y = _cell(row, column)
    for bit in range(8) if code > 32 else ():
        if code >> bit & 1:
            canvas.pen.rectangle(
                (x + bit % 4 + 1, y + 2 + bit // 4 * 5, x + bit % 4 + 1, y + 5 + bit // 4 * 5), "black"
            )


@pytest.mark.parametrize(
    ("lines", "printed"),
    [
        ((ECHO, PROMPT), 0),
        ((f"{PROMPT}ls", "names.txt", ECHO, PROMPT), 0),
        ((ECHO, "sort: cannot read: names.txt", PROMPT), 1),
        ((ECHO, "one", "two", "three", PROMPT), 3),
        ((ECHO, ""), None),
        ((f"{PROMPT}ls", "names.txt", PROMPT), None),
        ((PROMPT,), None),
        ((ECHO, "Password: "), None),
        ((ECHO, "ada@pc:~/Documents$ "), None),
    ],
)
def test_a_command_has_ended_when_its_prompt_is_seen_again(lines: Sequence[str], printed: int | None) -> None:
    assert lines_printed(drawn(lines), AREA, COMMAND) == printed


def test_a_command_that_goes_over_two_lines_is_no_output() -> None:
    long = "cat " + " ".join(["names.txt"] * 6)
    lines = [(PROMPT + long)[:COLUMNS], (PROMPT + long)[COLUMNS:], PROMPT]
    assert lines_printed(drawn(lines), AREA, long) == 0
    assert lines_printed(drawn([*lines[:2], "Tove", PROMPT]), AREA, long) == 1


def test_without_a_cursor_or_a_picture_nothing_is_known() -> None:
    assert lines_printed(drawn([ECHO, PROMPT], cursor=False), AREA, COMMAND) is None
    assert lines_printed(look(window="ada@pc: ~"), AREA, COMMAND) is None


def terminal(text: str) -> Observation:
    about = {"window": "ada@pc: ~", "application": "gnome-terminal"}
    return look(element("terminal", "Terminal", (0, 0, 600, 400), value=text, **about), window="ada@pc: ~")


def _run() -> Talk:
    talk = Talk(f"run {COMMAND} in the terminal")
    assert talk.see(terminal(PROMPT)) == (ops.Type(COMMAND), ops.KeyCombo(("enter",)))
    return talk


def test_a_command_that_printed_nothing_is_done_when_the_prompt_is_back() -> None:
    talk = _run()
    assert isinstance(talk.see(terminal(f"{ECHO}\n"))[0], ops.Wait)
    assert "printed nothing" in summary(talk.see(terminal(f"{ECHO}\n{PROMPT}")))


def test_a_command_that_printed_an_error_is_asked_about() -> None:
    asked = question(_run().see(terminal(f"{ECHO}\nsort: cannot read: names.txt\n{PROMPT}")))
    assert "cannot read: names.txt" in asked


def test_a_command_whose_end_is_not_seen_is_not_done() -> None:
    for seen in (terminal(f"{ECHO}\n"), look(window="ada@pc: ~")):
        assert "could not see that it has ended" in question(_run().until_it_acts(seen))


def test_a_window_that_comes_up_is_what_a_command_has_done() -> None:
    new = look(window="notes.txt - Editor", windows=("notes.txt - Editor", "ada@pc: ~"))
    assert "has come up" in summary(_run().see(new))
