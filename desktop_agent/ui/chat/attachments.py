"""What the user gives with a goal: files by their paths, pictures as such; dropped, pasted or chosen."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from pathlib import Path

from PySide6.QtCore import QEvent, QMimeData, QObject, Qt, Signal
from PySide6.QtGui import QDragEnterEvent, QDragMoveEvent, QDropEvent, QImage
from PySide6.QtWidgets import QFileDialog, QHBoxLayout, QVBoxLayout, QWidget

from desktop_agent.protocol.chat_messages import PictureBlock
from desktop_agent.protocol.geometry import Rect
from desktop_agent.support.language import tr
from desktop_agent.support.terminal_text import visible
from desktop_agent.ui.chat.given_pictures import SUFFIXES, PictureWork, jpeg_of
from desktop_agent.ui.view_model import Shot
from desktop_agent.ui.widgets.buttons import Button
from desktop_agent.ui.widgets.primitives import SHADOW, Card, Icon
from desktop_agent.ui.widgets.theme import Theme
from desktop_agent.ui.widgets.thumbnails import Thumbnail
from desktop_agent.ui.widgets.wrapped_text import WrappedText

MOST = 6


@dataclass(eq=False)
class Attachment:
    """One thing given: `words` stand in the goal for a file; `picture` is there once it is made."""

    name: str
    words: str = ""
    picture: PictureBlock | None = None
    view: QWidget | None = None


class Attachments(QWidget):
    """A chip for each thing given with the goal under way, with a button that takes it back.

    Signal: `changed()`.
    """

    changed = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._given: list[Attachment] = []
        self._awaited: dict[int, Attachment] = {}
        self._count = 0
        self._work = PictureWork(self)
        self._work.made.connect(self._made)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(4)
        self._trouble = WrappedText(theme, role="small", color="warn")
        self._trouble.hide()
        self._column.addWidget(self._trouble)
        self.hide()

    # ---- what is given --------------------------------------------------------------------

    def takes(self, data: QMimeData) -> bool:
        """Is there a file or a picture in what is dropped or pasted?"""
        return bool(_files(data)) or (data.hasImage() and not data.hasText())

    def take(self, data: QMimeData) -> bool:
        """Take files and pictures; False when there are none."""
        if not self.takes(data):
            return False
        if files := _files(data):
            for path in files:
                self.add_file(path)
        else:
            self.add_picture(tr("Pasted picture"), QImage(data.imageData()))
        return True

    def add_file(self, path: Path) -> None:
        """Add a file: a picture is shown to the model, anything else is named in the goal."""
        if path.suffix.lower() in SUFFIXES:
            self.add_picture(path.name, path)
            return
        words = path_words(path)
        if not words:
            self._say(tr("The name of this file cannot be written into a goal."))
        else:
            self._add(Attachment(words, words=words))

    def add_picture(self, name: str, source: Path | QImage) -> None:
        """Add a picture; it is made ready in a thread."""
        given = Attachment(name)
        if not self._add(given):
            return
        self._count += 1
        self._awaited[self._count] = given
        self._work.start(self._count, source)

    def _made(self, token: int, picture: PictureBlock | None) -> None:
        given = self._awaited.pop(token, None)
        if given is None or given not in self._given:
            return
        if picture is None:
            self.remove(given)
            self._say(tr("This is no picture that can be read, or it is too large."))
            return
        given.picture = picture
        self._replace_view(given)
        self.changed.emit()

    def _add(self, given: Attachment) -> bool:
        self._trouble.hide()
        if len(self._given) >= MOST:
            self._say(tr("No more than {n} things can be given with a goal.").format(n=MOST))
            return False
        if given.words and any(each.words == given.words for each in self._given):
            return False
        self._given.append(given)
        self._replace_view(given)
        self.show()
        self.changed.emit()
        return True

    def remove(self, given: Attachment) -> None:
        """Take one back."""
        if given not in self._given:
            return
        self._given.remove(given)
        if given.view is not None:
            given.view.hide()
            given.view.deleteLater()
        self.setVisible(bool(self._given) or not self._trouble.isHidden())
        self.changed.emit()

    @property
    def ready(self) -> bool:
        """False while a picture is still being made."""
        return not any(given in self._given for given in self._awaited.values())

    def words(self) -> str:
        """The lines of the goal that name the files, "" for none."""
        return "\n".join(each.words for each in self._given if each.words)

    def empty(self) -> tuple[PictureBlock, ...]:
        """Take everything back; returns the pictures."""
        pictures = tuple(each.picture for each in self._given if each.picture is not None)
        for each in list(self._given):
            self.remove(each)
        self._trouble.hide()
        self.hide()
        return pictures

    # ---- how it looks ---------------------------------------------------------------------

    def _say(self, words: str) -> None:
        self._trouble.set_words(words)
        self._trouble.show()
        self.show()

    def _replace_view(self, given: Attachment) -> None:
        view = self._chip(given)
        if given.view is None:
            self._column.insertWidget(self._column.count() - 1, view)
        else:
            self._column.replaceWidget(given.view, view)
            given.view.hide()
            given.view.deleteLater()
        given.view = view
        view.show()

    def _chip(self, given: Attachment) -> QWidget:
        card = Card(self._theme, "window", shadow=False)
        card.box.setContentsMargins(8, 3, 3, 3 + SHADOW)
        row = QHBoxLayout()
        row.setSpacing(8)
        if given.picture is not None:
            thumb = Thumbnail(self._theme)
            thumb.show_shot(Shot(jpeg_of(given.picture), Rect(0, 0, 1, 1)), None)
            row.addWidget(thumb)
        else:
            row.addWidget(Icon(self._theme, "file" if given.words else "picture", "soft"))
        words = WrappedText(self._theme, role="small", lines=2)
        words.set_words(given.name)
        row.addWidget(words, 1)
        name = tr("Remove {name}").format(name=visible(given.name))
        remove = Button(self._theme, kind="icon", icon="close", name=name)
        remove.setFixedSize(28, 28)
        remove.clicked.connect(partial(self._remove_pressed, given))
        row.addWidget(remove)
        card.box.addLayout(row)
        card.setAccessibleName(visible(given.name))
        return card

    def _remove_pressed(self, given: Attachment, _checked: bool = False) -> None:
        self.remove(given)

    def choose(self) -> None:
        """Let the user choose files in a dialog."""
        dialog = QFileDialog(self.window(), tr("Give files or pictures with the goal"))
        dialog.setFileMode(QFileDialog.FileMode.ExistingFiles)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.filesSelected.connect(self._chosen)
        dialog.open()

    def _chosen(self, files: list[str]) -> None:
        for file in files:
            self.add_file(Path(file))


def path_words(path: Path) -> str:
    """How a file is named in a goal, as in `file: "~/Documents/x.csv"`; "" when its name cannot be written so."""
    home = Path.home()
    text = f"~/{path.relative_to(home).as_posix()}" if path.is_relative_to(home) else str(path)
    return "" if '"' in text or "\n" in text or visible(text) != text else f'file: "{text}"'


def _files(data: QMimeData) -> list[Path]:
    return [Path(url.toLocalFile()) for url in data.urls() if url.isLocalFile()]


class DropCatcher(QObject):
    """Lets files and pictures be dropped anywhere in a window. Signal: `over(bool)` while they are held over it."""

    over = Signal(bool)

    def __init__(self, window: QWidget, attachments: Attachments) -> None:
        super().__init__(window)
        self._attachments = attachments
        window.setAcceptDrops(True)
        window.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        match event:
            case QDropEvent() if event.type() == QEvent.Type.Drop:
                self.over.emit(False)
                if self._attachments.take(event.mimeData()):
                    event.setDropAction(Qt.DropAction.CopyAction)
                    event.accept()
                return True
            case QDragEnterEvent() | QDragMoveEvent() if self._attachments.takes(event.mimeData()):
                event.setDropAction(Qt.DropAction.CopyAction)
                event.accept()
                self.over.emit(True)
                return True
        if event.type() == QEvent.Type.DragLeave:
            self.over.emit(False)
        return False
