"""Commands of environments in the window: cards in the chat, and the panel of what the environments show."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QApplication, QPlainTextEdit

from desktop_agent.protocol.agent_events import (
    MOST_OUTPUT,
    Action,
    EnvironmentsShown,
    FeedEvent,
    Goal,
    GoalReached,
    Note,
    Result,
    Status,
)
from desktop_agent.ui.chat.command_card import CommandCard
from desktop_agent.ui.panels.activity_feed import ActivityRowView
from desktop_agent.ui.panels.body import MOST_LINES
from tests.ui import scenes
from tests.ui.conftest import Stage
from tests.ui.hands import Hands

MANY = "\n".join(f"line {n}" for n in range(1, 41))


def began(number: int, command: str) -> Action:
    words = "Running a command in bash"
    return Action(number=number, op="run", words=words, exact=f"run(bash, {command!r})", environment="bash", command=command)  # fmt: skip


def ended(number: int, output: str, **more: str) -> Result:
    given = {"outcome": "done", "words": "Ran a command in bash", **more}
    return Result(number=number, seconds=0.4, output=output, **given)  # type: ignore[arg-type]


def cards(stage: Stage) -> list[CommandCard]:
    return [each for each in stage.window.body.chat.cards() if each.isVisible()]


def texts(card: CommandCard) -> tuple[str, str]:
    """The command and what it printed, as they are shown; "" for what is hidden."""
    shown = ("\n".join(text.toPlainText() for text in part.texts) for part in (card.command, card.output))
    command, output = shown
    return command, output if card.output.isVisible() else ""


def played(stage: Stage, *events: FeedEvent) -> CommandCard:
    stage.play(Goal(text="do it"), Status(state="executing"), *events)
    stage.wait(lambda: cards(stage), "the card")
    return cards(stage)[-1]


def test_a_command_stands_below_the_thought_and_not_in_the_list_of_actions(stage: Stage) -> None:
    card = played(stage, Note(text="I look."), began(1, "ls -al"))
    assert texts(card) == ("ls -al", "") and "under way" in card.accessibleName()
    stage.play(ended(1, "total 0\n"), Note(text="I see."))
    stage.wait(lambda: texts(card) == ("ls -al", "total 0"), "what it printed")
    assert card.accessibleName() == "Command in bash: ls -al, done, 0.4 s"
    above, below = (each.mapTo(stage.window, QPoint(0, 0)).y() for each in stage.window.body.chat.views()[1:])
    assert above < card.mapTo(stage.window, QPoint(0, 0)).y() < below
    assert not stage.window.body.activity.isVisible()
    stage.play(
        Action(number=2, op="click", words="Click", exact="click"),
        Result(number=2, outcome="done", words="Clicked"),
    )
    stage.wait(stage.window.body.activity.isVisible, "the other action")
    rows = stage.window.body.activity.findChildren(ActivityRowView)
    assert [each.accessibleName().partition(":")[0] for each in rows] == ["Action 2"]
    stage.play(GoalReached(summary="Done."), Status(state="done"), Goal(text="again"))
    assert [texts(each)[0] for each in cards(stage)] == ["ls -al"], "also of an earlier run"


def test_a_long_output_is_folded_and_shown_whole(stage: Stage, hands: Hands) -> None:
    card = played(stage, began(1, "seq 40"), ended(1, MANY))
    assert texts(card)[1] == "line 1\nline 2\nline 3\nline 4\nline 5\nline 6 …"
    assert card.output.more.text() == "Show all 40 lines" and not card.command.more.isVisible()
    hands.click(card.output.more)
    stage.wait(lambda: texts(card)[1] == MANY, "all of it")
    stage.wait(lambda: card.height() >= card.heightForWidth(card.width()), "room for all")
    hands.click(card.output.more)
    stage.wait(lambda: texts(card)[1].endswith("line 6 …"), "folded again")


def test_what_failed_shows_its_end_and_why(stage: Stage) -> None:
    card = played(stage, began(1, "make"), ended(1, MANY, outcome="failed", detail="Exit code 2."))
    shown = texts(card)[1]
    assert shown.startswith("… line 35") and shown.endswith("line 40")
    assert "failed, Exit code 2." in card.accessibleName()
    stage.play(began(2, "make"), ended(2, "No rule.\nSo no.", outcome="failed", detail="No rule."))
    stage.wait(lambda: len(cards(stage)) == 2, "the other")
    assert cards(stage)[1].accessibleName() == "Command in bash: make, failed, 0.4 s", "said once"


def test_a_very_long_command_is_whole_when_unfolded_and_says_when_output_is_not(stage: Stage) -> None:
    script = "\n".join(f"echo line {n}" for n in range(4_000))
    card = played(stage, began(1, script), ended(1, "x" * MOST_OUTPUT))
    assert len(texts(card)[0]) < 500 and texts(card)[1].startswith("…xxx")
    card.command.more.click()
    stage.wait(lambda: texts(card)[0] == script, "all of it")
    stage.wait(lambda: stage.window.width() == 400 or stage.window.width() < 500, "no stretching")


def test_nothing_in_them_is_markup_or_unseen(stage: Stage) -> None:
    evil = "<b>bold</b> \x1b[31m \u202egnp.exe\u200b"
    card = played(stage, began(1, evil), ended(1, evil), EnvironmentsShown(text=evil))
    shown = "<b>bold</b> ‹ESC›[31m ‹U+202E›gnp.exe‹U+200B›"
    assert texts(card) == (shown, shown)
    assert stage.window.body.environments.text.toPlainText() == shown
    assert "\u202e" not in card.accessibleName() + card.accessibleDescription()


def test_a_command_is_copied_as_it_is(stage: Stage, hands: Hands, qapp: QApplication) -> None:
    command = "printf 'a\tb' # \u202e\n"
    card = played(stage, began(1, command), ended(1, "a\tb\n"))
    hands.click(card.copy)
    stage.wait(lambda: qapp.clipboard().text() == command, "the command")
    menu = stage.window.body.chat.deeds.open_command_menu(card, card.mapToGlobal(QPoint(20, 20)))
    actions = {each.text(): each for each in menu.actions()}
    assert list(actions) == ["Copy the command", "Copy what it printed"]
    actions["Copy what it printed"].trigger()
    assert qapp.clipboard().text() == "a\tb\n"
    menu.close()
    card.output.texts[0].selectAll()
    assert card.busy
    menu = stage.window.body.chat.deeds.open_command_menu(card, card.mapToGlobal(QPoint(20, 20)))
    menu.actions()[0].trigger()
    assert qapp.clipboard().text() == "a    b"
    menu.close()


def test_commands_are_reached_with_the_keyboard(stage: Stage, hands: Hands, qapp: QApplication) -> None:
    played(stage, Note(text="First."), began(1, "ls"), ended(1, MANY), Note(text="Last."))
    card, chat = cards(stage)[0], stage.window.body.chat
    stage.wait(lambda: [each.message.text for each in chat.views()][-1] == "Last.", "the last message")
    stage.wait(hands.writes_here, "the window active")
    chat.views()[-1].setFocus(Qt.FocusReason.TabFocusReason)
    hands.chord("up")
    stage.wait(card.hasFocus, "the command")
    hands.chord("ctrl", "c")
    stage.wait(lambda: qapp.clipboard().text() == "ls", "the copy")
    hands.chord("tab")
    stage.wait(card.copy.hasFocus, "its button")
    hands.chord("tab")
    stage.wait(card.output.more.hasFocus, "the other button")
    hands.type(" ")
    stage.wait(lambda: texts(card)[1] == MANY, "unfolded")


# ---- what the environments show ------------------------------------------------------------------


def test_the_panel_is_there_with_environments_alone_and_kept_up_to_date(stage: Stage) -> None:
    stage.play(*scenes.running())
    panel = stage.window.body.environments
    assert not panel.isVisible()
    stage.play(EnvironmentsShown(text="[bash]\n$"))
    stage.wait(panel.isVisible, "the panel")
    low = panel.text.height()
    stage.play(EnvironmentsShown(text="[bash]\n" + MANY))
    stage.wait(lambda: panel.text.toPlainText().endswith("line 40"), "the newer text")
    line = low / 2
    stage.wait(lambda: abs(panel.text.height() - MOST_LINES * line) <= 2, "as high as it gets")
    bar = panel.text.verticalScrollBar()
    bar.setValue(5)
    stage.play(EnvironmentsShown(text="[bash] 2\n" + MANY))
    stage.wait(lambda: "[bash] 2" in panel.text.toPlainText(), "the newest text")
    assert bar.value() == 5, "at the same place"
    stage.play(GoalReached(summary="Done."), Status(state="done"))
    assert panel.isVisible()
    stage.play(Goal(text="another"), Status(state="planning"))
    stage.wait(lambda: not panel.isVisible(), "none of the run before")


def test_words_that_are_selected_in_it_stay_until_they_are_let_go(stage: Stage, qapp: QApplication) -> None:
    stage.play(*scenes.running(), EnvironmentsShown(text="first"))
    text: QPlainTextEdit = stage.window.body.environments.text
    text.selectAll()
    text.copy()
    stage.play(EnvironmentsShown(text="second"), EnvironmentsShown(text="third"))
    assert text.toPlainText() == "first" and qapp.clipboard().text() == "first"
    cursor = text.textCursor()
    cursor.clearSelection()
    text.setTextCursor(cursor)
    stage.wait(lambda: text.toPlainText() == "third", "the newest")


def test_the_heading_folds_the_panel_and_the_next_start_remembers_it(
    opened: Callable[..., Stage], hands: Hands
) -> None:
    first = opened()
    first.play(*scenes.commands())
    panel = first.window.body.environments
    first.wait(panel.text.isVisible, "the panel")
    first.window.body.area.ensureWidgetVisible(panel.heading)
    assert panel.heading.accessibleName() == "Screen of the environments, expanded"
    hands.click(panel.heading)
    first.wait(lambda: not panel.text.isVisible(), "the heading alone")
    first.play(EnvironmentsShown(text="other"))
    assert panel.isVisible() and not panel.text.isVisible()
    first.window.close()
    again = opened()
    again.play(*scenes.commands())
    again.wait(again.window.body.environments.isVisible, "the panel")
    heading = again.window.body.environments.heading
    assert not again.window.body.environments.text.isVisible()
    assert heading.accessibleName() == "Screen of the environments, collapsed"
