"""The endpoint's window: what is typed over HTTP or by people stands in its pixels, each column at its place."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from types import ModuleType
from typing import Any

import pytest
from PySide6.QtCore import QPoint, QPointF, QRect, Qt
from PySide6.QtGui import QImage, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

pytest.importorskip("fastapi", reason="the extra endpoint is not installed")
pytest.importorskip("pyte", reason="the extra endpoint is not installed")

from desktop_agent.extras.camera.endpoint.persistent_shell import PersistentShell
from desktop_agent.extras.camera.endpoint.terminal_theme import (
    contrast,
    readable,
    rgb,
    terminal_theme,
    theme_names,
)
from desktop_agent.extras.camera.endpoint.terminal_window import BarWords, TerminalWindow
from desktop_agent.platforms.posix import bubblewrap
from desktop_agent.protocol.geometry import Rect
from desktop_agent.protocol.stop_flag import StopFlag
from desktop_agent.support.config import EndpointSettings
from desktop_agent.vision.ocr import tesseract
from tests.desk import Desk
from tests.support.served_endpoint import EndpointClient, at_prompt, served, shell_at_work, shown, workplace
from tests.ui.hands import Hands
from tests.ui.spinning import until_true

PAGE = "desktop_agent.extras.camera.filming.calibration_page"


class TerminalStage:
    """An open window with its shell, and a client that types to it."""

    def __init__(self, window: TerminalWindow, shell: PersistentShell, client: EndpointClient) -> None:
        self.window, self.shell, self.client = window, shell, client

    def wait(self, condition: Callable[[], object], what: str) -> None:
        """Let Qt work until the condition holds."""
        until_true(condition, what)

    def line(self, text: str) -> None:
        """Type a line and wait for the next prompt."""
        before = shown(self.shell)
        self.client.line(text)
        self.wait(lambda: shown(self.shell) != before and at_prompt(self.shell), "the next prompt")

    def picture(self) -> QImage:
        """What the window paints."""
        self.wait(lambda: self.window.is_current, "all shown")
        return self.window.grab().toImage()


@pytest.fixture
def terminal_stage(qapp: QApplication) -> Iterator[Callable[..., TerminalStage]]:
    """`terminal_stage(theme=…)` opens a window of these settings; all ends after the test."""
    if not bubblewrap.is_usable():
        pytest.skip("no sandbox can be made here")
    with ExitStack() as ended, workplace() as folder, shell_at_work(folder, columns=60, rows=12) as shell:

        def opened(**settings: Any) -> TerminalStage:
            window = TerminalWindow(shell, EndpointSettings(**{"columns": 60, "rows": 12, **settings}))
            ended.callback(window.deleteLater)
            ended.callback(window.close)
            server = ended.enter_context(served(shell, window))
            window.say(BarWords(f"Typed to at {server.address}", ""))
            window.show()
            window.activateWindow()
            client = ended.enter_context(EndpointClient(server.port))
            stage = TerminalStage(window, shell, client)
            stage.wait(window.isActiveWindow, "the window shown")
            return stage

        yield opened
    qapp.processEvents()


@pytest.mark.parametrize("theme", ["dark", "light", "contrast"])
def test_what_is_typed_can_be_read_from_the_screens_pixels(
    desk: Desk, terminal_stage: Callable[..., TerminalStage], theme: str
) -> None:
    if why := tesseract.unavailable():
        pytest.skip(why)
    stage = terminal_stage(theme=theme)
    stage.line("clear; printf '\\e[31mThe quick \\e[34mbrown fox\\e[0m over 1234\\n'")
    area = stage.window.row_rect(0).united(stage.window.row_rect(1))
    corner = stage.window.mapToGlobal(area.topLeft())
    region = Rect(corner.x(), corner.y(), area.width(), area.height())

    def read() -> bool:
        words = " ".join(each.name for each in tesseract.read_words(desk.target.observe(region), StopFlag()))
        return all(each in words for each in ("quick", "brown fox", "over 1234"))

    stage.wait(read, "its words on the screen")


def test_every_column_stands_at_its_place(terminal_stage: Callable[..., TerminalStage]) -> None:
    stage = terminal_stage()
    stage.line("clear; printf 'M%.0s' {1..60}; printf '\\e[1mW%.0s\\e[0m' {1..60}; printf '漢M\\n'")
    picture, cell, first = stage.picture(), stage.window.cell_size(), stage.window.row_rect(0)

    def cell_at(column: int, row: int) -> QImage:
        return picture.copy(
            QRect(
                first.left() + column * cell.width(),
                first.top() + row * cell.height(),
                cell.width(),
                cell.height(),
            )
        )

    assert cell_at(0, 0) == cell_at(59, 0) == cell_at(2, 2) and cell_at(0, 1) == cell_at(59, 1)
    assert cell_at(0, 0) != cell_at(0, 1) != cell_at(0, 2)


def test_the_terminal_is_as_large_as_the_window_lets_it(terminal_stage: Callable[..., TerminalStage]) -> None:
    stage = terminal_stage()
    assert (stage.shell.columns, stage.shell.rows) == (60, 12)
    cell = stage.window.cell_size()
    stage.window.resize(stage.window.width() - 10 * cell.width(), stage.window.height() + 3 * cell.height())
    stage.wait(lambda: (stage.shell.columns, stage.shell.rows) == (50, 15), "the new size")
    stage.line("clear; stty size")
    assert "15 50" in stage.shell.screen.text()


def test_without_a_size_the_font_is_as_large_as_there_is_room(
    terminal_stage: Callable[..., TerminalStage],
) -> None:
    stage = terminal_stage(font_size=0)
    before = stage.window.cell_size()
    stage.window.resize(stage.window.width() * 3 // 2, stage.window.height() * 3 // 2)
    stage.wait(lambda: stage.window.cell_size().width() > before.width(), "a larger font")
    assert (stage.shell.columns, stage.shell.rows) == (60, 12)


def test_lines_that_have_left_can_be_looked_at_until_something_is_typed(
    terminal_stage: Callable[..., TerminalStage], qapp: QApplication
) -> None:
    stage = terminal_stage()
    stage.line("clear; seq 1 100")
    end = stage.picture()
    place = stage.window.rect().center()
    wheel = QWheelEvent(
        QPointF(place), QPointF(stage.window.mapToGlobal(place)), QPoint(), QPoint(0, 240),
        Qt.MouseButton.NoButton, Qt.KeyboardModifier.NoModifier, Qt.ScrollPhase.NoScrollPhase, False,
    )  # fmt: skip
    qapp.sendEvent(stage.window, wheel)
    assert stage.window.lines_back == 6 and stage.picture() != end
    QTest.keyClick(stage.window, Qt.Key.Key_PageUp, Qt.KeyboardModifier.ShiftModifier)
    assert stage.window.lines_back == 17
    QTest.keyClick(stage.window, Qt.Key.Key_PageDown, Qt.KeyboardModifier.ShiftModifier)
    assert stage.window.lines_back == 6
    stage.shell.type("echo more\r")  # not by HTTP: what is looked at stays
    stage.wait(lambda: stage.window.lines_back == 8, "two more lines")
    stage.client.key("Enter")
    stage.wait(lambda: stage.window.lines_back == 0, "the end")


def test_people_type_into_it(terminal_stage: Callable[..., TerminalStage], hands: Hands) -> None:
    stage = terminal_stage()
    hands.type("echo typed-$((40 + 2))")
    stage.wait(lambda: "$((40 + 2))" in shown(stage.shell), "what is typed")
    hands.chord("enter")
    stage.wait(lambda: "typed-42" in shown(stage.shell), "what it prints")
    QApplication.clipboard().setText("echo pasted\x1b[A\x03 words")
    QTest.keyClick(
        stage.window, Qt.Key.Key_V, Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
    )
    stage.wait(lambda: "echo pasted[A words" in shown(stage.shell), "what is pasted")


def test_a_key_starts_another_shell_where_one_has_ended(terminal_stage: Callable[..., TerminalStage]) -> None:
    stage = terminal_stage()
    stage.client.line("exit 3")
    stage.wait(lambda: not stage.shell.alive, "its end")
    QTest.keyClick(stage.window, Qt.Key.Key_A)
    assert not stage.shell.alive
    QTest.keyClick(stage.window, Qt.Key.Key_Return)
    stage.wait(lambda: stage.shell.alive and at_prompt(stage.shell), "another")


def test_the_calibration_page_fills_the_window_in_its_own_pixels(
    terminal_stage: Callable[..., TerminalStage], monkeypatch: pytest.MonkeyPatch
) -> None:
    page = ModuleType(PAGE)
    page.draw = lambda width, height: bytes((width % 256, 7, height % 256, 0)) * (width * height)  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, PAGE, page)
    stage = terminal_stage()
    before = stage.picture()
    QTest.keyClick(stage.window, Qt.Key.Key_F9)
    size = stage.window.size()
    colour = stage.picture().pixelColor(size.width() - 1, size.height() - 1)
    assert (colour.blue(), colour.green(), colour.red()) == (size.width() % 256, 7, size.height() % 256)
    stage.client.text("typed meanwhile")
    stage.wait(lambda: "typed meanwhile" in shown(stage.shell), "what is typed")
    assert stage.window.calibrates
    QTest.keyClick(stage.window, Qt.Key.Key_Escape)
    assert not stage.window.calibrates and stage.picture().pixelColor(2, 2) == before.pixelColor(2, 2)


def test_without_a_calibration_page_the_window_says_so(
    terminal_stage: Callable[..., TerminalStage], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, PAGE, None)
    stage = terminal_stage()
    QTest.keyClick(stage.window, Qt.Key.Key_F9)
    picture = stage.picture()
    middle = [picture.pixelColor(x, picture.height() // 2 - 8).lightness() for x in range(picture.width())]
    assert min(middle) < 100 < max(middle)


@pytest.mark.parametrize("name", theme_names())
def test_all_colours_can_be_read_on_each_other(name: str) -> None:
    theme = terminal_theme(name)
    colours = theme.colours
    names = ("default", "red", "brightblack", "blue", "brown", "00005f", "5f5f5f", "cd0000", "bfightmagenta")
    for text in names:
        for back in ("default", "blue", "white", "303030", "afaf00"):
            for reverse in (False, True):
                front, behind = theme.pair(text, back, reverse)
                best = max(contrast(end, behind) for end in ((0, 0, 0), (255, 255, 255)))
                assert front == behind or contrast(front, behind) >= min(colours.least_contrast, best) - 0.01
    assert contrast(rgb(colours.bar_text), rgb(colours.bar)) >= 4.5
    assert contrast(rgb(colours.bar_notice), rgb(colours.bar)) >= 4.5
    assert readable((9, 9, 9), (9, 9, 9), 7) == (9, 9, 9), "hidden text stays hidden"
