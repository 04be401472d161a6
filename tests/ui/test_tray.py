"""The tray icon in a real panel on the private display: what it shows, what its menu does, and life without a tray."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtWidgets import QApplication, QSystemTrayIcon

from desktop_agent.protocol.agent_events import GoalReached, Question, Status
from desktop_agent.protocol.geometry import Rect
from desktop_agent.support.config import Config
from desktop_agent.ui.around.around_window import Around, AroundOptions
from desktop_agent.ui.around.tray import LOOK, state_icon
from desktop_agent.ui.run_window import OutsideRequests, WindowOptions, open_window
from desktop_agent.ui.widgets.buttons import Button
from tests.desk import Desk, until
from tests.ui.conftest import Stage
from tests.ui.hands import Hands
from tests.ui.scripted import ScriptedPort
from tests.ui.tray_host import SIZE, TrayHost

Surrounded = Callable[..., tuple[Stage, Around]]


@pytest.fixture
def panel(desk: Desk, qapp: QApplication) -> Iterator[TrayHost]:
    host = TrayHost(desk.environment)
    yield host
    host.close()
    until(lambda: (qapp.processEvents(), not QSystemTrayIcon.isSystemTrayAvailable())[1], "no tray any more")


@pytest.fixture
def surrounded(qapp: QApplication, tmp_path: Path) -> Iterator[Surrounded]:
    """`surrounded(keep_in_tray=…, …)` opens a window with what surrounds it."""
    closing: list[Callable[[], None]] = []

    def make(on_top: bool = True, **given: Any) -> tuple[Stage, Around]:
        port = ScriptedPort()
        around = AroundOptions(logs=tmp_path / "logs", licences=lambda: "all licences", **given)
        window, bridge = open_window(
            port, WindowOptions(tmp_path / "settings", theme="light", on_top=on_top, around=around)
        )
        found = window.findChild(Around)
        assert found is not None

        def close() -> None:
            found.options = AroundOptions(logs=tmp_path, licences=str)
            window.close()
            assert bridge.close()
            window.deleteLater()
            # Now: an icon without a tray would go into the panel of the next test.
            qapp.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)

        closing.append(close)
        stage = Stage(window, bridge, port)
        if not found.starts_hidden:
            stage.wait(
                lambda: window.windowHandle() and window.windowHandle().isExposed(), "the window shown"
            )
        return stage, found

    yield make
    for close in closing:
        close()
    qapp.setQuitOnLastWindowClosed(False)


def colour_in_panel(desk: Desk) -> str:
    """The colour between sign and edge of the first icon in the panel."""
    frame = desk.target.observe(Rect(0, 0, SIZE, SIZE))
    at = (3 * frame.size.width + SIZE // 2) * 4
    blue, green, red = frame.pixels[at : at + 3]
    return f"#{red:02x}{green:02x}{blue:02x}"


def test_the_icon_shows_the_state_by_colour_and_words(
    desk: Desk, panel: TrayHost, surrounded: Surrounded
) -> None:
    stage, around = surrounded()
    in_panel(stage, around, desk)
    stage.play(Status(state="waiting_for_user"))
    stage.wait(lambda: colour_in_panel(desk) == LOOK["waiting_for_user"][0], "the colour of a question")
    assert "needs you" in around.tray.toolTip()
    stage.play(GoalReached(summary="Four.", answered=True), Status(state="done"))
    stage.wait(lambda: colour_in_panel(desk) == LOOK["done"][0], "the colour of an end")
    assert "answered" in around.tray.toolTip()


def test_no_two_states_of_one_colour_have_one_sign() -> None:
    looks = {(colour, sign): word for colour, sign, word in LOOK.values()}
    assert len(looks) == len({word for *_, word in LOOK.values()})
    pictures = {state: state_icon(state).pixmap(16).toImage() for state in LOOK if state != "executing"}
    assert all(pictures[one] != pictures[other] for one in pictures for other in pictures if one != other)


def in_panel(stage: Stage, around: Around, desk: Desk) -> None:
    """Wait until the icon is painted in the panel."""
    stage.wait(lambda: colour_in_panel(desk) == LOOK["idle"][0], "the icon in the panel")
    assert around.tray.there


def click_icon(hands: Hands) -> None:
    hands.move(SIZE // 2, SIZE // 2)
    hands.press()
    hands.release()


def choose(stage: Stage, hands: Hands, around: Around, words: str) -> None:
    """Open the icon's menu with the right button and click an entry."""
    hands.move(SIZE // 2, SIZE // 2)
    hands.press("right")
    hands.release("right")
    menu = around.tray.menu
    stage.wait(menu.isVisible, "the menu of the icon")
    action = next(each for each in menu.actions() if each.text() == words)
    stage.pump(50)
    hands.point(menu, menu.actionGeometry(action).center())
    hands.press()
    hands.release()
    stage.wait(lambda: not menu.isVisible(), "the menu closed")


def test_a_click_on_the_icon_hides_the_window_and_shows_it_where_it_was(
    desk: Desk, hands: Hands, panel: TrayHost, surrounded: Surrounded
) -> None:
    stage, around = surrounded()
    place = stage.window.geometry()
    in_panel(stage, around, desk)
    click_icon(hands)
    stage.wait(stage.window.isHidden, "the window hidden")
    stage.pump(QApplication.doubleClickInterval() + 50)
    click_icon(hands)
    stage.wait(stage.window.isVisible, "the window shown")
    stage.wait(lambda: stage.window.geometry() == place, "the window at its place")


def test_the_menu_pauses_goes_on_and_stops(
    desk: Desk, panel: TrayHost, hands: Hands, surrounded: Surrounded
) -> None:
    stage, around = surrounded()
    in_panel(stage, around, desk)
    assert not around.tray.stop.isEnabled() and not around.tray.pause.isEnabled()
    stage.play(Status(state="executing"))
    choose(stage, hands, around, "Pause")
    stage.play(Status(state="paused"))
    choose(stage, hands, around, "Go on")
    choose(stage, hands, around, "Stop")
    assert [call[0] for call in stage.port.told] == ["pause", "resume", "stop"]


def test_closing_keeps_the_window_in_the_tray_when_wanted_and_stops_what_runs(
    desk: Desk, panel: TrayHost, hands: Hands, surrounded: Surrounded
) -> None:
    stage, around = surrounded(keep_in_tray=True)
    in_panel(stage, around, desk)
    stage.play(Status(state="executing"))
    hands.click(stage.window.header.close_button)
    stage.wait(stage.window.isHidden, "the window hidden")
    assert stage.told("stop") == [("stop", "the window was closed")] and not stage.told("quit")
    OutsideRequests(stage.window, stage.port, None).answer("show")  # what a second start does
    stage.wait(stage.window.isVisible, "the window of the first start")


def test_closing_ends_as_ever_without_that_wish(desk: Desk, panel: TrayHost, surrounded: Surrounded) -> None:
    stage, around = surrounded()
    in_panel(stage, around, desk)
    ends(stage, around)


def ends(stage: Stage, around: Around) -> None:
    """The window closes, Qt may end with it, and it does not come back."""
    QApplication.setQuitOnLastWindowClosed(True)
    around.look_every(20)
    assert stage.window.close()
    stage.pump(100)
    assert stage.window.isHidden() and QApplication.quitOnLastWindowClosed()


def test_closing_ends_where_there_is_no_tray(surrounded: Surrounded) -> None:
    stage, around = surrounded(keep_in_tray=True)
    assert not around.tray.there
    ends(stage, around)


def test_hiding_without_a_tray_minimises(stage: Stage, surrounded: Surrounded) -> None:
    other, around = surrounded()
    around.hide()
    other.wait(other.window.isMinimized, "the window small")
    assert not other.window.isHidden()


def test_quit_ends_a_window_that_is_kept(
    desk: Desk, panel: TrayHost, hands: Hands, surrounded: Surrounded, monkeypatch: pytest.MonkeyPatch
) -> None:
    stage, around = surrounded(keep_in_tray=True)
    in_panel(stage, around, desk)
    ended: list[bool] = []
    monkeypatch.setattr(QApplication, "quit", lambda: ended.append(True))
    choose(stage, hands, around, "Quit")
    stage.wait(lambda: ended, "the end of the program")
    assert stage.told("stop") and not around.tray.isVisible()


def test_a_quiet_start_stays_in_the_tray_and_a_question_brings_the_window(
    panel: TrayHost, terminal: str, desk: Desk, surrounded: Surrounded
) -> None:
    stage, _ = surrounded(keep_in_tray=True, hidden=True)
    assert stage.window.isHidden()
    stage.play(Status(state="waiting_for_user"), Question(text="Which?"))
    stage.wait(stage.window.isVisible, "the window with the question")
    stage.pump(100)
    assert desk.wait_for_window(terminal)  # it still has the keyboard


def test_only_what_is_wanted_on_top_is_and_a_change_of_it_brings_no_hidden_window(
    desk: Desk, panel: TrayHost, surrounded: Surrounded
) -> None:
    top = Qt.WindowType.WindowStaysOnTopHint
    own, around = surrounded(on_top=False)
    in_panel(own, around, desk)
    around.show_licences()
    assert around.opened is not None and not around.opened.windowFlags() & top
    around.opened.close()
    around.hide()
    own.window.use_settings(Config())
    assert own.window.windowFlags() & top and own.window.isHidden()
    around.show_licences()
    assert around.opened is not None and around.opened.windowFlags() & top
    around.opened.close()


def test_a_quiet_start_without_a_tray_shows_the_window(surrounded: Surrounded) -> None:
    stage, _ = surrounded(keep_in_tray=True, hidden=True)
    assert stage.window.isVisible()


def test_a_window_whose_tray_goes_comes_back(desk: Desk, surrounded: Surrounded) -> None:
    host = TrayHost(desk.environment)
    stage, around = surrounded(keep_in_tray=True)
    in_panel(stage, around, desk)
    stage.window.close()
    assert stage.window.isHidden()
    host.close()
    around.look_every(20)
    stage.wait(stage.window.isVisible, "the window back")


def test_licences_and_logs_are_one_click_away_and_closing_them_ends_nothing(
    desk: Desk, panel: TrayHost, hands: Hands, surrounded: Surrounded
) -> None:
    stage, around = surrounded()
    in_panel(stage, around, desk)
    choose(stage, hands, around, "Licences")
    opened = around.opened
    assert opened is not None
    stage.wait(lambda: opened.text.toPlainText() == "all licences", "the licences read")
    stage.wait(lambda: opened.windowHandle().isExposed(), "the licences")
    hands.click(opened.close_button)
    stage.wait(lambda: around.opened is None, "the licences closed")
    names = [action.text() for action in stage.window.header.menu.actions()]
    assert "Licences" in names and "Open the logs folder" in names and names[-1] == "Close Desktop Agent"


class Crashed:
    """Reports of a crash, in memory."""

    def __init__(self, text: str) -> None:
        self._text, self.calls = text, list[str]()

    def text(self) -> str:
        return self._text

    def told(self) -> None:
        self.calls.append("told")

    def delete(self) -> None:
        self.calls.append("delete")


@pytest.mark.parametrize(("button", "calls"), [("Keep it", ["told"]), ("Delete it", ["delete", "told"])])
def test_after_a_crash_the_report_is_shown_whole_and_the_user_decides(
    hands: Hands, surrounded: Surrounded, qapp: QApplication, button: str, calls: list[str]
) -> None:
    report = "<b>ValueError</b>: what happened\n  in the main thread"
    crashes = Crashed(report)
    stage, around = surrounded(crashes=crashes)
    stage.wait(lambda: around.asking, "the question")
    asking = around.asking
    assert asking is not None and asking.text.toPlainText() == report
    stage.wait(lambda: asking.windowHandle().isExposed(), "the question shown")
    assert "nothing is sent" in asking.intro.text() and crashes.calls == []
    hands.click(next(each for each in asking.findChildren(Button) if each.text() == "Copy it"))
    stage.wait(lambda: qapp.clipboard().text() == report, "the report on the clipboard")
    hands.click(next(each for each in asking.findChildren(Button) if each.text() == button))
    stage.wait(lambda: crashes.calls == calls, "what the user chose")
    assert stage.window.isVisible()


def test_without_a_crash_nothing_is_asked(surrounded: Surrounded) -> None:
    stage, around = surrounded(crashes=Crashed(""))
    stage.pump(100)
    assert around.asking is None
