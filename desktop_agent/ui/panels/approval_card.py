"""The approval card: what, where and whose words at one glance, all of it whole, and buttons that always stay visible."""

from __future__ import annotations

from itertools import pairwise

from PySide6.QtCore import QElapsedTimer, Signal
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from desktop_agent.protocol.agent_events import ApprovalAsked, AskedPlace, AskedRow
from desktop_agent.support.language import tr
from desktop_agent.ui.panels.asked_rows_view import AskedRowsView, marked
from desktop_agent.ui.panels.change_editor import ChangeEditor
from desktop_agent.ui.panels.glance import Tag, Where
from desktop_agent.ui.widgets.buttons import Button
from desktop_agent.ui.widgets.flow_layout import FlowLayout
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


def _rows(asked: ApprovalAsked) -> tuple[AskedRow, ...]:
    """What is shown whole; a question without rows has its operations as they are carried out."""
    rows = asked.rows or tuple(AskedRow("Does", each, "does") for each in asked.exact)
    headline = (AskedRow("In words", asked.words, "content"),) if len(asked.words) > LONG_HEADLINE else ()
    return (*headline, *rows)


def _places(asked: ApprovalAsked) -> tuple[AskedPlace, ...]:
    return asked.places or ((AskedPlace(window=asked.window),) if asked.window else ())


