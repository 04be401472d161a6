"""The step with a practice run: a whole run on a simulated desktop, shown live, with its receipt."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QWidget

from desktop_agent.protocol.agent_events import FeedEvent
from desktop_agent.support.language import tr
from desktop_agent.ui.bridge import Bridge
from desktop_agent.ui.panels.activity_feed import CurrentActionStrip
from desktop_agent.ui.panels.live_picture import LiveCard
from desktop_agent.ui.panels.notices import NoticeCard
from desktop_agent.ui.view_model import RunView
from desktop_agent.ui.welcome.welcome_calls import WelcomeCalls
from desktop_agent.ui.welcome.welcome_guide import Practice
from desktop_agent.ui.welcome.welcome_step import WelcomeStep
from desktop_agent.ui.widgets.buttons import Button
from desktop_agent.ui.widgets.primitives import Card, Icon
from desktop_agent.ui.widgets.theme import Theme
from desktop_agent.ui.widgets.wrapped_text import WrappedText, escape_invisible


class PracticeStep(WelcomeStep):
    """Runs an agent of its own; `view` is what it shows. Esc in any program stops it. Signal: `over()` at its end."""

    over = Signal()

    def __init__(self, theme: Theme, calls: WelcomeCalls) -> None:
        lead = tr(
            "I work in a small simulated program, which you see here, with the offline model. Your windows, your mouse "
            "and your keyboard are not touched, and no key is needed."
        )
        super().__init__(theme, tr("A safe practice run"), lead)
        self._calls = calls
        self.view = RunView()
        self._bridge: Bridge | None = None
        self._wanted = False
        self.begin = Button(theme, tr("Start the practice run"), kind="primary", icon="play")
        self.stop = Button(theme, tr("Stop"), kind="stop", cap="Esc", name=tr("Stop the practice run (Esc)"))
        self.goal = WrappedText(theme, role="strong")
        self.live = LiveCard(theme)
        self.scene: QWidget | None = None
        """The simulated screen of the last run, where it is on one: seen itself, not in pictures of it."""
        self.now = CurrentActionStrip(theme)
        self.ending = NoticeCard(theme)
        self.problem = self._problem_card(theme)
        self._lay_out()
        self.begin.clicked.connect(self.start)
        self.stop.clicked.connect(self.stop_run)
        calls.practising.connect(self._practising)
        calls.unready.connect(self._show_problem)
        calls.seen.connect(self.stop_run)
        self._show()

    def _problem_card(self, theme: Theme) -> Card:
        card = Card(theme, "warn_tint", "warn_tint", shadow=False)
        row = QHBoxLayout()
        row.setSpacing(10)
        self.problem_words = WrappedText(theme)
        row.addWidget(Icon(theme, "warn", "warn", 18), 0, Qt.AlignmentFlag.AlignTop)
        row.addWidget(self.problem_words, 1)
        card.box.addLayout(row)
        card.hide()
        return card

    def _lay_out(self) -> None:
        buttons = QHBoxLayout()
        buttons.addWidget(self.begin)
        buttons.addWidget(self.stop)
        buttons.addStretch(1)
        for part in (self.goal, self.live, self.now, self.ending, self.problem):
            self.column.addWidget(part)
        self.column.addLayout(buttons)
        self.column.addStretch(1)

    @property
    def running(self) -> bool:
        """Is a run prepared or under way?"""
        return self._wanted

    def start(self) -> None:
        """Prepare and start a run."""
        if self._wanted:
            return
        self._wanted = True
        self.view = RunView(state="planning", detail=tr("Preparing the practice run …"))
        self.problem.hide()
        self._show()
        self.stop.setFocus(Qt.FocusReason.OtherFocusReason)
        self._calls.practise()
        self._calls.watch_escape()

    def leave(self) -> None:
        self.stop_run()

    def stop_run(self) -> None:
        """Stop the run, if there is one."""
        if self._bridge is not None:
            self._bridge.port.stop("you stopped the practice run")
        elif self._wanted:
            self._end()

    def _practising(self, bridge: Bridge, practice: Practice) -> None:
        if not self._wanted or self._bridge is not None:  # it was stopped meanwhile
            bridge.port.quit()
            return
        self._bridge = bridge
        bridge.arrived.connect(self._arrived)
        bridge.broke.connect(self._broke)
        bridge.start()
        self.goal.set_words(escape_invisible(f"“{practice.goal}”"))
        if practice.view is not None:
            self._show_scene(practice.view)
        bridge.port.send(practice.goal)

    def _show_scene(self, view: Callable[[Theme], QWidget]) -> None:
        if self.scene is not None:
            self.scene.hide()
            self.scene.deleteLater()
        self.scene = view(self._theme)
        self.column.insertWidget(self.column.indexOf(self.live), self.scene)
        self.live.shown = False
        self.news.emit(self.stop)

    def _arrived(self, events: list[FeedEvent]) -> None:
        self.view.apply(events)
        asked = self.view.approval is not None or self.view.question is not None
        if asked and self._bridge is not None:  # it is not to learn here what only the chat can answer
            self._bridge.port.stop("it asked something, which the practice run cannot answer")
        self._show()
        if self.view.ending is not None and not self.view.working:
            self._end()

    def _broke(self, message: str, advice: str) -> None:
        self.view.broke(message, advice)
        self._end()

    def _end(self) -> None:
        bridge, self._bridge, self._wanted = self._bridge, None, False
        self._calls.unwatch_escape()
        if bridge is not None:
            bridge.port.quit()  # the last picture stays
        elif self.view.ending is None:
            self.view = RunView()
        self._show()
        self.over.emit()

    def _show(self) -> None:
        view, over = self.view, self.view.ending is not None
        shown = [each for each in (self.live, self.ending) if each.isHidden()]
        self.goal.setVisible(bool(self.goal.text()) and (self._wanted or over))
        self.live.show_live(view)
        self.now.show_now(view)
        self.ending.show_ending(view.ending if not self._wanted or over else None, "")
        failed = not self.problem.isHidden()
        begin = tr("Once more") if over else tr("Try again") if failed else tr("Start the practice run")
        self.begin.setText(begin)
        self.begin.set_kind("plain" if over or failed else "primary")
        self.begin.setAccessibleName(self.begin.text())
        self.begin.updateGeometry()
        self.begin.setVisible(not self._wanted)
        self.stop.setVisible(self._wanted)
        if any(not each.isHidden() for each in shown):
            self.news.emit(self.stop if self._wanted and not over else self.ending)

    def _show_problem(self, message: str, advice: str) -> None:
        if not self._wanted or self._bridge is not None:
            return
        words = tr("No practice run is possible here; everything else works without it.")
        self.problem_words.set_words((words, "strong"), "\n", escape_invisible(f"{message} {advice}".strip()))
        self.problem.setAccessibleName(escape_invisible(f"{words} {message} {advice}"))
        self.problem.show()
        self.news.emit(self.problem)
        self._end()
