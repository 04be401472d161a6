"""The editor of `privacy.regions`: rectangles on a picture of the screen, and buttons for those who use no mouse."""

from __future__ import annotations

from typing import Any

from PySide6.QtGui import QGuiApplication, QImage
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout

from desktop_agent.protocol.geometry import Rect
from desktop_agent.support.language import tr
from desktop_agent.ui.settings.editors.mask_canvas import MaskCanvas
from desktop_agent.ui.settings.editors.value_editors import Editor
from desktop_agent.ui.settings.latest_task import LatestTask
from desktop_agent.ui.settings.options.surroundings import ScreenPicture, Surroundings
from desktop_agent.ui.widgets.buttons import Button
from desktop_agent.ui.widgets.theme import Theme
from desktop_agent.ui.widgets.wrapped_text import WrappedText


class MaskEditor(Editor):
    """A canvas with what is selected in words; the picture is taken when the editor is made, and again on demand."""

    wide = True

    def __init__(self, theme: Theme, surroundings: Surroundings) -> None:
        super().__init__()
        self._surroundings = surroundings
        self.canvas = MaskCanvas(theme)
        self.words = WrappedText(theme, self.canvas.words(), role="small", color="soft")
        self.help = WrappedText(
            theme,
            tr(
                "Drag to draw. Keys: N adds, arrows move, Shift+arrows resize, Delete removes, Page Up and Page Down select."
            ),
            role="small",
            color="soft",
        )
        self.add = Button(theme, tr("Add a part"), icon="plus")
        self.remove = Button(theme, tr("Remove it"), icon="close")
        self.renew = Button(theme, tr("New picture"), icon="picture")
        self._lay_out()
        self._work = LatestTask(self)
        self._work.done.connect(self._show)
        self._work.failed.connect(self._show_problem)
        self.canvas.changed.connect(self._tell)
        self.canvas.selected_changed.connect(self._selected)
        self.add.clicked.connect(self.canvas.add)
        self.remove.clicked.connect(self.canvas.remove)
        self.renew.clicked.connect(self.take_picture)
        self.setFocusProxy(self.canvas)
        self._show_without_picture()
        self._selected()
        self.take_picture()

    def _lay_out(self) -> None:
        row = QHBoxLayout()
        row.setSpacing(8)
        for button in (self.add, self.remove, self.renew):
            row.addWidget(button)
        row.addStretch(1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(6)
        for part in (self.canvas, self.words):
            column.addWidget(part)
        column.addLayout(row)
        column.addWidget(self.help)

    def take_picture(self) -> None:
        """Take a new picture of the screen, in a thread."""
        take = self._surroundings.picture
        self.renew.setVisible(take is not None)
        if take is not None:
            self._work.run(take)

    def show_value(self, value: Any) -> None:
        self.canvas.show_rects([Rect(*each) for each in value or ()])
        self._selected()

    def _show(self, picture: ScreenPicture) -> None:
        self.canvas.show_picture(QImage.fromData(picture.image), picture.region)

    def _show_problem(self, problem: str) -> None:
        self.words.set_words(tr("No picture of the screen: {problem}").format(problem=problem))

    def _show_without_picture(self) -> None:
        """An empty picture as large as the screen, so that rectangles can be drawn all the same."""
        screen = QGuiApplication.primaryScreen()
        size, ratio = screen.size(), screen.devicePixelRatio()
        self.canvas.show_picture(
            QImage(), Rect(0, 0, round(size.width() * ratio), round(size.height() * ratio))
        )

    def _selected(self) -> None:
        self.words.set_words(self.canvas.words())
        self.remove.setEnabled(self.canvas.selected >= 0)

    def _tell(self) -> None:
        self.edited.emit([[each.x, each.y, each.width, each.height] for each in self.canvas.rects], "")
