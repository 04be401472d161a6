"""The editor of a scene file: its numbered text, each error at its place in it, and the scene itself, live."""

from __future__ import annotations

import json
import re
from pathlib import Path

from PySide6.QtCore import QRect, QSize, Qt, QTimer
from PySide6.QtGui import (
    QCloseEvent,
    QGuiApplication,
    QKeySequence,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QShortcut,
    QTextCursor,
    QTextFormat,
)
from PySide6.QtWidgets import (
    QFileDialog,
    QHBoxLayout,
    QPlainTextEdit,
    QSplitter,
    QTextEdit,
    QVBoxLayout,
    QWidget,
)

from desktop_agent.extras.avis.simulation import scene_file
from desktop_agent.extras.avis.simulation.scene_file import WrongScene, read_scene
from desktop_agent.extras.avis.targets.simulated import Options, SimulatedTarget
from desktop_agent.extras.avis.ui.scene_window import SceneWindow
from desktop_agent.protocol.errors import ConfigError
from desktop_agent.support.language import tr
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


_STEP = re.compile(r"\.([^.\[\]]+)|\[(\d+)\]")
_BLANKS = re.compile(r"\s*")
_LINE = re.compile(r"\bline (\d+) column (\d+)\b")
_PATH = re.compile(r"\$(?:\.[A-Za-z0-9_+]+|\[\d+\])*")


PAD = 8


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


def place_of_problem(text: str, problem: str) -> int | None:
    """The offset in the text of what an error is about, by the path in it or its line and column; None where it has neither."""
    if line := _LINE.search(problem):
        lines = text.splitlines(keepends=True)
        return min(len(text), sum(map(len, lines[: int(line[1]) - 1])) + int(line[2]) - 1)
    path = _PATH.search(problem)
    return place_of_path(text, path[0]) if path is not None else None


def place_of_path(text: str, path: str) -> int | None:
    """The offset of the value at a path like `$.ui[0].value`, or of the nearest one around it; None where it is no JSON."""
    steps = [name or int(index) for name, index in _STEP.findall(path)]
    try:
        return _found(text, _begin(text, 0), steps)
    except (json.JSONDecodeError, IndexError, RecursionError):
        return None


def _begin(text: str, at: int) -> int:
    blanks = _BLANKS.match(text, at)
    return blanks.end() if blanks else at


def _found(text: str, at: int, steps: list[str | int]) -> int:
    """Go into the value that begins here as far as the steps lead."""
    if not steps:
        return at
    wanted, decoder = steps[0], json.JSONDecoder()
    if text[at] not in "{[":
        return at
    named, index, place = text[at] == "{", 0, _begin(text, at + 1)
    while text[place] not in "}]":
        key: str | int = index
        if named:
            key, place = decoder.raw_decode(text, place)
            place = _begin(text, _begin(text, place) + 1)  # behind the colon
        if key == wanted:
            return _found(text, place, steps[1:])
        _, place = decoder.raw_decode(text, place)
        place = _begin(text, place)
        if text[place] == ",":
            place = _begin(text, place + 1)
        index += 1
    return at


class NumberedText(QPlainTextEdit):
    """Plain text in a fixed font; the line of the caret and a wrong line are marked. Signals: those of QPlainTextEdit."""

    def __init__(self, theme: Theme, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._wrong: int | None = None
        self.setFont(theme.font("mono"))
        self.setAccessibleName(name)
        self.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.setTabStopDistance(2 * self.fontMetrics().horizontalAdvance(" "))
        self.numbers = LineNumbers(self)
        self.blockCountChanged.connect(self._make_room)
        self.updateRequest.connect(self._scrolled)
        self.cursorPositionChanged.connect(self._mark)
        theme.changed.connect(self._mark)
        self._make_room()
        self._mark()

    def mark_wrong(self, offset: int | None) -> None:
        """Mark the line with this offset as wrong; None for no line."""
        self._wrong = offset
        self._mark()
        self.numbers.update()

    def go_to(self, offset: int) -> None:
        """Put the caret there, in sight."""
        cursor = self.textCursor()
        cursor.setPosition(min(offset, len(self.toPlainText())))
        self.setTextCursor(cursor)
        self.centerCursor()
        self.setFocus(Qt.FocusReason.OtherFocusReason)

    @property
    def wrong_line(self) -> int | None:
        """The number of the marked line, from 0; None for no line."""
        return None if self._wrong is None else self.document().findBlock(self._wrong).blockNumber()

    def number_width(self) -> int:
        """Pixels that the numbers take."""
        digits = len(str(max(1, self.blockCount())))
        return 2 * PAD + self.fontMetrics().horizontalAdvance("9") * max(2, digits)

    def paint_numbers(self, area: QRect) -> None:
        """Paint the numbers of the lines in sight."""
        theme, painter = self._theme, QPainter(self.numbers)
        painter.fillRect(area, theme.color("window"))
        painter.setFont(self.font())
        block = self.firstVisibleBlock()
        top = self.blockBoundingGeometry(block).translated(self.contentOffset()).top()
        here, wrong = self.textCursor().blockNumber(), self.wrong_line
        while block.isValid() and top <= area.bottom():
            height = self.blockBoundingRect(block).height()
            number = block.blockNumber()
            token = "stop" if number == wrong else "ink" if number == here else "soft"
            painter.setPen(theme.color(token))
            place = QRect(0, round(top), self.numbers.width() - PAD, round(height))
            painter.drawText(
                place, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, str(number + 1)
            )
            top += height
            block = block.next()
        painter.end()

    def _mark(self) -> None:
        marks = [self._line_mark(self.textCursor(), "quiet")]
        if self._wrong is not None:
            cursor = QTextCursor(self.document())
            cursor.setPosition(min(self._wrong, max(0, self.document().characterCount() - 1)))
            marks.append(self._line_mark(cursor, "stop_tint"))
        self.setExtraSelections(marks)

    def _line_mark(self, cursor: QTextCursor, token: str) -> QTextEdit.ExtraSelection:
        mark = QTextEdit.ExtraSelection()
        mark.format.setBackground(self._theme.color(token))
        mark.format.setProperty(QTextFormat.Property.FullWidthSelection, True)
        cursor = QTextCursor(cursor)
        cursor.clearSelection()
        mark.cursor = cursor
        return mark

    def _make_room(self) -> None:
        self.setViewportMargins(self.number_width(), 0, 0, 0)

    def _scrolled(self, area: QRect, pixels: int) -> None:
        if pixels:
            self.numbers.scroll(0, pixels)
        else:
            self.numbers.update(0, area.y(), self.numbers.width(), area.height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        inside = self.contentsRect()
        self.numbers.setGeometry(inside.left(), inside.top(), self.number_width(), inside.height())


class LineNumbers(QWidget):
    """The numbers beside a NumberedText."""

    def __init__(self, text: NumberedText) -> None:
        super().__init__(text)
        self._text = text

    def sizeHint(self) -> QSize:
        return QSize(self._text.number_width(), 0)

    def paintEvent(self, event: QPaintEvent) -> None:
        self._text.paint_numbers(event.rect())
