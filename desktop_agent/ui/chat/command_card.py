"""A command of an environment as a card: where it ran, the command and what it printed, and what came of it."""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtCore import QPoint, QRectF, Qt, QTimer, Signal
from PySide6.QtGui import (
    QContextMenuEvent,
    QFocusEvent,
    QGuiApplication,
    QKeyEvent,
    QKeySequence,
    QPainter,
    QPaintEvent,
    QPen,
)
from PySide6.QtWidgets import QApplication, QHBoxLayout, QVBoxLayout, QWidget

from desktop_agent.protocol.agent_events import MOST_OUTPUT
from desktop_agent.support.language import tr
from desktop_agent.support.terminal_text import visible
from desktop_agent.ui.chat.message_view import PART, MessageText
from desktop_agent.ui.panels.activity_feed import duration_text, outcome_words
from desktop_agent.ui.view_model import ActivityRow
from desktop_agent.ui.widgets.buttons import Button
from desktop_agent.ui.widgets.primitives import RADIUS, SHADOW, Card, Icon
from desktop_agent.ui.widgets.theme import Theme
from desktop_agent.ui.widgets.wrapped_text import WrappedText

COMMAND_LINES, OUTPUT_LINES = 8, 6
"""Lines that a folded text shows."""
A_LINE = 60
"""Characters that count as one line of a text with fewer line feeds."""
_MARKS = {
    None: ("clock", "soft"),
    "done": ("check", "ok"),
    "refused": ("warn", "stop"),
    "failed": ("warn", "stop"),
    "stopped": ("stop", "warn"),
    "skipped": ("right", "soft"),
}
_PAD = 11
_NAMED = 80
"""Characters of a command by which screen readers tell the buttons of one card from those of another."""


class FoldedText(QWidget):
    """Plain text in monospace that can be selected; a long one is folded to so many lines behind a button.

    Signal: `menu_wanted(place)`, at a place of the screen.
    """

    menu_wanted = Signal(QPoint)

    def __init__(self, theme: Theme, lines: int, *, quiet: bool = False) -> None:
        super().__init__()
        self._theme, self._lines, self._quiet = theme, lines, quiet
        self._text = self._title = self._name = ""
        self._whole = self._end = False
        self._rest: list[str] = []
        self._timer = QTimer(self, singleShot=True, interval=0)
        self._timer.timeout.connect(self._add_part)
        self.more = Button(theme, kind="chip")
        self.more.clicked.connect(self._toggle)
        self._words = QVBoxLayout()
        self._words.setSpacing(0)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(6)
        column.addLayout(self._words)
        column.addWidget(self.more, 0, Qt.AlignmentFlag.AlignLeft)
        self.texts: list[MessageText] = []

    def show_text(self, text: str, name: str, *, end: bool = False) -> None:
        """Show `text`; `name` is what it is called to screen readers. Folded, its `end` is shown, or its beginning."""
        self._text, self._title, self._end = text, name, end
        self._name = self._name or name
        long = _head(text, self._lines) != text
        self.more.setVisible(long)
        self._tell()
        first, *self._rest = list(_pieces(text)) if self._whole or not long else [self._folded()]
        while len(self.texts) > 1:
            self._take_out(self.texts.pop())
        if not self.texts:
            self._add(first)
        else:
            self.texts[0].show_text(first)
        self.texts[0].setAccessibleName(self._name)
        if self._rest:
            self._timer.start()

    def call(self, name: str) -> None:
        """Have screen readers call the text by this name from now on; the button keeps its own."""
        self._name = name
        for text in self.texts:
            text.setAccessibleName(name)

    def _folded(self) -> str:
        if self._end:
            return "… " + _head(self._text[::-1], self._lines)[::-1].lstrip()
        return _head(self._text, self._lines).rstrip() + " …"

    def _add(self, piece: str) -> None:
        text = MessageText(self._theme, bubble=False, quiet=self._quiet)
        text.setFont(self._theme.font("mono"))
        text.menu_wanted.connect(self.menu_wanted)
        text.show_text(piece)
        text.setAccessibleName(self._name)
        self.texts.append(text)
        self._words.addWidget(text)

    def _add_part(self) -> None:
        """Show one more piece of a long text; the rest follows when the window has had its turn."""
        if self._rest:
            self._add(self._rest.pop(0))
        if self._rest:
            self._timer.start()

    def _take_out(self, text: MessageText) -> None:
        self._words.removeWidget(text)
        text.hide()
        text.deleteLater()

    def _toggle(self) -> None:
        self._whole = not self._whole
        self.show_text(self._text, self._title, end=self._end)

    def _tell(self) -> None:
        count = self._text.count("\n") + 1
        lines = tr("Show all {n} lines").format(n=f"{count:,}") if count > self._lines else tr("Show all")
        self.more.setText(tr("Show less") if self._whole else lines)
        self.more.setAccessibleName(f"{self.more.text()}: {self._title[:_NAMED]}")

    @property
    def selected(self) -> str:
        """The selected words, "" for none."""
        cursors = (text.textCursor() for text in self.texts)
        return next((each.selection().toPlainText() for each in cursors if each.hasSelection()), "")

    def recolor(self) -> None:
        """Apply the current theme's colours."""
        for text in self.texts:
            text.recolor()


