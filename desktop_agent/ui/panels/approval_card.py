"""The approval card: picture, window, exact operations, reason, and buttons that always stay visible."""

from __future__ import annotations

from PySide6.QtCore import QElapsedTimer, QPoint, QRect, QSize, Signal
from PySide6.QtWidgets import QHBoxLayout, QLayout, QLayoutItem, QVBoxLayout, QWidget

from desktop_agent.protocol.agent_events import ApprovalAsked, AskedRow
from desktop_agent.ui.panels.asked_rows_view import AskedRowsView, marked
from desktop_agent.ui.widgets.buttons import Button
from desktop_agent.ui.widgets.primitives import SHADOW, Card
from desktop_agent.ui.widgets.scroll_area import ScrollArea
from desktop_agent.ui.widgets.theme import Theme
from desktop_agent.ui.widgets.thumbnails import ApprovalPicture
from desktop_agent.ui.widgets.wrapped_text import WrappedText, escape_invisible, tool_tip_text

SMALLEST_PICTURE = 40
# A click or key that was already on its way when the card appeared must not count as a yes.
ARMED_MS = 350
LONG_HEADLINE = 80
"""Characters from which on a headline may be cut: then it stands whole below."""


class FlowLayout(QLayout):
    """A flow layout: items in rows from left to right, each row as wide as there is room."""

    def __init__(self, spacing: int = 7) -> None:
        super().__init__()
        self._items: list[QLayoutItem] = []
        self._gap = spacing

    def addItem(self, item: QLayoutItem) -> None:
        self._items.append(item)

    def count(self) -> int:
        return len(self._items)

    def itemAt(self, index: int) -> QLayoutItem | None:
        return self._items[index] if 0 <= index < len(self._items) else None

    def takeAt(self, index: int) -> QLayoutItem | None:
        return self._items.pop(index) if 0 <= index < len(self._items) else None

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        return self._place(QRect(0, 0, width, 0), apply=False)

    def sizeHint(self) -> QSize:
        return self.minimumSize()

    def minimumSize(self) -> QSize:
        sizes = [item.sizeHint() for item in self._items if not item.isEmpty()]
        return QSize(max((s.width() for s in sizes), default=0), max((s.height() for s in sizes), default=0))

    def setGeometry(self, area: QRect) -> None:
        super().setGeometry(area)
        self._place(area, apply=True)

    def _place(self, area: QRect, apply: bool) -> int:
        x, y, row = area.x(), area.y(), 0
        for item in self._items:
            if item.isEmpty():
                continue
            size = item.sizeHint().boundedTo(QSize(area.width(), item.sizeHint().height()))
            if x > area.x() and x + size.width() > area.x() + area.width():
                x, y, row = area.x(), y + row + self._gap, 0
            if apply:
                item.setGeometry(QRect(QPoint(x, y), size))
            x += size.width() + self._gap
            row = max(row, size.height())
        return y + row - area.y()


def _rows(asked: ApprovalAsked) -> tuple[AskedRow, ...]:
    """What is shown whole; a question without rows has its operations as they are carried out."""
    rows = asked.rows or tuple(AskedRow("Does", each, "does") for each in asked.exact)
    headline = (AskedRow("In words", asked.words, "content"),) if len(asked.words) > LONG_HEADLINE else ()
    window = (AskedRow("Window", asked.window),) if asked.window else ()
    return (*rows, *headline, *window)


