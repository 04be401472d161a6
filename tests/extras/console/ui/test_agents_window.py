"""A person looks after agents in the window: makes, starts, tells, stops, renames, deletes and restores them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from desktop_agent.extras.console.agents.agent_folders import AgentFolders
from desktop_agent.extras.console.agents.roster import Roster
from desktop_agent.extras.console.ui.agent_words import STATES
from desktop_agent.extras.console.ui.agents_window import AgentsWindow
from desktop_agent.extras.console.ui.open_agents import open_agents
from desktop_agent.support.paths import private_folder, write_private
from desktop_agent.ui.background_work import wait_for_background
from desktop_agent.ui.shell.question_dialog import QuestionDialog
from tests.agent.test_run_loop import DONE, turn
from tests.extras.console.agents.test_roster import LOGIN, Building
from tests.extras.console.ui.agents_stage import OneRoster
from tests.support.recorded_run import desktop_picture
from tests.ui.conftest import Stage

RISKY = turn({"op": "open", "target": "xterm"})
Open = Callable[..., AgentsWindow]


@pytest.fixture
def data(tmp_path: Path) -> AgentFolders:
    return AgentFolders(tmp_path / "data")


@pytest.fixture
def agents_of(stage: Stage, data: AgentFolders, qapp: QApplication) -> Iterator[Open]:
    rosters: list[OneRoster] = []

    def open_them(*answers: str, permission: str = "full") -> AgentsWindow:
        building = Building(*answers, permission=permission)  # type: ignore[arg-type]
        rosters.append(OneRoster(Roster(data, building)))
        window = open_agents(stage.window, rosters[-1])
        stage.wait(lambda: window._roster is not None and not window._busy, "the agents listed")
        return window

    yield open_them
    for each in stage.window.findChildren(AgentsWindow):
        each.close()
    for at_hand in rosters:
        at_hand.close()
    wait_for_background()
    qapp.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    qapp.processEvents()


def named(window: AgentsWindow) -> dict[str, str]:
    return {each.name: each.state for each in window.table.rows}


def choose(window: AgentsWindow, name: str) -> None:
    window.view.selectRow([each.name for each in window.table.rows].index(name))


def dialog_of(stage: Stage, window: AgentsWindow) -> QuestionDialog:
    stage.wait(lambda: any(each.isVisible() for each in window.findChildren(QuestionDialog)), "the question")
    return next(each for each in window.findChildren(QuestionDialog) if each.isVisible())


def test_one_is_made_told_and_works_and_is_stopped(stage: Stage, agents_of: Open, data: AgentFolders) -> None:
    window = agents_of(DONE)
    assert window.empty.isVisible() and not window.view.isVisible()
    window.create_.click()
    dialog = dialog_of(stage, window)
    QTest.keyClicks(dialog.line, "alice")
    QTest.keyClick(dialog.line, Qt.Key.Key_Return)
    stage.wait(lambda: named(window) == {"alice": "stopped"}, "the agent made")
    assert [each.name for each in data.agents()] == ["alice"]
    QTest.keyClicks(window.words, "say hello")
    QTest.keyClick(window.words, Qt.Key.Key_Return)
    stage.wait(
        lambda: named(window) == {"alice": "waiting"} and window.table.rows[0].goal != "",
        "its goal reached",
    )
    assert window.table.rows[0].goal == "say hello" and window.words.text() == ""
    assert window.run.text() == "Stop"
    window.run.click()
    stage.wait(lambda: named(window) == {"alice": "stopped"}, "its end")


def test_whoever_needs_a_human_stands_first_and_says_what_for(
    stage: Stage, agents_of: Open, data: AgentFolders
) -> None:
    for name in ("a", "b"):
        data.create(name)
    window = agents_of(LOGIN, DONE)
    stage.wait(lambda: len(window.table.rows) == 2, "both")
    choose(window, "b")
    QTest.keyClicks(window.words, "read my mail")
    window.say.click()
    stage.wait(lambda: next(iter(named(window).items())) == ("b", "needs_human"), "b first")
    assert window.chosen is not None and window.chosen.name == "b", "the choice stays with the agent"
    assert "Please sign in." in window.detail.text() and "Open its screen" in window.detail.text()
    assert window.browser.isEnabled()


@pytest.mark.parametrize("yes", [True, False])
def test_what_it_asks_is_answered_by_yes_and_no(
    stage: Stage, agents_of: Open, data: AgentFolders, yes: bool
) -> None:
    data.create("a")
    window = agents_of(RISKY, DONE, permission="restricted")
    stage.wait(lambda: named(window) == {"a": "stopped"}, "the agent")
    QTest.keyClicks(window.words, "press it")
    window.say.click()
    stage.wait(lambda: window.yes.isVisible(), "what it asks")
    assert named(window) == {"a": "asking"} and window.detail.text()
    (window.yes if yes else window.no).click()
    stage.wait(lambda: named(window) == {"a": "waiting"}, "the end of its run")
    assert not window.yes.isVisible()


def test_one_that_runs_elsewhere_says_so_and_cannot_be_worked(
    stage: Stage, agents_of: Open, data: AgentFolders
) -> None:
    data.create("a")
    other = Roster(data, Building(DONE))
    other.start("a")
    try:
        window = agents_of(DONE)
        stage.wait(lambda: named(window) == {"a": "elsewhere"}, "that it runs elsewhere")
        assert "stop it there first" in window.detail.text()
        assert not any(each.isEnabled() for each in (window.run, window.say, window.words, window.browser))
        menu = window._menu()
        assert not any(each.isEnabled() for each in menu.actions() if each.text() in ("Rename …", "Delete …"))
        other.stop("a")
        stage.wait(lambda: named(window) == {"a": "stopped"}, "that it was stopped there")
    finally:
        other.close()


def test_one_is_renamed_deleted_and_brought_back(stage: Stage, agents_of: Open, data: AgentFolders) -> None:
    data.create("a")
    window = agents_of(DONE)
    stage.wait(lambda: named(window) == {"a": "stopped"}, "the agent")
    window._ask_for_new_name()
    dialog = dialog_of(stage, window)
    assert dialog.line.text() == "a"
    dialog.line.setText("b")
    dialog.yes.click()
    stage.wait(lambda: list(named(window)) == ["b"], "its new name")
    window.view.setFocus()
    QTest.keyClick(window.view, Qt.Key.Key_Delete)
    dialog = dialog_of(stage, window)
    assert dialog.no.isDefault()
    dialog.yes.click()
    stage.wait(lambda: not window.table.rows, "it gone")
    (place,) = data.trashed()
    next(each for each in window._menu().actions() if place in each.text()).trigger()
    stage.wait(lambda: list(named(window)) == ["b"], "it back")


def test_what_is_refused_is_told(stage: Stage, agents_of: Open, data: AgentFolders) -> None:
    data.create("a")
    window = agents_of(DONE)
    window._create("a")
    stage.wait(lambda: "a" in window.note.text(), "why it is refused")
    window._create("../a")
    stage.wait(
        lambda: ".." in window.note.text() or "name" in window.note.text().lower(), "why it is refused"
    )
    assert [each.name for each in data.agents()] == ["a"]


def test_its_last_picture_is_shown_and_the_next_one_too(
    stage: Stage, agents_of: Open, data: AgentFolders
) -> None:
    place = data.create("a").screenshot
    window = agents_of(DONE)
    assert window.picture.image.isNull()
    private_folder(place.parent)
    write_private(place, desktop_picture(1, (960, 540)))
    window.refresh()
    stage.wait(lambda: window.picture.image.width() == 960, "the picture")
    write_private(place, desktop_picture(2, (480, 270)))
    stage.wait(lambda: window.picture.image.width() == 480, "the next one, unasked")


def test_closing_the_window_ends_no_agent(stage: Stage, agents_of: Open, data: AgentFolders) -> None:
    data.create("a")
    window = agents_of(DONE)
    stage.wait(lambda: named(window) == {"a": "stopped"}, "the agent")
    roster = window._roster
    assert roster is not None
    window.run.click()
    stage.wait(lambda: named(window) == {"a": "waiting"}, "it started")
    window.close()
    assert roster.agent("a").state == "waiting" and not roster._listeners


def test_every_state_has_words() -> None:
    from typing import get_args

    from desktop_agent.extras.console.agents.roster import AgentState

    assert set(STATES) == set(get_args(AgentState))
