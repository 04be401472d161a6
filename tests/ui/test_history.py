"""A person looks at earlier runs: finds one, plays it, has it run again, continued, exported or deleted."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtGui import QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

from desktop_agent.protocol import agent_events as say
from desktop_agent.protocol.geometry import Point
from desktop_agent.support.language import use_language
from desktop_agent.ui.background_work import wait_for_background
from desktop_agent.ui.history.history_window import HistoryWindow, open_history, open_run
from desktop_agent.ui.history.player_window import PlayerWindow
from desktop_agent.ui.shell.question_dialog import QuestionDialog
from tests.support.recorded_run import RecordedRun, recorded
from tests.ui.conftest import Stage
from tests.ui.hands import Hands

PLAYED, CUT = "20261105-120000-00000000000000a5", "20261104-120000-00000000000000a4"
GOAL = "Send the form with {{secret:1}}"


@pytest.fixture
def runs(tmp_path: Path) -> Path:
    place = tmp_path / "runs"
    cut = RecordedRun(place, CUT)
    cut.begin("Sort the mails")
    cut.feed.emit(say.Status(state="stopped", detail="you pressed Esc"))
    cut.close()
    run = RecordedRun(place, PLAYED)
    run.begin(GOAL)
    run.click(480, 270)
    run.drag(Point(192, 108), Point(960, 540))
    run.done()
    run.close()
    return place


@pytest.fixture(autouse=True)
def all_closed(qapp: QApplication) -> Iterator[None]:
    yield
    for each in qapp.topLevelWidgets():
        if isinstance(each, HistoryWindow | PlayerWindow):
            each.close()
    wait_for_background()
    qapp.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    qapp.processEvents()


@pytest.fixture
def listed(stage: Stage, runs: Path) -> HistoryWindow:
    history = open_history(stage.window, runs, stage.port)
    stage.wait(lambda: len(history.table.rows) == 2 and history.isActiveWindow(), "the runs listed")
    return history


@pytest.fixture
def player(stage: Stage, runs: Path) -> PlayerWindow:
    return ready(stage, open_run(stage.window, runs / PLAYED, stage.port))


def ready(stage: Stage, player: PlayerWindow) -> PlayerWindow:
    stage.wait(lambda: player.shown == 0 and not player.picture.image.isNull(), "the run shown")
    return player


def players(stage: Stage) -> list[PlayerWindow]:
    return stage.window.findChildren(PlayerWindow)


def cell(history: HistoryWindow, row: int) -> tuple[QWidget, QPoint]:
    return history.view.viewport(), history.view.visualRect(history.table.index(row, 1)).center()


# ---- the list ----------------------------------------------------------------------------------


def test_typing_finds_runs(stage: Stage, listed: HistoryWindow, hands: Hands) -> None:
    stage.wait(lambda: hands.writes_here() and listed.words.hasFocus(), "the keyboard in the search")
    hands.type("mails")
    stage.wait(lambda: [run.name for run in listed.table.rows] == [CUT], "the run found")
    hands.type(" xyz")
    stage.wait(lambda: not listed.table.rows and listed.empty.isVisible(), "nothing found, and said")
    assert not listed.open.isEnabled()


def test_outcome_and_application_narrow_the_list(stage: Stage, listed: HistoryWindow) -> None:
    stage.wait(lambda: listed.application.count() == 3, "the applications offered")
    listed.outcome.setCurrentText("Stopped")
    stage.wait(lambda: [run.name for run in listed.table.rows] == [CUT], "the stopped run")
    listed.outcome.setCurrentIndex(0)
    listed.application.setCurrentText("mousepad")
    stage.wait(lambda: len(listed.table.rows) == 2, "both runs")
    listed.cost.setCurrentText("Up to $0.10")
    stage.wait(lambda: [run.name for run in listed.table.rows] == [PLAYED], "the one whose cost is known")


def test_long_words_keep_apart_from_the_next_column(stage: Stage, runs: Path) -> None:
    use_language("de")
    try:
        head = open_history(stage.window, runs, stage.port).view.horizontalHeader()
    finally:
        use_language("en")
    stage.wait(lambda: head.isVisible() and head.sectionSize(6) > 0, "the list")
    picture = head.grab().toImage()
    ratio = picture.devicePixelRatio()
    for section in range(1, 7):
        edge = head.sectionViewportPosition(section)
        beside = {column(picture, round((edge + at) * ratio)) for at in range(-8, -2)}
        assert len(beside) == 1, f"letters before column {section}"


def column(picture: QImage, x: int) -> tuple[int, ...]:
    return tuple(picture.pixel(x, y) for y in range(picture.height()))


def test_a_double_click_opens_the_run(stage: Stage, listed: HistoryWindow, hands: Hands) -> None:
    viewport, place = cell(listed, 1)
    hands.point(viewport, place)
    for _ in range(2):
        hands.press()
        hands.release()
    stage.wait(lambda: players(stage), "the player")
    stage.wait(lambda: players(stage)[0].story.name == CUT and players(stage)[0].shown >= 0, "that run in it")


def test_enter_opens_and_delete_asks(stage: Stage, listed: HistoryWindow) -> None:
    listed.view.setFocus()
    QTest.keyClick(listed.view, Qt.Key.Key_Down)
    QTest.keyClick(listed.view, Qt.Key.Key_Return)
    stage.wait(lambda: players(stage) and players(stage)[0].story.name == CUT, "the player")
    QTest.keyClick(listed.view, Qt.Key.Key_Delete)
    question = listed.findChild(QuestionDialog)
    assert question is not None and CUT in question.words.text() and "Sort the mails" in question.words.text()
    question.close()


def test_only_a_yes_deletes(stage: Stage, listed: HistoryWindow, runs: Path, hands: Hands) -> None:
    listed.view.selectRow(1)
    question = listed.actions_.ask_to_delete(CUT, "Sort the mails")
    stage.wait(question.isActiveWindow, "the question")
    assert question.no.isDefault(), "Enter deletes nothing"
    question.no.click()
    assert (runs / CUT).is_dir()
    again = listed.actions_.ask_to_delete(CUT, "Sort the mails")
    stage.wait(again.isActiveWindow, "the question again")
    hands.click(again.yes)
    stage.wait(lambda: [run.name for run in listed.table.rows] == [PLAYED], "the run gone from the list")
    assert not (runs / CUT).exists()


def test_what_is_wrong_with_a_run_is_told(stage: Stage, runs: Path) -> None:
    with (runs / PLAYED / "events.jsonl").open("ab") as log:
        log.write(b"torn")
    (runs / "holiday").mkdir()
    history = open_history(stage.window, runs, stage.port)
    stage.wait(lambda: len(history.table.rows) == 3, "all listed")
    history.view.selectRow(0)
    stage.wait(lambda: "torn" in history.trouble.text(), "the torn line told")


def test_run_again_only_fills_the_input(stage: Stage, listed: HistoryWindow) -> None:
    listed.view.selectRow(0)
    listed.again.click()
    assert stage.window.composer.input.toPlainText() == "Send the form with {{secret:earlier-1}}"
    assert stage.told("send") == []


def test_continue_goes_on_with_a_run_that_was_cut_short(
    stage: Stage, listed: HistoryWindow, runs: Path
) -> None:
    listed.view.selectRow(0)
    assert not listed.go_on.isEnabled(), "it is done"
    listed.view.selectRow(1)
    listed.go_on.click()
    assert stage.told("resume_run") == [("resume_run", str(runs / CUT))]
    stage.play(say.Goal(text="another"), say.Status(state="planning"))
    listed.go_on.click()
    assert len(stage.told("resume_run")) == 1, "one is under way"
    assert "under way" in listed.note.text()


def test_the_list_is_opened_once(stage: Stage, listed: HistoryWindow, runs: Path) -> None:
    assert open_history(stage.window, runs, stage.port) is listed


# ---- the player --------------------------------------------------------------------------------


def test_keys_step_through_the_run(stage: Stage, player: PlayerWindow, hands: Hands) -> None:
    stage.wait(
        lambda: player.isActiveWindow() and hands.writes_here() and player.slider.hasFocus(), "the keyboard"
    )
    for key, shown in (
        ("right", 1),
        ("right", 2),
        ("left", 1),
        ("end", 6),
        ("right", 6),
        ("home", 0),
        ("left", 0),
    ):
        hands.chord(key)
        stage.wait(partial(_shows, player, shown), f"moment {shown} after {key}")
    assert player.moment.words.text() == "Send the form with {{secret:1}}"


def _shows(player: PlayerWindow, number: int) -> bool:
    return player.shown == number


def test_a_click_and_a_drag_are_marked_with_their_evidence(stage: Stage, player: PlayerWindow) -> None:
    player.step(3)
    assert (
        player.moment.heading.text() == "ACTION 1" and player.moment.exact.text() == "click(left) at 480,270"
    )
    assert player.picture.marked[0] == pytest.approx((0.25, 0.25), abs=0.001)
    assert [each.detail for each in player.moment.receipts.shown] == ["“Send” is pressed"]
    player.step(1)
    assert player.picture.marked[1] == pytest.approx((0.5, 0.5), abs=0.002)
    assert player.moment.cost.text() == "1 step · 900 tokens · $0.01"
    player.step(1)
    assert player.moment.heading.text() == "PLAN"
    player.step(1)
    assert player.picture.marked == (None, None) and player.moment.heading.text() == "DONE"


def test_the_mark_is_painted_where_it_was_clicked(stage: Stage, player: PlayerWindow) -> None:
    player.step(3)
    stage.pump(50)
    red = player._theme.color("stop")

    def is_red(image: QImage, x: int, y: int) -> bool:
        found = image.pixelColor(x, y)
        return abs(found.red() - red.red()) < 60 and found.green() < 110

    image = player.picture.grab().toImage()
    place = player.picture._place()
    ratio = image.width() / player.picture.width()
    x, y = (place.x() + place.width() * 0.25) * ratio, (place.y() + place.height() * 0.25) * ratio
    ring = [(round(x + 15 * ratio), round(y)), (round(x), round(y + 15 * ratio))]
    assert all(any(is_red(image, a + n, b + m) for n in (-1, 0, 1) for m in (-1, 0, 1)) for a, b in ring)


def test_the_slider_is_dragged(stage: Stage, player: PlayerWindow, hands: Hands) -> None:
    slider = player.slider
    hands.point(slider, QPoint(12, slider.height() // 2))
    hands.press()
    hands.point(slider, QPoint(slider.width() - 3, slider.height() // 2))
    hands.release()
    stage.wait(lambda: player.shown == 6, "the end")
    assert slider.accessibleDescription() == "Step 7 of 7"


def test_it_plays_to_the_end_and_begins_anew(stage: Stage, player: PlayerWindow) -> None:
    player.speeds[2].click()
    player.play.click()
    assert player.playing and player.play.text() == "Pause"
    stage.wait(lambda: player.shown == 6 and not player.playing, "played to its end")
    player.play.click()
    assert player.playing and player.shown == 0
    player.play.click()
    assert not player.playing


def test_pictures_come_with_their_moments(stage: Stage, player: PlayerWindow) -> None:
    first = player.picture.image
    player.step(99)
    stage.wait(lambda: player.picture.image != first, "the last picture")
    for name in (runs_frames := player._folder / "frames").iterdir():
        name.unlink()
    assert runs_frames.is_dir()


def test_a_run_without_pictures_says_so(stage: Stage, runs: Path) -> None:
    for each in (runs / PLAYED / "frames").iterdir():
        each.unlink()
    player = open_run(stage.window, runs / PLAYED, stage.port)
    stage.wait(lambda: player.shown == 0 and not player.picture._waiting, "the run shown")
    assert player.picture.image.isNull()


def test_an_unreadable_run_is_told(stage: Stage, runs: Path) -> None:
    (runs / PLAYED / "events.jsonl").unlink()
    player = open_run(stage.window, runs / PLAYED, stage.port)
    stage.wait(lambda: player.trouble.isVisible(), "what is wrong")
    assert not player.play.isEnabled() and not player.again.isEnabled()


def test_a_run_is_exported_from_the_player(stage: Stage, player: PlayerWindow, tmp_path: Path) -> None:
    menu = player.actions_.export_menu(PLAYED)
    assert [action.text().split(" – ")[0] for action in menu.actions()] == [
        "Page", "Video", "Conversation", "Failure report",
    ]  # fmt: skip
    page = tmp_path / "run.html"
    player.actions_.export(PLAYED, "html", page)
    stage.wait(lambda: player.note.text().startswith("Written to"), "the page written")
    assert page.read_text("utf-8").startswith("<!doctype html>")
    player.actions_.export(PLAYED, "html", tmp_path / "none" / "run.html")
    stage.wait(lambda: "does not exist" in player.note.text(), "why it was not")


def test_the_ending_shows_what_happened(stage: Stage, runs: Path, hands: Hands) -> None:
    stage.play(
        say.Goal(text="x"), say.Recording(path=str(runs / PLAYED)), say.GoalReached(summary="Sent.", verdict="verified"),
        say.Status(state="done"),
    )  # fmt: skip
    button = stage.window.body.ending.replay
    stage.wait(button.isVisible, "the button")
    hands.click(button)
    stage.wait(lambda: players(stage) and players(stage)[0].shown == 0, "that run")


def test_what_was_read_when_the_window_closed_is_not_shown(
    stage: Stage, runs: Path, qapp: QApplication
) -> None:
    player = open_run(stage.window, recorded(runs, 60), stage.port)
    wait_for_background()
    player.close()
    qapp.processEvents()  # what was read arrives, then the window is deleted
    assert not player.story.moments
    history = open_history(stage.window, runs, stage.port)
    wait_for_background()
    history.close()
    qapp.processEvents()
    assert not history.table.rows


def test_narrow_windows_put_the_words_below(stage: Stage, player: PlayerWindow) -> None:
    player.resize(1100, 700)
    stage.pump(20)
    assert player.side.x() > player.picture.x() + player.picture.width()
    player.resize(720, 700)
    stage.wait(lambda: player.side.y() > player.picture.y() + player.picture.height() - 1, "the words below")
