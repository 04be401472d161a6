"""The screen of the environments: what they show now, as the model is told it, in a panel that can be folded."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QPalette, QResizeEvent, QTextOption
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPlainTextEdit, QWidget

from desktop_agent.support.language import tr
from desktop_agent.support.terminal_text import visible
from desktop_agent.ui.widgets.buttons import INSET, Button
from desktop_agent.ui.widgets.primitives import SHADOW, Card
from desktop_agent.ui.widgets.scroll_area import ThinBar
from desktop_agent.ui.widgets.theme import Theme
from desktop_agent.ui.widgets.wrapped_text import WrappedText

MOST_LINES = 14
"""Lines of the panel; more are scrolled to."""


class ShownText(QPlainTextEdit):
    """Plain text in monospace that is scrolled, selected and copied; as high as it needs, up to MOST_LINES."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._waiting: str | None = None
        self.setReadOnly(True)
        self.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self.setTabChangesFocus(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.NoContextMenu)
        self.setFont(theme.font("mono"))
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWordWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollBar(ThinBar(theme))
        self.document().setDocumentMargin(0)
        self.viewport().setAutoFillBackground(False)
        self.copyAvailable.connect(self._selected)
        theme.changed.connect(self._recolor)
        self._recolor()

    def _recolor(self) -> None:
        palette = self._theme.palette()
        palette.setColor(QPalette.ColorRole.Base, self._theme.color("window"))
        self.setPalette(palette)

    def show_words(self, text: str) -> None:
        """Show `text` at the same place of it; while words are selected it waits, or they could not be copied."""
        if self.textCursor().hasSelection():
            self._waiting = text
            return
        self._waiting = None
        bar = self.verticalScrollBar()
        place, at_end = bar.value(), bar.value() == bar.maximum() > 0
        self.setPlainText(visible(text))
        self.fit()
        bar.setValue(bar.maximum() if at_end else place)

    def _selected(self, some: bool) -> None:
        if not some and self._waiting is not None:
            self.show_words(self._waiting)

    def fit(self) -> None:
        """Take the height of the text, up to MOST_LINES."""
        lines, needed, block = 0, 0.0, self.document().begin()
        while block.isValid() and lines < MOST_LINES:
            height, count = self.blockBoundingRect(block).height(), max(1, block.layout().lineCount())
            shown = min(count, MOST_LINES - lines)
            lines, needed = lines + shown, needed + height * shown / count
            block = block.next()
        self.setFixedHeight(max(self.fontMetrics().height(), round(needed + 0.49)))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self.fit()


class EnvironmentsCard(Card):
    """Shows what the environments of a run show; hidden where it has none. Its heading folds it to itself alone.

    Signals: `folded(bool)` when the user has folded or unfolded it.
    """

    folded = Signal(bool)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, parent=parent)
        self._shown = ""
        self._folded = self._compact = False
        self.heading = Button(theme, tr("SCREEN"), kind="head", icon="down")
        self.heading.clicked.connect(self._flip)
        self._about = WrappedText(theme, tr("what the environments show"), role="small", color="soft", lines=1, right=True)  # fmt: skip
        self.text = ShownText(theme)
        self.text.setAccessibleName(tr("Screen of the environments"))
        self._ground = Card(theme, "window", "line", shadow=False)
        self._ground.box.setContentsMargins(9, 7, 4, 7 + SHADOW)
        self._ground.box.addWidget(self.text)
        self.box.setContentsMargins(13 - INSET, 8, 13, 8 + SHADOW)
        self.box.setSpacing(4)
        head = QHBoxLayout()
        head.addWidget(self.heading)
        head.addWidget(self._about, 1)
        self.box.addLayout(head)
        inside = QHBoxLayout()
        inside.setContentsMargins(INSET, 0, 0, 4)
        inside.addWidget(self._ground)
        self.box.addLayout(inside)
        self._fit()
        self.hide()

    def show_environments(self, text: str) -> None:
        """Show what the environments show; hidden for ""."""
        self.setVisible(bool(text.strip()))
        if text != self._shown:
            self._shown = text
            self.text.show_words(text.strip("\n"))

    def fold(self, folded: bool) -> None:
        """Show the heading alone while `folded`."""
        self._folded = folded
        self._fit()

    def set_compact(self, compact: bool) -> None:
        """Show the heading alone while `compact`, that is on a low window."""
        self._compact = compact
        self._fit()

    def _flip(self) -> None:
        self.fold(not self._folded)
        self.folded.emit(self._folded)

    def _fit(self) -> None:
        closed = self._folded or self._compact
        self._ground.setVisible(not closed)
        name = tr("Screen of the environments, collapsed") if closed else tr("Screen of the environments, expanded")  # fmt: skip
        self.heading.set_icon("right" if closed else "down", name)
        self.heading.setEnabled(not self._compact)