class ApprovalCard(Card):
    """Asks the user to approve a batch before it is carried out.

    A yes within ARMED_MS of the card appearing is ignored. Signals, with the id of the ApprovalAsked event:
    `approved(id, always)`; `skipped(id)`; `edited(id)` when the user will say what to do instead.
    """

    approved = Signal(str, bool)
    skipped = Signal(str)
    edited = Signal(str)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, edge="warn", parent=parent)
        self._asked: ApprovalAsked | None = None
        self._age = QElapsedTimer()
        self._count = WrappedText(theme, role="small", color="soft", right=True)
        self._picture = ApprovalPicture(theme)
        self._words = WrappedText(theme, role="strong", lines=4)
        self.rows = AskedRowsView(theme)
        self._more = WrappedText(theme, "More below: scroll to read all of it.", role="small", color="warn")
        self._always_words = WrappedText(theme, role="small", color="soft")
        self._why = WrappedText(theme, role="small", color="warn")
        self._source = WrappedText(theme, role="small", color="warn")
        self.keys_note = WrappedText(theme, role="small", color="soft")
        self.approve = Button(
            theme, "Approve", kind="primary", cap="Ctrl Alt ↵", name="Approve (Ctrl+Alt+Enter)"
        )
        self.skip = Button(theme, "Skip", cap="Ctrl Alt ⌫", name="Skip (Ctrl+Alt+Backspace)")
        self.edit = Button(theme, "Edit", name="Say what to do instead")
        self.always = Button(theme, "Always", name="Approve now and always, until you close the program")
        self._lay_out(theme)
        self.approve.clicked.connect(lambda: self.answer(yes=True))
        self.skip.clicked.connect(lambda: self.answer(yes=False))
        self.always.clicked.connect(lambda: self.answer(yes=True, always=True))
        self.edit.clicked.connect(self._edit_clicked)
        self.hide()

    def _lay_out(self, theme: Theme) -> None:
        head = QHBoxLayout()
        head.addWidget(WrappedText(theme, "MAY I?", role="caps", color="warn"), 1)
        head.addWidget(self._count)
        self.box.addLayout(head)
        self.box.addWidget(self._picture)
        self.box.addWidget(self._make_text(theme))
        self.box.addWidget(self._more)
        buttons = FlowLayout()
        for button in (self.approve, self.skip, self.edit, self.always):
            buttons.addWidget(button)
        self.box.addLayout(buttons)
        self.box.addWidget(self.keys_note)
        self.keys_note.hide()

    def _make_text(self, theme: Theme) -> ScrollArea:
        """Build the scroll area that holds words, reason, and every text whole."""
        self._reason = Card(theme, "warn_tint", "warn_tint", shadow=False)
        self._reason.box.setContentsMargins(9, 6, 9, 6 + SHADOW)
        self._reason.box.setSpacing(3)
        self._reason.box.addWidget(self._why)
        self._reason.box.addWidget(self._source)
        self._inner = QWidget()
        self._column = QVBoxLayout(self._inner)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(7)
        for part in (self._words, self._reason, self.rows, self._always_words):
            self._column.addWidget(part)
        self._text = ScrollArea(theme)
        self._text.set_content(self._inner)
        return self._text

    # ---- showing --------------------------------------------------------------------------

    def show_asked(self, asked: ApprovalAsked | None) -> None:
        """Show the request, or hide the card for None; the same request again changes nothing."""
        if asked is self._asked:
            return
        self._asked = asked
        self.setVisible(asked is not None)
        if asked is None:
            return
        self._age.start()
        for button in (self.approve, self.skip, self.edit, self.always):
            button.setEnabled(True)
        count = len(asked.exact)
        self._count.set_words("1 action" if count == 1 else f"{count} actions")
        self._picture.show_picture(asked.picture, asked.at)
        self._words.set_words(*marked(asked.words))
        self.rows.show_rows(_rows(asked))
        self._reason.setVisible(bool(asked.why or asked.source))
        self._why.set_words(*marked(asked.why))
        self._source.setVisible(bool(asked.source))
        self._source.set_words(*marked(asked.source))
        always = f"Always: {asked.covers}, until you close the program." if asked.covers else ""
        self._always_words.set_words(*marked(always))
        self._always_words.setVisible(bool(always))
        self.always.setToolTip(tool_tip_text(escape_invisible(always)))
        self.always.setVisible(asked.lasting)
        self._text.verticalScrollBar().setValue(0)
        # What may not be allowed for longer is doubtful: the eye is led to the safe answer then.
        self.approve.set_kind("primary" if asked.lasting else "plain")
        self.skip.set_kind("plain" if asked.lasting else "primary")
        reason = f"{asked.why[:500]} {asked.source[:300]}".strip()
        self.setAccessibleName(f"May I? {asked.words[:500]} in {asked.window[:200]}. {reason}")

    def show_keys(self, trouble: str) -> None:
        """Show under the buttons why the global shortcuts do not work; hidden when `trouble` is empty."""
        self.keys_note.set_words(trouble)
        self.keys_note.setVisible(bool(trouble))

    def fit(self, width: int, height: int) -> int:
        """Lay out for `width` x `height` pixels and return the height used: first the picture shrinks, then text scrolls."""
        inside = max(1, width - self.box.contentsMargins().left() - self.box.contentsMargins().right())
        words = self._column.heightForWidth(inside)
        picture = self._picture.wanted(inside)
        self._more.hide()
        self._set_heights(picture, words)
        over = self.box.heightForWidth(width) - height
        if over > 0 and picture:
            picture = picture - over if picture - over >= SMALLEST_PICTURE else 0
            self._set_heights(picture, words)
            over = self.box.heightForWidth(width) - height
        if over > 0:
            self._more.show()
            self.box.invalidate()
            over = self.box.heightForWidth(width) - height
            self._set_heights(picture, max(self.fontMetrics().height() * 2, words - over))
        return self.box.heightForWidth(width)

    def _set_heights(self, picture: int, words: int) -> None:
        self._picture.setVisible(picture > 0)
        self._picture.setFixedHeight(picture)
        self._text.setFixedHeight(words)
        self.box.invalidate()

    @property
    def armed(self) -> bool:
        """True once the card has been shown for ARMED_MS: only then a yes counts."""
        return self._asked is not None and self._age.hasExpired(ARMED_MS)

    # ---- answering ------------------------------------------------------------------------

    def answer(self, *, yes: bool, always: bool = False) -> None:
        """Emit `approved` or `skipped` and disable the buttons; a yes before the card is armed is ignored."""
        if self._asked is None or (yes and not self.armed):
            return
        for button in (self.approve, self.skip, self.edit, self.always):
            button.setEnabled(False)
        if yes:
            self.approved.emit(self._asked.id, always)
        else:
            self.skipped.emit(self._asked.id)

    def _edit_clicked(self) -> None:
        if self._asked is not None:
            self.edited.emit(self._asked.id)
