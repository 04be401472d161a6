"""The global shortcuts of the approval card on a real session: they work whichever window has the keyboard."""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from PySide6.QtWidgets import QApplication

from desktop_agent.platforms.base import Input
from desktop_agent.protocol.input_events import KeyDown, KeyUp
from desktop_agent.targets.base import Address
from desktop_agent.targets.local import attach
from desktop_agent.ui.run_window import make_app
from desktop_agent.ui.shell.hotkeys import HotKeys
from installer.windows_check.probes.keys import held
from tests.support.waiting import until
from tests.support.windows_desk import Reader

pytestmark = pytest.mark.skipif(sys.platform != "win32", reason="asks Windows itself")


@pytest.fixture(scope="module")
def app() -> Iterator[QApplication]:
    application = make_app()
    application.setQuitOnLastWindowClosed(False)
    yield application
    application.shutdown()


@pytest.fixture
def keys(app: QApplication) -> Iterator[HotKeys]:
    shortcuts = HotKeys()
    yield shortcuts
    shortcuts.close()


@pytest.fixture
def wait(app: QApplication) -> Callable[[Callable[[], object], str], None]:
    """Let Qt work until the condition holds."""

    def waiting(condition: Callable[[], object], what: str) -> None:
        def holds() -> bool:
            app.processEvents()
            return bool(condition())

        until(holds, what)

    return waiting


@pytest.fixture
def hand() -> Iterator[Input]:
    """Somebody at the keyboard, which is another window's."""
    with Reader() as reader:
        reader.focus()
        yield attach(Address("local"))
        assert held() == []


def chord(hand: Input, key: str) -> None:
    names = ("ctrl", "alt", key)
    for name in names:
        hand.emit(KeyDown(name))
    for name in reversed(names):
        hand.emit(KeyUp(name))


def test_they_are_heard_while_another_window_has_the_keyboard(
    keys: HotKeys, hand: Input, wait: Callable[[Callable[[], object], str], None]
) -> None:
    heard: list[str] = []
    keys.pressed.connect(heard.append)
    keys.hold(True)
    assert keys.held
    chord(hand, "enter")
    wait(lambda: heard == ["approve"], "the yes")
    chord(hand, "backspace")
    wait(lambda: heard == ["approve", "skip"], "the no")


def test_they_are_told_only_once_the_fingers_are_off(
    keys: HotKeys, hand: Input, app: QApplication, wait: Callable[[Callable[[], object], str], None]
) -> None:
    heard: list[str] = []
    keys.pressed.connect(heard.append)
    keys.hold(True)
    for name in ("ctrl", "alt", "enter"):
        hand.emit(KeyDown(name))
    hand.emit(KeyUp("enter"))
    hand.emit(KeyUp("alt"))
    for _ in range(50):
        app.processEvents()
    assert not heard
    hand.emit(KeyUp("ctrl"))
    wait(lambda: heard == ["approve"], "the yes")


def test_a_shortcut_of_another_program_is_said(keys: HotKeys) -> None:
    windows: Any = ctypes
    user32 = windows.WinDLL("user32")
    said: list[str] = []
    keys.trouble.connect(said.append)
    assert user32.RegisterHotKey(None, 7, 0x3, 0x0D)
    try:
        keys.hold(True)
    finally:
        user32.UnregisterHotKey(None, 7)
    assert said == ["Another program has the shortcut for approve."]
    keys.hold(False)
    keys.hold(True)
    assert said[1:] == ["", ""]
    assert keys.held
