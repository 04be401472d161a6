"""With layouts of other countries and dead keys, text arrives exactly in Qt, GTK and a terminal."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from desktop_agent.platforms.base import Input
from desktop_agent.protocol.input_events import KeyDown, KeyUp
from desktop_agent.targets import display as embedded
from tests.desk import Desk, until
from tests.hand.human import Human
from tests.platforms.x11.test_typing import type_out

LAYOUTS = {"de": ("de",), "fr": ("fr",), "us-intl": ("us", "intl"), "ru": ("ru",)}
ASCII = "".join(map(chr, range(32, 127)))
ALONE = "^ ~ ` ' \" ´ ¨ ° ¸ ^~`'\"´¨ ''\"\"``^^~~"
COMBINED = "^a ~n `e 'e \"u ´a ¨o 'c ,c ~~a ^^ 'I' â ñ è é ü á ö ç Ê Ñ À É Ü ß œ Œ ÿ ð þ"
MIXED = "l'été “naïve” €5 №7 Привет, мир! Ёж {[]}\\|@ Ελλ 日本語 中文 한국 😀 fin"
TEXT = "\n".join((ASCII, ASCII[::-1], ALONE, COMBINED, MIXED, "")) + "."


QT, GTK, TERMINAL = ("de", "ru"), ("fr", "us-intl"), ("us-intl", "de")
"""The layouts for each: `./bench typing` types with all of them everywhere."""


def layouts(names: tuple[str, ...]) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("layout", names, indirect=True)


@pytest.fixture
def layout(request: pytest.FixtureRequest, shared_display: Desk) -> Iterator[str]:
    """The shared display with another keyboard."""
    switch(shared_display, LAYOUTS[request.param])
    yield request.param
    switch(shared_display, ("us",))


def switch(desk: Desk, names: tuple[str, ...]) -> None:
    """Change the layout as a user does."""
    subprocess.run(["setxkbmap", "-option", "", *names], env=desk.environment, check=True)


@pytest.fixture
def hand(layout: str, shared_display: Desk) -> Iterator[Input]:
    del layout
    made = embedded.attach(shared_display.target.address())
    yield made
    made.close()
    check_nothing_held(shared_display)


def check_nothing_held(desk: Desk) -> None:
    assert desk.held() == (set(), 0)
    human = Human(desk.environment)
    mask = human.display.core.QueryPointer(human.display.root).reply().mask
    human.close()
    assert mask & 0xFF == 0


def arrives(read: Callable[[], str], text: str) -> None:
    try:
        until(lambda: read() == text, "the whole text")
    except AssertionError:
        assert read() == text


@layouts(QT)
def test_in_qt(hand: Input, shared_display: Desk, tmp_path: Path) -> None:
    file = tmp_path / "text"
    script = Path(__file__).parent.parent / "apps" / "text_box.py"
    box = shared_display.launch(sys.executable, str(script), str(file), title="^text box$")
    until(file.exists, "the focus on the text box")
    type_out(hand, TEXT)
    arrives(lambda: file.read_text(encoding="utf-8"), TEXT)
    shared_display.end(box)


@layouts(GTK)
def test_in_gtk(hand: Input, shared_display: Desk, tmp_path: Path) -> None:
    file = tmp_path / "note.txt"
    file.write_text("")
    editor = shared_display.launch("mousepad", "--disable-server", str(file), title="note.txt")
    type_out(hand, TEXT)
    for event in (KeyDown("ctrl"), KeyDown("s"), KeyUp("s"), KeyUp("ctrl")):
        hand.emit(event)
    arrives(lambda: file.read_text(encoding="utf-8"), TEXT)
    shared_display.end(editor)


@layouts(TERMINAL)
def test_in_a_terminal(hand: Input, shared_display: Desk, tmp_path: Path) -> None:
    file = tmp_path / "typed"
    collect = f"stty raw -echo && cat > {file}"
    terminal = shared_display.launch("xterm", "-u8", "-T", "lines", "-e", "sh", "-c", collect, title="lines")
    until(file.exists, "the terminal's program")
    type_out(hand, TEXT)
    arrives(lambda: file.read_bytes().decode(errors="replace").replace("\r", "\n"), TEXT)
    shared_display.end(terminal)
