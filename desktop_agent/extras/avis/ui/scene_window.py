"""The window of a simulated desktop: its live picture, its goals with ticks, its looks and faults."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Literal, TypeAlias

import msgspec
from PySide6.QtCore import QSize, Qt, QTimer, Signal
from PySide6.QtGui import QCloseEvent, QGuiApplication, QKeySequence, QShortcut
from PySide6.QtWidgets import QHBoxLayout, QMenu, QVBoxLayout, QWidget

from desktop_agent.extras.avis.simulation.expressions import holds
from desktop_agent.extras.avis.simulation.faults import FAULTS
from desktop_agent.extras.avis.simulation.scene_file import SceneGoal
from desktop_agent.extras.avis.simulation.skins import SKINS
from desktop_agent.extras.avis.targets.simulated import SimulatedTarget
from desktop_agent.extras.avis.ui.scene_view import SceneView
from desktop_agent.support.language import language_in_use, later, tr
from desktop_agent.ui.shell.beside_window import EDGE, follow_theme, place_beside
from desktop_agent.ui.widgets.buttons import Button, open_menu
from desktop_agent.ui.widgets.form_controls import DropDown
from desktop_agent.ui.widgets.theme import Theme
from desktop_agent.ui.widgets.wrapped_text import Part, WrappedText

JUDGE_MS = 150
MARGIN = 14
TICKS: dict[GoalState, tuple[str, str, str]] = {
    "open": ("○", "soft", later("not reached")),
    "reached": ("✓", "ok", later("reached")),
    "harmed": ("!", "warn", later("reached, but something else was changed")),
}
"""A mark, the token of its colour and words for each state of a goal."""
SKIN_WORDS = {
    "light": later("Light"),
    "dark": later("Dark"),
    "serif": later("Serif letters"),
    "tiny_mono": later("Tiny letters"),
    "contrast": later("Contrast"),
    "german": later("In German"),
    "misleading": later("Misleading words"),
    "reordered": later("In another order"),
}
FAULT_WORDS = {
    "": later("No fault"),
    "slow": later("Slow"),
    "flicker": later("Flickering"),
    "moving": later("Moving windows"),
    "dialog": later("Dialogs pop up"),
    "wrong focus": later("Focus is stolen"),
    "crash": later("Crashes"),
    "lying": later("Lies about success"),
}


GoalState: TypeAlias = Literal["open", "reached", "harmed"]


class SceneBar(QWidget):
    """What can be done with a scene: its goals, its look, a fault, and beginning again.

    Signals: `goal_chosen(words)`, `skin_chosen(name)`, `fault_chosen(name)`, `again()`.
    """

    goal_chosen = Signal(str)
    skin_chosen = Signal(str)
    fault_chosen = Signal(str)
    again = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._goals: tuple[JudgedGoal, ...] = ()
        self.title = WrappedText(theme, role="name", lines=1)
        self.goals = Button(theme, tr("Goals"))
        self.skin, self.fault = (
            DropDown(theme, tr("Look of the scene")),
            DropDown(theme, tr("What goes wrong")),
        )
        self.skin.fill((name, tr(SKIN_WORDS[name])) for name in SKINS)
        self.fault.fill((name, tr(FAULT_WORDS[name])) for name in ("", *FAULTS))
        self.skin.setToolTip(self.skin.accessibleName())
        self.fault.setToolTip(self.fault.accessibleName())
        self.start_over = Button(theme, tr("Start over"), icon="undo")
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(8)
        row.addWidget(self.title, 1, Qt.AlignmentFlag.AlignVCenter)
        for part in (self.goals, self.skin, self.fault, self.start_over):
            row.addWidget(part)
        self.goals.clicked.connect(lambda: open_menu(self.goals_menu(), self.goals))
        self.skin.activated.connect(lambda _: self.skin_chosen.emit(self.skin.currentData()))
        self.fault.activated.connect(lambda _: self.fault_chosen.emit(self.fault.currentData()))
        self.start_over.clicked.connect(self.again)

    def show_choices(self, title: str, skin: str, fault: str) -> None:
        """Show the scene's title and how it is shown."""
        self.title.set_words(title)
        self.skin.setCurrentIndex(max(0, self.skin.findData(skin)))
        self.fault.setCurrentIndex(max(0, self.fault.findData(fault)))

    def show_goals(self, goals: tuple[JudgedGoal, ...]) -> None:
        """Show how many of the goals are reached; the menu has them all."""
        self._goals = goals
        reached = sum(each.state == "reached" for each in goals)
        self.goals.setText(tr("Goals: {n} of {count}").format(n=reached, count=len(goals)))
        self.goals.setVisible(bool(goals))
        self.goals.updateGeometry()

    def goals_menu(self) -> QMenu:
        """The goals with their marks; choosing one says its words."""
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.setStyleSheet(self._theme.style_sheet())
        for each in self._goals:
            action = menu.addAction(f"{TICKS[each.state][0]}  {each.words.replace('&', '&&')}")
            action.triggered.connect(partial(self.goal_chosen.emit, each.words))
        return menu

    def set_working(self, working: bool) -> None:
        """While the agent works the scene is not begun again under its hands."""
        for part in (self.skin, self.fault, self.start_over):
            part.setEnabled(not working)


