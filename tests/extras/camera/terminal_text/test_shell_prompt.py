"""What a terminal's lines tell of its shell."""

from __future__ import annotations

import pytest

from desktop_agent.extras.camera.terminal_text.shell_prompt import situation


def test_a_prompt_with_the_cursor_waits() -> None:
    told = situation(["pi:~$ true", "pi:~$"], (1, 6))
    assert (told.prompt, told.activity, told.error) == ("pi:~$", "idle", "")


def test_a_program_that_prints_is_running() -> None:
    told = situation(["anna@pi:~$ ping host", "64 bytes from host", ""], (2, 0))
    assert (told.prompt, told.activity) == ("", "running")


def test_without_a_prompt_and_a_cursor_nothing_is_known() -> None:
    assert situation(["one", "two"], None).activity == "unknown"


def test_a_question_for_a_password_is_not_idle() -> None:
    assert situation(["anna@pi:~$ sudo ls", "[sudo] password for anna:"], (1, 26)).activity == "running"


@pytest.mark.parametrize(
    ("printed", "error"),
    [
        (["bash: foo: command not found"], "bash: foo: command not found"),
        (["foo: Befehl nicht gefunden"], "foo: Befehl nicht gefunden"),
        (
            ["ls: cannot access 'x': No such file or directory"],
            "ls: cannot access 'x': No such file or directory",
        ),
        (["Traceback (most recent call last):", '  File "x.py"', "KeyError: 'price'"], "KeyError: 'price'"),
        (["errors.txt", "no-error", "0 errors found"], ""),
    ],
)
def test_the_error_of_the_last_command(printed: list[str], error: str) -> None:
    assert situation(["anna@pi:~$ run", *printed, "anna@pi:~$"], (len(printed) + 1, 11)).error == error


def test_an_error_of_an_earlier_command_is_not_told() -> None:
    lines = ["anna@pi:~$ foo", "bash: foo: command not found", "anna@pi:~$ true", "anna@pi:~$"]
    assert situation(lines, (3, 11)).error == ""


def test_a_line_wrapped_at_the_edge_is_one() -> None:
    lines = ["anna@pi:~$ x", "bash: a_long_na", "me: command not", " found", "anna@pi:~$"]
    assert situation(lines, (4, 11), 15).error == "bash: a_long_name: command not found"
