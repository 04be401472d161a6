"""The window of the agents: the list, the chosen one's screen as it saw it last, its question, and words for it."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TypeVar

from PySide6.QtCore import Qt, QTimer, QUrl, Signal
from PySide6.QtGui import (
    QCloseEvent,
    QDesktopServices,
    QHideEvent,
    QImage,
    QKeySequence,
    QShortcut,
    QShowEvent,
)
from PySide6.QtWidgets import QHBoxLayout, QMenu, QVBoxLayout

from desktop_agent.extras.console.agents.roster import AgentView, Roster
from desktop_agent.extras.console.ui.agent_words import STATES, detail_words, in_order, state_words
from desktop_agent.extras.console.ui.agents_at_hand import AgentsAtHand
from desktop_agent.extras.console.ui.agents_table import AgentsTable
from desktop_agent.protocol.agent_events import ApprovalAsked
from desktop_agent.support.language import tr
from desktop_agent.ui.history.picture_view import PictureView
from desktop_agent.ui.shell.beside_window import BesideWindow
from desktop_agent.ui.shell.question_dialog import QuestionDialog
from desktop_agent.ui.shell.window import Window
from desktop_agent.ui.widgets.buttons import Button, open_menu
from desktop_agent.ui.widgets.form_controls import LineField
from desktop_agent.ui.widgets.named_rows import NamedRowsView
from desktop_agent.ui.widgets.wrapped_text import WrappedText

LOOK_MS, SOON_MS = 2_000, 120
"""Between two looks at what other programs changed, while the window is shown; after news of our own agents."""
_WIDTHS = (120, 240, 0)
_IDLE = ("stopped", "elsewhere")
T = TypeVar("T")


class AgentsWindow(BesideWindow):
    """Lists the agents; whatever takes a moment is done in the background. Closing it ends none of them."""

    _news = Signal()

    def __init__(self, window: Window, at_hand: AgentsAtHand) -> None:
        super().__init__(window)
        self._at_hand = at_hand
        self._roster: Roster | None = None
        self._take_back: Callable[[], None] = _nothing
        self._picture: tuple[str, float] = ("", 0.0)
        self._busy, self._first = False, True
        self._timer = QTimer(self, interval=LOOK_MS)
        self._soon = QTimer(self, singleShot=True, interval=SOON_MS)
        self._make_parts()
        self._lay_out()
        self._connect()
        self._place(tr("Agents"), 900, 600)
        self._choice_made()
        self._background.run(at_hand.roster, self._opened, self._fail)

    # ---- building ----------------------------------------------------------------------------

    def _make_parts(self) -> None:
        theme = self._theme
        self.table = AgentsTable(theme, self)
        self.view = NamedRowsView(theme, self.table, tr("Agents"), _WIDTHS, padding=8)
        self.empty = WrappedText(theme, color="soft")
        self.empty.hide()
        self.picture = PictureView(theme, nothing=tr("It has not looked at its screen yet."))
        self.title = WrappedText(theme, role="name", lines=1)
        self.state = WrappedText(theme, role="small", lines=1)
        self.detail = WrappedText(theme, lines=4)
        self.words = LineField(theme, tr("Words for the agent"), tr("Say what shall be done"))
        self.words.setMaxLength(20_000)
        self.say = Button(theme, tr("Send"), "primary")
        self.yes, self.no = Button(theme, tr("Approve"), "primary"), Button(theme, tr("Skip"))
        self.create_ = Button(theme, tr("New agent …"))
        self.more = Button(theme, tr("More"))
        self.run = Button(theme, tr("Start"))
        self.browser = Button(theme, tr("Its screen, live"))
        self.browser.setToolTip(
            tr("Opens the console in your browser: there you can take the screen and give it back.")
        )

    def _lay_out(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(18, 16, 18, 14)
        column.setSpacing(10)
        column.addWidget(self.view, 2)
        column.addWidget(self.empty, 1)
        chosen = QHBoxLayout()
        chosen.setSpacing(16)
        chosen.addWidget(self.picture, 3)
        about = QVBoxLayout()
        about.setSpacing(6)
        for part in (self.title, self.state, self.detail):
            about.addWidget(part)
        answer = QHBoxLayout()
        answer.addWidget(self.yes)
        answer.addWidget(self.no)
        answer.addStretch(1)
        about.addLayout(answer)
        about.addStretch(1)
        chosen.addLayout(about, 2)
        column.addLayout(chosen, 3)
        speak = QHBoxLayout()
        speak.setSpacing(8)
        speak.addWidget(self.words, 1)
        speak.addWidget(self.say)
        column.addLayout(speak)
        column.addWidget(self.note)
        foot = QHBoxLayout()
        foot.setSpacing(8)
        foot.addWidget(self.create_)
        foot.addWidget(self.more)
        foot.addStretch(1)
        foot.addWidget(self.browser)
        foot.addWidget(self.run)
        column.addLayout(foot)

    def _connect(self) -> None:
        self._news.connect(self._soon.start, Qt.ConnectionType.QueuedConnection)
        self._soon.timeout.connect(self.refresh)
        self._timer.timeout.connect(self.refresh)
        self.view.selectionModel().selectionChanged.connect(self._choice_made)
        self.view.entered.connect(self.words.setFocus)
        self.view.delete_wanted.connect(self._delete_by_key)
        self.words.returnPressed.connect(self.send)
        self.say.clicked.connect(self.send)
        self.yes.clicked.connect(lambda: self._answer(True))
        self.no.clicked.connect(lambda: self._answer(False))
        self.create_.clicked.connect(self._ask_for_name)
        self.more.clicked.connect(lambda: open_menu(self._menu(), self.more, above=True))
        self.run.clicked.connect(self.start_or_stop)
        self.browser.clicked.connect(self.open_console)
        QShortcut(QKeySequence("F5"), self).activated.connect(self.refresh)

    # ---- what there is -----------------------------------------------------------------------

    def _opened(self, roster: Roster) -> None:
        self._roster = roster
        self._take_back = roster.subscribe(lambda *_: self._news.emit())
        self.refresh()

    def refresh(self) -> None:
        """Show what the agents are at now."""
        if self._roster is None or self._busy:
            return
        self._busy = True
        self._background.run(self._roster.agents, self._show_agents, self._failed_look)

    def _show_agents(self, agents: tuple[AgentView, ...]) -> None:
        self._busy = False
        chosen = self.chosen
        self.table.show_rows(in_order(agents))
        self.view.choose(chosen.name if chosen is not None else "")
        self.empty.set_words(
            tr(
                "An agent has a computer, a home and a memory of its own. Make one, and say what shall be done."
            )
        )
        self.empty.setVisible(not agents)
        for part in (self.view, self.picture, self.words, self.say, self.browser, self.run):
            part.setVisible(bool(agents))
        self._choice_made()
        if self._first:
            self._first = False
            (self.view if agents else self.create_).setFocus()

    def _failed_look(self, message: str, advice: str) -> None:
        self._busy = False
        self._fail(message, advice)

    @property
    def chosen(self) -> AgentView | None:
        """The selected agent."""
        return self.view.chosen

    def _choice_made(self) -> None:
        agent = self.chosen
        runs = agent is not None and agent.state not in _IDLE
        asked = agent is not None and isinstance(agent.asked, ApprovalAsked)
        self.title.set_words(agent.name if agent is not None else "")
        self.state.set_words(_state_line(agent) if agent is not None else "")
        if agent is not None:
            self.state.set_color(STATES[agent.state][1])
        self.detail.set_words(detail_words(agent) if agent is not None else "")
        for part in (self.yes, self.no):
            part.setVisible(asked)
        self.run.setText(tr("Stop") if runs else tr("Start"))
        here = agent is not None and agent.state != "elsewhere"
        for button in (self.run, self.say, self.words):
            button.setEnabled(here)
        self.browser.setEnabled(runs)
        self.more.setEnabled(self._roster is not None)
        self.create_.setEnabled(self._roster is not None)
        self._look_for_picture()

    def _look_for_picture(self) -> None:
        agent, roster = self.chosen, self._roster
        if agent is None or roster is None:
            self.picture.show_image(QImage())
            return
        work = partial(_picture, roster, agent.name, self._picture)
        self._background.run(work, partial(self._show_picture, agent.name), _nothing)

    def _show_picture(self, name: str, found: tuple[float, QImage] | None) -> None:
        if found is not None and self.chosen is not None and self.chosen.name == name:
            self._picture = (name, found[0])
            self.picture.show_image(found[1])
            self.picture.mark(None, None, tr("What {name} saw last").format(name=name))

    # ---- what can be done --------------------------------------------------------------------

    def _do(self, act: Callable[[], T], done: Callable[[T], object] = lambda _: None) -> None:
        """Do it in the background, then look again."""

        def ended(result: T) -> None:
            self._tell("")
            done(result)
            self.refresh()

        self._background.run(act, ended, self._fail)

    def start_or_stop(self) -> None:
        """Start the chosen agent, or stop it at once."""
        agent, roster = self.chosen, self._roster
        if agent is None or roster is None:
            return
        if agent.state == "stopped":
            self._tell(tr("{name} starts …").format(name=agent.name))
            self._do(partial(roster.start, agent.name))
        else:
            self._do(partial(roster.stop, agent.name))

    def send(self) -> None:
        """Say the words to the chosen agent, which is started where it does not run."""
        agent, roster, words = self.chosen, self._roster, self.words.text().strip()
        if agent is None or roster is None or not words:
            return
        self.words.clear()

        def act() -> None:
            if agent.state == "stopped":
                roster.start(agent.name)
            roster.say(agent.name, words)

        if agent.state == "stopped":
            self._tell(tr("{name} starts …").format(name=agent.name))
        self._do(act)

    def _answer(self, yes: bool) -> None:
        agent, roster = self.chosen, self._roster
        if agent is not None and roster is not None and isinstance(agent.asked, ApprovalAsked):
            self._do(partial(roster.approve if yes else roster.skip, agent.name, agent.asked.id))

    def open_console(self) -> None:
        """Open the page on which the screen is seen live and can be taken."""
        self._tell(tr("The console opens in your browser …"))
        self._background.run(self._at_hand.console, self._open_page, self._fail)

    def _open_page(self, address: str) -> None:
        opened = QDesktopServices.openUrl(QUrl(address))
        self._tell("" if opened else tr("Open it in a browser: {address}").format(address=address))

    def _menu(self) -> QMenu:
        menu = QMenu(self)
        agent = self.chosen
        stopped = agent is not None and agent.state == "stopped"
        menu.addAction(tr("Rename …"), self._ask_for_new_name).setEnabled(stopped)
        menu.addAction(tr("Delete …"), self._ask_to_delete).setEnabled(stopped)
        menu.addSeparator()
        places = self._roster.folders.trashed() if self._roster is not None else ()
        if not places:
            menu.addAction(tr("The trash is empty")).setEnabled(False)
        for place in places:
            menu.addAction(tr("Bring back {name}").format(name=place), partial(self._restore, place))
        return menu

    def _restore(self, place: str) -> None:
        if (roster := self._roster) is not None:
            self._do(partial(roster.restore, place))

    def _ask_for_name(self) -> None:
        words = tr("Letters, digits, _ and -. Leave it empty for the next number.")
        self._ask(
            QuestionDialog(self._theme, tr("New agent"), words, tr("Make it"), self, line=""), self._create
        )

    def _create(self, name: str) -> None:
        if (roster := self._roster) is not None:
            self._do(partial(roster.create, name), lambda made: self._choose_soon(made.name))

    def _ask_for_new_name(self) -> None:
        if (agent := self.chosen) is not None:
            words = tr("Letters, digits, _ and -.")
            dialog = QuestionDialog(
                self._theme,
                tr("Rename {name}").format(name=agent.name),
                words,
                tr("Rename"),
                self,
                line=agent.name,
            )
            self._ask(dialog, partial(self._rename, agent.name))

    def _rename(self, name: str, new_name: str) -> None:
        if (roster := self._roster) is not None and new_name != name:
            self._do(partial(roster.rename, name, new_name), lambda view: self._choose_soon(view.name))

    def _delete_by_key(self) -> None:
        if (agent := self.chosen) is not None and agent.state == "stopped":
            self._ask_to_delete()

    def _ask_to_delete(self) -> None:
        if (agent := self.chosen) is not None:
            words = tr(
                "Its home, its conversation and its runs go to the trash, from where you can bring it back."
            )
            dialog = QuestionDialog(
                self._theme,
                tr("Delete {name}?").format(name=agent.name),
                words,
                tr("Delete"),
                self,
                kind="stop",
            )
            dialog.agreed.connect(lambda _: self._trash(agent.name))
            dialog.open()

    def _trash(self, name: str) -> None:
        if (roster := self._roster) is not None:
            self._do(partial(roster.trash, name))

    @staticmethod
    def _ask(dialog: QuestionDialog, act: Callable[[str], None]) -> None:
        dialog.answered.connect(act)
        dialog.open()

    def _choose_soon(self, name: str) -> None:
        """Select this agent once the list has it."""

        def choose() -> None:
            if name in (each.name for each in self.table.rows):
                self.table.modelReset.disconnect(choose)
                self.view.choose(name)

        self.table.modelReset.connect(choose, Qt.ConnectionType.QueuedConnection)

    def _fail(self, message: str, advice: str) -> None:
        super()._fail(message, advice)
        self.refresh()

    # ---- the window --------------------------------------------------------------------------

    def showEvent(self, event: QShowEvent) -> None:
        self._timer.start()
        super().showEvent(event)

    def hideEvent(self, event: QHideEvent) -> None:
        self._timer.stop()
        super().hideEvent(event)

    def closeEvent(self, event: QCloseEvent) -> None:
        self._take_back()
        super().closeEvent(event)


def _state_line(agent: AgentView) -> str:
    return " · ".join(filter(None, (state_words(agent), agent.target, agent.model)))


def _picture(roster: Roster, name: str, shown: tuple[str, float]) -> tuple[float, QImage] | None:
    """The picture the agent was shown last and when it was; None where that one is shown already."""
    place: Path = roster.folders.agent(name).screenshot
    try:
        at = place.stat().st_mtime
    except OSError:
        return 0.0, QImage()
    return None if (name, at) == shown else (at, QImage(str(place)))


def _nothing(*_: object) -> None:
    """What is not asked for is not told."""