class ApprovalCard(Card):
    """Asks the user to approve a batch before it is carried out.

    A yes within ARMED_MS of the card appearing is ignored. Signals, with the id of the ApprovalAsked event:
    `approved(id, always)`; `skipped(id)`; `changed(id, changes)`, with OpChanges that are to be asked about anew;
    `instead(id)` when the user will say what to do instead. `writing(bool)`: the keyboard is wanted here, or no more;
    `resized()` when the card needs another height.
    """

    approved = Signal(str, bool)
    skipped = Signal(str)
    changed = Signal(str, tuple)
    instead = Signal(str)
    writing = Signal(bool)
    resized = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, edge="warn", parent=parent)
        self._asked: ApprovalAsked | None = None
        self._age = QElapsedTimer()
        self.editing = False
        self._count = WrappedText(theme, role="small", color="soft", right=True)
        self._picture = ApprovalPicture(theme)
        self._words = WrappedText(theme, role="headline", lines=4)
        self._where = Where(theme)
        self._whose, self._own, self._fault = Tag(theme), Tag(theme), Tag(theme)
        self.rows, self.details = AskedRowsView(theme), AskedRowsView(theme)
        self.editor = ChangeEditor(theme)
        self._more = WrappedText(
            theme, tr("More below: scroll to read all of it."), role="small", color="warn"
        )
        self._always_words = WrappedText(theme, role="small", color="soft")
        self._why = WrappedText(theme, role="small", color="warn")
        self._source = WrappedText(theme, role="small", color="warn")
        self.keys_note = WrappedText(theme, role="small", color="soft")
        self._make_buttons(theme)
        self._lay_out(theme)
        self.hide()

    def _make_buttons(self, theme: Theme) -> None:
        self.approve = Button(
            theme, tr("Approve"), kind="primary", cap="Ctrl Alt ↵", name=tr("Approve (Ctrl+Alt+Enter)")
        )
        self.skip = Button(theme, tr("Skip"), cap="Ctrl Alt ⌫", name=tr("Skip (Ctrl+Alt+Backspace)"))
        self.edit = Button(theme, tr("Change…"), name=tr("Change it before it is done (Ctrl+Alt+E)"))
        self.say = Button(theme, tr("Say instead"), name=tr("Say what to do instead"))
        self.always = Button(theme, tr("Always here"))
        self.use = Button(theme, tr("Use this"), kind="primary", name=tr("Use this; you are asked once more"))
        self.back = Button(theme, tr("Back"), name=tr("Back without a change"))
        self.fold = Button(theme, tr("Details"), kind="head", icon="right")
        self.approve.clicked.connect(lambda: self.answer(yes=True))
        self.skip.clicked.connect(lambda: self.answer(yes=False))
        self.always.clicked.connect(lambda: self.answer(yes=True, always=True))
        self.edit.clicked.connect(self._edit_clicked)
        self.say.clicked.connect(self._say_clicked)
        self.use.clicked.connect(self._use_clicked)
        self.back.clicked.connect(lambda: self._show_editing(editing=False))
        self.fold.clicked.connect(lambda: self._show_details(shown=self.details.isHidden()))

    @property
    def _answers(self) -> tuple[Button, ...]:
        return self.approve, self.skip, self.edit, self.say, self.always

    def _lay_out(self, theme: Theme) -> None:
        head = QHBoxLayout()
        head.addWidget(WrappedText(theme, tr("MAY I?"), role="caps", color="warn"), 1)
        head.addWidget(self._count)
        self.box.addLayout(head)
        self.box.addWidget(self._picture)
        self.box.addWidget(self._make_text(theme))
        self.box.addWidget(self._more)
        buttons = FlowLayout()
        for button in (self.use, self.back, *self._answers):
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
        self._column.setSpacing(8)
        for part in (self._words, self._where, self._fault, self._own, self.editor, self._whose, self._reason,
                     self.rows, self.fold, self.details, self._always_words):  # fmt: skip
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
            self._show_editing(editing=False)
            return
        self._age.start()
        for button in self._answers:
            button.setEnabled(True)
        count = len(asked.exact)
        self._count.set_words(tr("1 action") if count == 1 else tr("{n} actions").format(n=count))
        self._picture.show_picture(asked.picture, asked.at)
        self._show_glance(asked)
        rows = _rows(asked)
        self.rows.show_rows([row for row in rows if not row.told])
        self.details.show_rows([row for row in rows if row.told])
        self._show_always(asked)
        self._show_editing(editing=False)
        self._show_details(shown=False)
        self.fold.setVisible(any(row.told for row in rows))
        self._text.verticalScrollBar().setValue(0)
        # What may not be allowed for longer is doubtful: the eye is led to the safe answer then.
        self.approve.set_kind("primary" if asked.lasting else "plain")
        self.skip.set_kind("plain" if asked.lasting else "primary")
        self._announce(asked)

    def _show_glance(self, asked: ApprovalAsked) -> None:
        self._words.set_words(*marked(asked.words))
        self._where.show_places(_places(asked))
        self._whose.show_whose(asked.whose, asked.whose_from)
        fault = marked(asked.fault)
        self._fault.show_words(
            "warn", "stop", *((tr("Your change is refused:") + " ", "strong"), *fault) * bool(fault)
        )
        was = [part for each in asked.changed for part in (*marked(each.before), "\n")][:-1]
        self._own.show_words(
            "check", "ok", *((tr("You changed this. Before:") + " ", "strong"), *was) * bool(was)
        )
        self._reason.setVisible(bool(asked.why or asked.source))
        self._why.set_words(*marked(asked.why))
        self._source.setVisible(bool(asked.source) and not asked.whose)
        self._source.set_words(*marked(asked.source))

    def _show_always(self, asked: ApprovalAsked) -> None:
        words = ""
        if asked.covers and asked.lasting:
            words = tr("Always here: {what}, until you close the program.").format(what=asked.covers)
        self._always_words.set_words(*marked(words))
        self.always.setToolTip(tool_tip_text(escape_invisible(words)))
        self.always.setAccessibleName(escape_invisible(words) or tr("Always here"))

    def _show_details(self, *, shown: bool) -> None:
        self.details.setVisible(shown)
        self.fold.set_icon("down" if shown else "right", tr("Fewer details") if shown else tr("All details"))
        self.fold.setToolTip("")
        self.resized.emit()

    def _announce(self, asked: ApprovalAsked) -> None:
        """Name the card for screen readers, and tell them of it at once."""
        reason = f"{asked.why[:500]} {asked.source[:300]}".strip()
        places = [" ".join(filter(None, (each.program, each.window, each.site))) for each in _places(asked)]
        where = "; ".join(places)[:300]
        name = escape_invisible(
            f"{tr('May I?')} {asked.words[:500]} – {where}. {reason} {asked.fault[:300]}".strip()
        )
        self.setAccessibleName(name)
        event = QAccessibleAnnouncementEvent(self, name)
        event.setPoliteness(QAccessible.AnnouncementPoliteness.Assertive)
        QAccessible.updateAccessibility(event)

    def show_keys(self, trouble: str) -> None:
        """Show under the buttons why the global shortcuts do not work; hidden when `trouble` is empty."""
        self.keys_note.set_words(trouble)
        self.keys_note.setVisible(bool(trouble))

    def fit(self, width: int, height: int) -> int:
        """Lay out for `width` x `height` pixels and return the height used: first the picture shrinks, then text scrolls."""
        inside = max(1, width - self.box.contentsMargins().left() - self.box.contentsMargins().right())
        self.editor.fit(inside)
        words = self._column.heightForWidth(inside)
        picture = 0 if self.editing else self._picture.wanted(inside)
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
        for button in self._answers:
            button.setEnabled(False)
        if yes:
            self.approved.emit(self._asked.id, always)
        else:
            self.skipped.emit(self._asked.id)

    # ---- changing it ----------------------------------------------------------------------

    def _show_editing(self, *, editing: bool) -> None:
        """Show the fields in place of what is asked, or what is asked again."""
        asked, ended = self._asked, self.editing and not editing
        self.editing = editing
        self.editor.show_asked(asked if editing else None)
        self.editor.setVisible(editing)
        for part in (self.use, self.back):
            part.setVisible(editing)
        for part in (self.approve, self.skip, self.say):
            part.setVisible(not editing)
        self.edit.setVisible(not editing and asked is not None and bool(asked.changeable))
        self.always.setVisible(not editing and asked is not None and asked.lasting)
        self._always_words.setVisible(
            not editing and asked is not None and asked.lasting and bool(asked.covers)
        )
        self.rows.setVisible(not editing)
        self._whose.setVisible(not editing and asked is not None and asked.whose != "")
        order = (self.fold, *self.editor.order, self.use, self.back, *self._answers)
        for before, after in pairwise(order):
            QWidget.setTabOrder(before, after)
        self.resized.emit()
        if ended:
            self.writing.emit(False)

    def _edit_clicked(self) -> None:
        """Open the fields; where nothing can be changed, ask what to do instead."""
        if self._asked is None or self.editing:
            return
        if not self._asked.changeable:
            self._say_clicked()
            return
        self._show_editing(editing=True)
        self.writing.emit(True)
        self.editor.begin()

    def _say_clicked(self) -> None:
        if self._asked is not None:
            self.instead.emit(self._asked.id)

    def _use_clicked(self) -> None:
        """Have the changed operations asked about; without a change it is the same question as before."""
        asked, changes = self._asked, self.editor.changes()
        self._show_editing(editing=False)
        if asked is not None and changes:
            for button in self._answers:
                button.setEnabled(False)
            self.changed.emit(asked.id, changes)
