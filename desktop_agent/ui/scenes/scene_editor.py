"""The editor of a scene file: its text, what is wrong with it, and the scene itself, live."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QCloseEvent, QGuiApplication, QKeySequence, QShortcut
from PySide6.QtWidgets import QFileDialog, QHBoxLayout, QSplitter, QVBoxLayout, QWidget

from desktop_agent.protocol.errors import ConfigError
from desktop_agent.simulation import scene_file
from desktop_agent.simulation.scene_file import WrongScene, read_scene
from desktop_agent.support.language import tr
from desktop_agent.targets.simulated import Options, SimulatedTarget
from desktop_agent.ui.scenes.json_places import place_of_problem
from desktop_agent.ui.scenes.numbered_text import NumberedText
from desktop_agent.ui.scenes.scene_window import SceneWindow
from desktop_agent.ui.shell.beside_window import EDGE, follow_theme
from desktop_agent.ui.shell.question_dialog import QuestionDialog
from desktop_agent.ui.widgets.buttons import Button
from desktop_agent.ui.widgets.scroll_area import ThinBar
from desktop_agent.ui.widgets.theme import Theme
from desktop_agent.ui.widgets.wrapped_button import WrappedButton
from desktop_agent.ui.widgets.wrapped_text import WrappedText, tool_tip_text

CHECK_MS = 300
"""How long nothing is typed until the text is read anew."""
MOST_PROBLEMS = 3
WIDTH, HEIGHT = 1500, 900


class SceneEditor(QWidget):
    """Edits the scene in a file; a scene of the program's own is saved as a copy in the user's folder of scenes.

    What is shown at the right is the last text that was valid. Raises ConfigError where the file cannot be read.
    """

    def __init__(self, theme: Theme, path: Path, options: Options) -> None:
        super().__init__(None, Qt.WindowType.Window)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._theme, self._seed = theme, options.seed
        self.path = path
        self.saved = _read(path)
        self.problems: tuple[str, ...] = ()
        self.target = SimulatedTarget(_blank(), Options(skin=options.skin, fault=options.fault))
        self.text = NumberedText(theme, tr("Text of the scene"))
        self.text.setPlainText(self.saved)
        self.text.setVerticalScrollBar(ThinBar(theme))
        self.place = WrappedText(theme, role="small", color="soft", lines=2)
        self.note = WrappedText(theme, role="small", color="soft", lines=2)
        self.save_ = Button(theme, tr("Save"), "primary")
        self.save_as_ = Button(theme, tr("Save as …"))
        self.revert_ = Button(theme, tr("Revert"), icon="undo")
        self.wrong = [WrappedButton(theme) for _ in range(MOST_PROBLEMS)]
        self.right = SceneWindow(theme, self.target, looks=True)
        self.right.setParent(self)
        self.right.setWindowFlags(Qt.WindowType.Widget)
        self._check = QTimer(self, singleShot=True, interval=CHECK_MS)
        self._check.timeout.connect(self.check)
        self._lay_out()
        self._connect()
        follow_theme(self, theme)
        self.check()
        room = QGuiApplication.primaryScreen().availableGeometry().adjusted(EDGE, EDGE, -EDGE, -EDGE)
        self.resize(min(WIDTH, room.width()), min(HEIGHT, room.height()))
        self.move(room.center() - self.rect().center())
        self.text.setFocus()

    def _lay_out(self) -> None:
        left = QWidget()
        column = QVBoxLayout(left)
        column.setContentsMargins(14, 10, 0, 10)
        column.setSpacing(8)
        column.addWidget(self.place)
        column.addWidget(self.text, 1)
        for each in self.wrong:
            column.addWidget(each)
        column.addWidget(self.note)
        buttons = QHBoxLayout()
        buttons.setSpacing(8)
        buttons.addWidget(self.revert_)
        buttons.addStretch(1)
        buttons.addWidget(self.save_as_)
        buttons.addWidget(self.save_)
        column.addLayout(buttons)
        self.halves = QSplitter(Qt.Orientation.Horizontal)
        self.halves.addWidget(left)
        self.halves.addWidget(self.right)
        self.halves.setStretchFactor(0, 2)
        self.halves.setStretchFactor(1, 3)
        self.halves.setSizes([600, 900])
        self.halves.setChildrenCollapsible(False)
        row = QVBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(self.halves)

    def _connect(self) -> None:
        self.text.textChanged.connect(self._changed)
        self.save_.clicked.connect(lambda: self.save())
        self.save_as_.clicked.connect(self.ask_where)
        self.revert_.clicked.connect(self.revert)
        for each in self.wrong:
            each.clicked.connect(self._go_to_problem)
        QShortcut(QKeySequence.StandardKey.Save, self).activated.connect(lambda: self.save())

    # ---- the text and the scene --------------------------------------------------------------

    @property
    def changed(self) -> bool:
        """Is the text another one than in the file?"""
        return self.text.toPlainText() != self.saved

    def _changed(self) -> None:
        self._check.start()
        self._show_place()

    def check(self) -> None:
        """Read the text: show the scene that it holds, or what is wrong with it."""
        text = self.text.toPlainText()
        try:
            self.target = self._built(text)
        except WrongScene as error:
            self._show_problems(error.problems)
        else:
            self._show_problems(())
            self.right.show_target(self.target)
        self._show_place()

    def _built(self, text: str) -> SimulatedTarget:
        """The desktop of a text. Raises WrongScene."""
        shown = self.right.target.options
        options = Options(skin=shown.skin, fault=shown.fault, seed=self._seed)
        try:
            target = SimulatedTarget(read_scene(text, self.path.stem), options)
            with target.screen.lock:
                target.screen.paint()
        except WrongScene:
            raise
        except Exception as error:
            raise WrongScene(
                self.path.stem, "cannot be shown", (f"{type(error).__name__}: {error}",)
            ) from error
        return target

    def _show_problems(self, problems: tuple[str, ...]) -> None:
        self.problems = problems
        for button, problem in zip(self.wrong, (*problems, *[""] * MOST_PROBLEMS), strict=False):
            button.setVisible(bool(problem))
            if problem:
                button.set_words(f"✗ {problem}", tr("Wrong"))
        more = len(problems) - MOST_PROBLEMS
        self._tell(tr("And {n} more.").format(n=more) if more > 0 else "")
        self.text.mark_wrong(place_of_problem(self.text.toPlainText(), problems[0]) if problems else None)

    def _go_to_problem(self) -> None:
        index = self.wrong.index(self.sender())  # type: ignore[arg-type]
        place = place_of_problem(self.text.toPlainText(), self.problems[index])
        if place is not None:
            self.text.go_to(place)

    # ---- the file ----------------------------------------------------------------------------

    @property
    def _of_program(self) -> bool:
        return self.path.parent == scene_file.folder()

    @property
    def own_copy(self) -> Path:
        """Where a scene of the program's own is saved: in the user's folder, by a name that none has."""
        folder, stem = scene_file.own_folder(), self.path.stem
        names = (f"{stem}_copy{number if number > 1 else ''}" for number in range(1, 1_000))
        return next(folder / f"{each}.json" for each in names if not (folder / f"{each}.json").exists())

    def save(self, path: Path | None = None) -> bool:
        """Write the text to a file, by default the one that it came from; False where that fails, which is told."""
        if path is None:
            path = self.own_copy if self._of_program else self.path
        text = self.text.toPlainText()
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            part = path.with_name(f".{path.name}.part")
            part.write_text(text, encoding="utf-8")
            part.replace(path)
        except OSError as error:
            self._tell(tr("{file} cannot be written: {why}.").format(file=path, why=error.strerror), "stop")
            return False
        self.path, self.saved = path, text
        self._show_place()
        self._tell(tr("Saved as {file}").format(file=path))
        return True

    def ask_where(self) -> None:
        """Ask for the file to save to."""
        dialog = QFileDialog(self, tr("Save the scene"), str(self.own_copy), "*.json")
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)  # asks itself before a file is replaced
        dialog.setDefaultSuffix("json")
        dialog.fileSelected.connect(lambda file: self.save(Path(file)))
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()

    def revert(self) -> None:
        """Take back all changes since it was saved; Ctrl+Z brings them back."""
        cursor = self.text.textCursor()
        cursor.select(cursor.SelectionType.Document)
        cursor.insertText(self.saved)
        self.check()

    def _show_place(self) -> None:
        mark = "● " if self.changed else ""
        copied = tr("a scene of the program: it is saved as a copy of your own") if self._of_program else ""
        self.place.set_words(" – ".join(filter(None, (f"{mark}{self.path.name}", copied))))
        self.place.setToolTip(tool_tip_text(str(self.path)))
        self.revert_.setEnabled(self.changed)
        self.save_.setEnabled(self.changed)
        self.setWindowTitle(f"{mark}{self.path.name} – {tr('Scene editor')}")

    def _tell(self, words: str, tone: str = "soft") -> None:
        self.note.set_color(tone)
        self.note.set_words(words)
        self.note.setVisible(bool(words))

    def closeEvent(self, event: QCloseEvent) -> None:
        """Ask before changes are lost."""
        if not self.changed:
            super().closeEvent(event)
            return
        event.ignore()
        question = QuestionDialog(
            self._theme,
            tr("Close without saving?"),
            tr("Your changes are lost then."),
            tr("Discard and close"),
            self,
            kind="stop",
        )
        question.agreed.connect(self._discard)
        question.open()

    def _discard(self) -> None:
        self.saved = self.text.toPlainText()
        self.close()


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(
            f"{path} cannot be read: {error}.", "Check that it is a text file you may read."
        ) from error


def _blank() -> scene_file.SceneFile:
    """What is shown until a text is valid."""
    return read_scene('{"format": 1, "title": "–", "ui": []}')
