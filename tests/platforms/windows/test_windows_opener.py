"""What Windows is given to open for everyday names and Start menu shortcuts."""

from __future__ import annotations

from pathlib import Path

import pytest

from desktop_agent.platforms.windows.opener import WindowsOpener
from desktop_agent.protocol.errors import Refused

BROWSER = "C:/Program Files/Fox/fox.exe"


class Shell:
    def __init__(self) -> None:
        self.started: list[str] = []

    def start(self, what: str) -> None:
        if what == "frobnicator":
            raise FileNotFoundError(2, "The system cannot find the file specified")
        self.started.append(what)


@pytest.fixture
def shell() -> Shell:
    return Shell()


@pytest.fixture
def opener(shell: Shell, tmp_path: Path) -> WindowsOpener:
    menu = tmp_path / "Microsoft" / "Windows" / "Start Menu" / "Programs" / "Office"
    menu.mkdir(parents=True)
    for name in ("Word", "Word Viewer 2003", "Mozilla Firefox", "Command Prompt"):
        (menu / f"{name}.lnk").touch()
    return WindowsOpener({"PROGRAMDATA": str(tmp_path)}, shell.start, lambda: BROWSER)


@pytest.mark.parametrize(
    ("said", "started"),
    [
        ("Notepad", "notepad.exe"),
        ("text editor", "notepad.exe"),
        ("Calculator", "calc.exe"),
        ("the internet", BROWSER),
        ("https://example.org/a b", "https://example.org/a b"),
        ("www.example.org", "http://www.example.org"),
        ("spotify", "spotify"),
    ],
)
def test_everyday_names_and_addresses(opener: WindowsOpener, shell: Shell, said: str, started: str) -> None:
    opener.open(said)
    assert shell.started == [started]


def test_the_start_menu_is_searched_by_name(opener: WindowsOpener, shell: Shell) -> None:
    assert [opener.open(said) for said in ("word", "mozilla firefox", "word viewer")] == [
        "Word", "Mozilla Firefox", "Word Viewer 2003",
    ]  # fmt: skip
    assert all(started.endswith(".lnk") for started in shell.started)


def test_what_nothing_opens_is_refused_with_advice(
    opener: WindowsOpener, shell: Shell, tmp_path: Path
) -> None:
    for said in ("frobnicator", f"~{tmp_path}/nowhere.txt", "javascript:alert(1)", "https://"):
        with pytest.raises(Refused) as refused:
            opener.open(said)
        assert refused.value.advice
    assert shell.started == []


def test_what_would_be_opened_is_known_before(opener: WindowsOpener, tmp_path: Path) -> None:
    told = {
        said: opener.program_for(said)
        for said in ("notepad", "command prompt", "cmd", "powershell", "~", "browser")
    }
    assert told == {
        "notepad": "notepad.exe", "command prompt": "terminal", "cmd": "terminal", "powershell": "terminal", "~": "folder/",
        "browser": "fox.exe",
    }  # fmt: skip
