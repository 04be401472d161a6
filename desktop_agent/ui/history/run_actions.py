"""What can be done with an earlier run from a window: run it again, continue it, export it, delete it."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QFileDialog, QMenu, QWidget

from desktop_agent.agent.port import AgentPort
from desktop_agent.history.run_deletion import delete_run
from desktop_agent.history.run_export import EXPORT_KINDS, EXPORT_WORDS, ExportKind, export_run
from desktop_agent.redaction.redactor import outdated
from desktop_agent.support import paths
from desktop_agent.support.language import tr
from desktop_agent.support.terminal_text import one_line
from desktop_agent.ui.background_work import BackgroundWork
from desktop_agent.ui.shell.question_dialog import QuestionDialog
from desktop_agent.ui.shell.window import Window
from desktop_agent.ui.widgets.theme import Theme

_SHOWN = 160


class RunActions(QObject):
    """Acts on runs in `runs`, in the background where files are concerned.

    Signals: `told(words)` of what is being done or was done, `failed(message, advice)`, `deleted(name)`.
    """

    told = Signal(str)
    failed = Signal(str, str)
    deleted = Signal(str)

    def __init__(self, window: Window, runs: Path, port: AgentPort, owner: QWidget) -> None:
        super().__init__(owner)
        self._window, self.runs, self._port, self._owner = window, runs, port, owner
        self._background = BackgroundWork(self, lasting=True)
        self.settings = next(
            (each / "config.toml" for each in paths.of_config() if (each / "config.toml").is_file()), None
        )

    @property
    def theme(self) -> Theme:
        return self._window.theme

    @property
    def busy(self) -> bool:
        """Is a run under way in this program?"""
        return self._window.view.working

    def run_again(self, goal: str) -> None:
        """Put the goal into the window's input, for the user to change and send; nothing starts by itself.

        A secret that it named was another program's: it has to be given again.
        """
        self._window.composer.fill(outdated(goal))
        self._window.raise_()
        self._window.activateWindow()

    def continue_run(self, name: str) -> None:
        """Go on with a run that was cut short; nothing while another one goes on."""
        if self.busy:
            self.failed.emit(tr("A run is under way."), tr("Wait until it has ended, or stop it."))
            return
        self._port.resume_run(str(self.runs / name))
        self._window.raise_()
        self.told.emit(tr("The run goes on in the chat."))

    # ---- export ------------------------------------------------------------------------------

    def export_menu(self, name: str) -> QMenu:
        """A menu of the kinds of export for this run."""
        menu = QMenu(self._owner)
        menu.setStyleSheet(self.theme.style_sheet())
        for kind in EXPORT_KINDS:
            words = EXPORT_WORDS[kind]
            action = menu.addAction(f"{tr(words.title)} – {tr(words.about)}")
            action.triggered.connect(partial(self.ask_where, name, kind))
        return menu

    def ask_where(self, name: str, kind: ExportKind) -> None:
        """Ask for the file's name, and for a failure report first whether pictures go with it."""
        if kind != "bundle":
            self._ask_file(name, kind, False)
            return
        words = tr(
            "The report holds the run's log, your settings, versions and what the doctor finds. Known secrets are taken out. "
            "Texts of pages and windows stay in it: look through it before you send it."
        )
        question = QuestionDialog(
            self.theme, tr("Failure report"), words, tr("Choose a file"), self._owner,
            tick=tr("Put the last pictures of the screen into it"),
        )  # fmt: skip
        question.agreed.connect(partial(self._ask_file, name, kind))
        question.open()

    def _ask_file(self, name: str, kind: ExportKind, pictures: bool) -> None:
        words = EXPORT_WORDS[kind]
        start = paths.of_user("DOCUMENTS") / f"{name}{words.ending}"
        dialog = QFileDialog(self._owner, tr(words.title), str(start), f"*{words.ending}")
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)  # asks itself before a file is replaced
        dialog.setDefaultSuffix(words.ending.lstrip("."))
        dialog.fileSelected.connect(lambda file: self.export(name, kind, Path(file), pictures))
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()

    def export(self, name: str, kind: ExportKind, file: Path, pictures: bool = False) -> None:
        """Write the run at `file`, over what is there, in the background."""
        self.told.emit(tr("Writing {file} …").format(file=file.name))
        work = partial(
            export_run, self.runs / name, kind, file, replace=True, pictures=pictures, settings=self.settings
        )
        written = tr("Written to {file}").format(file=file)
        self._background.run(work, lambda _: self.told.emit(written), self.failed.emit)

    # ---- delete ------------------------------------------------------------------------------

    def ask_to_delete(self, name: str, goal: str) -> QuestionDialog:
        """Ask whether the run is to be deleted for good."""
        words = tr("“{goal}” ({name})").format(goal=one_line(goal, _SHOWN) or "–", name=name)
        honest = tr(
            "Its files are removed and cannot be brought back by this program. Copies in backups, and traces that a drive keeps"
            " of removed files, are out of its reach."
        )
        question = QuestionDialog(
            self.theme, tr("Delete this run for good?"), f"{words}\n\n{honest}", tr("Delete for good"), self._owner,
            kind="stop",
        )  # fmt: skip
        question.agreed.connect(lambda _: self.delete(name))
        question.open()
        return question

    def delete(self, name: str) -> None:
        """Delete the run in the background."""
        self._background.run(
            partial(delete_run, self.runs, name), lambda _: self.deleted.emit(name), self.failed.emit
        )