class SceneWindow(QWidget):
    """A scene to see and work, alone or beside the chat window whose agent works the same one.

    `try_goal` is given the words of a chosen goal (None: they are copied); `stop` stops the agent, for an Esc while it
    works. `looks`: nobody but the person looks at the scene. Signal: `closed()`.
    """

    closed = Signal()

    def __init__(
        self,
        theme: Theme,
        target: SimulatedTarget,
        main: QWidget | None = None,
        *,
        try_goal: Callable[[str], None] | None = None,
        stop: Callable[[], None] = lambda: None,
        looks: bool = False,
    ) -> None:
        super().__init__(main, Qt.WindowType.Window)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._theme, self._target, self._try_goal, self._stop = theme, target, try_goal, stop
        self._working, self._report = False, ""
        self.bar = SceneBar(theme)
        self.view = SceneView(
            theme, target.screen, looks=looks, at_work=self._at_work, taken_escape=self._escape
        )
        self.note = WrappedText(theme, role="small", color="soft", lines=2)
        self.note.hide()
        self.ticks = WrappedText(theme, role="small", color="soft", lines=8, hang="○  ")
        self._judge = QTimer(self, singleShot=True, interval=JUDGE_MS)
        self._judge.timeout.connect(self.judge)
        self._lay_out()
        self._connect()
        follow_theme(self, theme)
        self.show_target(target)
        self._place(main)

    def _lay_out(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(MARGIN, 10, MARGIN, 10)
        column.setSpacing(8)
        column.addWidget(self.bar)
        column.addWidget(self.view, 1)
        column.addWidget(self.note)
        column.addWidget(self.ticks)

    def _connect(self) -> None:
        self.bar.goal_chosen.connect(self.try_goal)
        self.bar.skin_chosen.connect(lambda name: self.begin_again(skin=name))
        self.bar.fault_chosen.connect(lambda name: self.begin_again(fault=name))
        self.bar.again.connect(lambda: self.begin_again())
        self.view.changed.connect(self._judge_soon)
        QShortcut(QKeySequence("Esc"), self).activated.connect(self._escape)
        QShortcut(QKeySequence("F5"), self).activated.connect(self._again_by_key)

    def _place(self, main: QWidget | None) -> None:
        hint = self.view.sizeHint()
        extra = self.sizeHint() - hint
        wanted = QSize(max(hint.width() + 2 * MARGIN, 760), hint.height() + max(extra.height(), 120))
        if main is not None:
            place_beside(self, main, wanted.width(), wanted.height())
            return
        room = QGuiApplication.primaryScreen().availableGeometry().adjusted(EDGE, EDGE, -EDGE, -EDGE)
        self.resize(wanted.boundedTo(room.size()))
        self.move(room.center() - self.rect().center())

    # ---- the scene ---------------------------------------------------------------------------

    @property
    def target(self) -> SimulatedTarget:
        """What is shown and worked."""
        return self._target

    def show_target(self, target: SimulatedTarget) -> None:
        """Show another simulated desktop from now on."""
        self._target = target
        scene, options = target.scene_file, target.options
        self.setWindowTitle(f"{scene.title} – {tr('Simulated desktop')}")
        self.view.show_screen(target.screen)
        self.bar.show_choices(scene.title, options.skin, options.fault)
        self.bar.title.setToolTip(scene.about)
        self.judge()

    def begin_again(self, *, skin: str | None = None, fault: str | None = None) -> None:
        """Show the scene as its file has it, in this look and with this fault where they are given."""
        if self._working:
            return
        self._target.begin_again(skin, fault)
        self._report = ""
        self.tell("")
        self.show_target(self._target)

    def _again_by_key(self) -> None:
        self.begin_again()

    def _judge_soon(self) -> None:
        if not self._judge.isActive():
            self._judge.start()

    def judge(self) -> None:
        """Show which goals are reached now."""
        goals = judged_goals(self._target, self._report)
        self.bar.show_goals(goals)
        parts: list[Part] = []
        said = []
        for each in goals:
            mark, token, words = TICKS[each.state]
            parts += ["\n" if parts else "", (f"{mark}\t", "strong", token), each.words]
            said.append(f"{each.words}: {tr(words)}")
        self.ticks.set_words(*parts)
        self.ticks.setAccessibleName(". ".join(said))
        self.ticks.setVisible(bool(goals))

    # ---- goals and the agent -----------------------------------------------------------------

    def try_goal(self, words: str) -> None:
        """Put a goal's words where they can be sent, or on the clipboard where there is no agent."""
        if self._try_goal is not None:
            self._try_goal(words)
            return
        QGuiApplication.clipboard().setText(words)
        self.tell(tr("Copied. Try it yourself, or give it to the agent."))

    def set_working(self, working: bool) -> None:
        """Say whether the agent is at work in the scene."""
        self._working = working
        self.bar.set_working(working)

    def hear_report(self, report: str) -> None:
        """What the agent said at the end of a run, which may hold the answer that a goal asks for."""
        self._report = report
        self.judge()

    def tell(self, words: str) -> None:
        """Show a line to the person, "" for none."""
        self.note.set_words(words)
        self.note.setVisible(bool(words))

    def _at_work(self) -> bool:
        return self._working

    def _escape(self) -> bool:
        """An Esc while the agent works stops it; True when it did, else it is the scene's own."""
        if self._working:
            self._stop()
        return self._working

    def closeEvent(self, event: QCloseEvent) -> None:
        super().closeEvent(event)
        self.closed.emit()


class JudgedGoal(msgspec.Struct, frozen=True):
    """A goal in the user's language; "harmed": it is reached, and something else is not as it was."""

    words: str
    state: GoalState


def judged_goals(target: SimulatedTarget, report: str) -> tuple[JudgedGoal, ...]:
    """All goals of the scene; `report` is what the agent said last at the end of a run, which answers are looked for in."""
    with target.screen.lock:
        return tuple(
            JudgedGoal(goal_words(each), _state(target, each, report)) for each in target.scene_file.goals
        )


def goal_words(goal: SceneGoal) -> str:
    """What a user may say for it, in the language of the program where it has one."""
    return goal.say.get(language_in_use()) or goal.say["en"]


def _state(target: SimulatedTarget, goal: SceneGoal, report: str) -> GoalState:
    names = target.desktop.names
    if not holds(goal.reached, names) or (goal.answer and goal.answer.casefold() not in report.casefold()):
        return "open"
    return "reached" if goal.harmless is None or holds(goal.harmless, names) else "harmed"