def _head(text: str, lines: int) -> str:
    """The first lines of a text; long lines count for as many as they would be."""
    return "\n".join(text[: lines * A_LINE].split("\n")[:lines])


def _pieces(text: str) -> Iterator[str]:
    """The text in pieces of about PART characters, cut at line feeds where there are any."""
    while len(text) > PART:
        end = text.rfind("\n", PART // 2, PART)
        yield text[: end if end > 0 else PART]
        text = text[end + 1 if end > 0 else PART :]
    yield text


class CommandCard(QWidget):
    """Shows one command. Ctrl+C copies the selected words, or the command.

    Signal: `menu_wanted(place)`, at a place of the screen.
    """

    menu_wanted = Signal(QPoint)

    def __init__(self, theme: Theme, row: ActivityRow) -> None:
        super().__init__()
        self._theme, self.row = theme, row
        self._shown: tuple[object, ...] = ()
        self._ring = False
        self._mark = Icon(theme, "clock", "soft", 14)
        self._where = WrappedText(theme, role="mono_strong", lines=1)
        self._where.set_words(row.environment)
        self._outcome = WrappedText(theme, role="small", color="soft", lines=1)
        self._reason = WrappedText(theme, role="small", color="soft", lines=OUTPUT_LINES)
        self._seconds = WrappedText(theme, role="small", color="soft", right=True)
        self.copy = Button(theme, kind="icon", icon="copy", name=tr("Copy the command"))
        self.copy.setFixedSize(28, 28)
        self.copy.clicked.connect(self.copy_command)
        self.command = FoldedText(theme, COMMAND_LINES)
        self.output = FoldedText(theme, OUTPUT_LINES, quiet=True)
        for text in (self.command, self.output):
            text.menu_wanted.connect(self.menu_wanted)
        self._lay_out()
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self._said = " ".join(visible(row.command[:300]).split())
        self._name = f"{tr('Command in {place}').format(place=row.environment)}: {self._said}"
        self.copy.setAccessibleName(f"{tr('Copy the command')}: {self._said[:_NAMED]}")
        self.command.show_text(row.command.rstrip("\n"), self._name)
        self.refresh()

    def _lay_out(self) -> None:
        box = QVBoxLayout(self)
        box.setContentsMargins(_PAD, 5, 6, 9)
        box.setSpacing(4)
        head = QHBoxLayout()
        head.setSpacing(7)
        for before in (self._mark, self._where, self._outcome):
            head.addWidget(before)
        head.addStretch(1)
        head.addWidget(self._seconds)
        head.addWidget(self.copy)
        box.addLayout(head)
        ground = Card(self._theme, "window", "line", shadow=False)
        ground.box.setContentsMargins(9, 6, 9, 6 + SHADOW)
        ground.box.addWidget(self.command)
        below = QVBoxLayout()
        below.setContentsMargins(0, 0, _PAD - 6, 0)
        below.setSpacing(4)
        below.addWidget(ground)
        printed = QVBoxLayout()
        printed.setContentsMargins(9, 0, 9, 0)
        printed.setSpacing(4)
        printed.addWidget(self.output)
        printed.addWidget(self._reason)
        below.addLayout(printed)
        box.addLayout(below)

    def refresh(self) -> bool:
        """Update from the row; returns True when something shown has changed."""
        row = self.row
        shown = (row.outcome, row.detail, row.output, row.seconds)
        if shown == self._shown:
            return False
        self._shown = shown
        self._mark.set_icon(*_MARKS[row.outcome])
        words, tone = outcome_words(row)
        self._outcome.set_color(tone)
        self._reason.set_color(tone)
        for label, said in ((self._outcome, words), (self._seconds, duration_text(row))):
            label.set_words(said)
            label.setVisible(bool(said))
            label.setMinimumWidth(
                label.sizeHint().width()
            )  # the name of the environment is cut short before them
        reason = "" if row.output.strip().startswith(row.detail.rstrip("….")) else row.detail
        self._reason.set_words(reason)
        self._reason.setVisible(bool(reason))
        printed = row.output.strip("\n")
        self.output.setVisible(bool(printed.strip()))
        begun = "…" if len(row.output) >= MOST_OUTPUT else ""  # only its end was told
        failed = row.outcome == "failed"  # why stands at the end
        self.output.show_text(begun + printed, f"{tr('What it printed')}: {self._said[:_NAMED]}", end=failed)
        self.setAccessibleName(", ".join(filter(None, (self._name, words, reason[:300], duration_text(row)))))
        self.command.call(self.accessibleName())
        self.setAccessibleDescription(visible(printed[:1_000]))
        return True

    # ---- the hand -------------------------------------------------------------------------

    @property
    def selected(self) -> str:
        """The selected words, "" for none."""
        return self.command.selected or self.output.selected

    @property
    def busy(self) -> bool:
        """True while something in it has the keyboard or is selected: it must not be taken away then."""
        focus = QApplication.focusWidget()
        return focus is self or (focus is not None and self.isAncestorOf(focus)) or bool(self.selected)

    def copy_command(self) -> None:
        """Put the command, whole, on the clipboard."""
        QGuiApplication.clipboard().setText(self.row.command)

    def copy_output(self) -> None:
        """Put what it printed, as far as it was told, on the clipboard."""
        QGuiApplication.clipboard().setText(self.row.output)

    def set_tab_stop(self, tab: bool) -> None:
        """Let Tab come to it and from there to its buttons, or only a click to it: the arrow keys come to it then."""
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus if tab else Qt.FocusPolicy.ClickFocus)
        for button in (self.copy, self.command.more, self.output.more):
            button.setFocusPolicy(Qt.FocusPolicy.StrongFocus if tab else Qt.FocusPolicy.NoFocus)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if not event.matches(QKeySequence.StandardKey.Copy):
            super().keyPressEvent(event)
        elif self.selected:
            QGuiApplication.clipboard().setText(self.selected)
        else:
            self.copy_command()

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        self.menu_wanted.emit(event.globalPos())

    def focusInEvent(self, event: QFocusEvent) -> None:
        self._ring = True
        self.update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        self._ring = False
        self.update()

    def recolor(self) -> None:
        """Apply the current theme's colours."""
        self.command.recolor()
        self.output.recolor()

    def paintEvent(self, event: QPaintEvent) -> None:
        edge, wide = ("accent", 2) if self._ring else ("line", 1)
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(self._theme.color(edge), wide))
        painter.setBrush(self._theme.color("card"))
        inset = wide / 2
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(inset, inset, -inset, -inset), RADIUS, RADIUS)
        painter.end()


def estimated_height(row: ActivityRow, width: int, char: int, line: int) -> int:
    """About the height of a card that is not built, in a font of so wide and high characters."""
    room = max(60, width - 2 * (_PAD + 10))
    lines = sum(
        max(text.count("\n") + 1, -(-len(text) * char // room)) if text else 0
        for text in (_head(row.command, COMMAND_LINES), _head(row.output.strip("\n"), OUTPUT_LINES))
    )
    return 62 + lines * line
