"""The composer: the text input with the user's earlier words, target, model and step mode beside it, and the run's usage meter."""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import msgspec
from PySide6.QtCore import QMimeData, QSize, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QMouseEvent, QResizeEvent, QTextCursor, QTextOption
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPlainTextEdit, QSizePolicy, QWidget

from desktop_agent.agent import bill_words
from desktop_agent.agent.port import AgentInfo
from desktop_agent.protocol.agent_events import State, Usage
from desktop_agent.redaction.redactor import redactor
from desktop_agent.support import paths
from desktop_agent.support.language import later, tr
from desktop_agent.support.paths import private_folder, write_private
from desktop_agent.ui.chat.attachments import Attachments
from desktop_agent.ui.panels.pills import Pills
from desktop_agent.ui.view_model import WORKING
from desktop_agent.ui.widgets.buttons import Button
from desktop_agent.ui.widgets.primitives import Card
from desktop_agent.ui.widgets.scroll_area import ThinBar
from desktop_agent.ui.widgets.theme import Theme
from desktop_agent.ui.widgets.wrapped_text import WrappedText, tool_tip_text

MAX_GOAL = 20_000
MOST_LINES = 6
_GOAL_HINT = later("Type a goal in plain words…")
_HINTS: dict[State, str] = {
    "waiting_for_user": later("Answer, or tell me what to change…"),
    "planning": later("Tell me more, or change the goal…"),
    "executing": later("Tell me more, or change the goal…"),
    "paused": later("Tell me more, or change the goal…"),
}


FILE = paths.INPUT_HISTORY
MOST = 200
LONGEST = 4_000
"""Characters; longer words are not kept."""
MOST_BYTES = 2_000_000
"""A larger file is none of ours and not read."""


class ComposerEdit(QPlainTextEdit):
    """The text input; its height grows with its text, up to MOST_LINES lines.

    Signals: `entered()` on Enter without Shift; `wanted()` when the user clicks into it;
    `paged(direction)` on Page Up (-1) and Page Down (1), which scroll the conversation;
    `focused(bool)` when it gets or loses the keyboard focus.
    `history` are the earlier words that Up and Down walk through, `attachments` take pasted and dropped files.
    """

    entered = Signal()
    focused = Signal(bool)
    wanted = Signal()
    paged = Signal(int)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFont(theme.font("body"))
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setTabChangesFocus(True)
        self.setWordWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        self.setVerticalScrollBar(ThinBar(theme))
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.document().setDocumentMargin(2)
        self.viewport().setAutoFillBackground(False)
        self.setAccessibleName(tr("Your words to the agent"))
        self.history = PromptHistory()
        self.attachments: Attachments | None = None
        self.textChanged.connect(self._grow)
        self._grow()

    def _grow(self) -> None:
        line = self.fontMetrics().lineSpacing()
        lines = max(1, min(MOST_LINES, round(self.document().size().height())))
        height = lines * line + 8
        needs_bar = self.document().size().height() > MOST_LINES
        policy = Qt.ScrollBarPolicy.ScrollBarAsNeeded if needs_bar else Qt.ScrollBarPolicy.ScrollBarAlwaysOff
        self.setVerticalScrollBarPolicy(policy)
        if height != self.height():
            self.setFixedHeight(height)

    def sizeHint(self) -> QSize:
        return QSize(100, self.height())

    def resizeEvent(self, event: object) -> None:
        super().resizeEvent(event)  # type: ignore[arg-type]
        self._grow()

    def canInsertFromMimeData(self, source: QMimeData) -> bool:
        taken = self.attachments is not None and self.attachments.takes(source)
        return taken or super().canInsertFromMimeData(source)

    def insertFromMimeData(self, source: QMimeData) -> None:
        """Take files and pictures; anything else as plain text, cut to what a goal may still hold (MAX_GOAL in all)."""
        if self.attachments is not None and self.attachments.take(source):
            return
        room = MAX_GOAL - len(self.toPlainText())
        self.insertPlainText(source.text()[: max(0, room)])

    def keyPressEvent(self, event: QKeyEvent) -> None:
        enter = event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
        if enter and not event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            self.entered.emit()
        elif event.key() in (Qt.Key.Key_PageUp, Qt.Key.Key_PageDown):
            self.paged.emit(-1 if event.key() == Qt.Key.Key_PageUp else 1)
        elif not self._walks(event):
            super().keyPressEvent(event)

    def _walks(self, event: QKeyEvent) -> bool:
        """Show earlier or later words on Up and Down, where the input is empty or holds such words unchanged."""
        if event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier:
            return False
        walk = {Qt.Key.Key_Up: self.history.older, Qt.Key.Key_Down: self.history.newer}.get(
            Qt.Key(event.key())
        )
        words = walk(self.toPlainText()) if walk is not None else None
        if words is None:
            return False
        self.setPlainText(words)
        self.moveCursor(QTextCursor.MoveOperation.End)
        return True

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.focused.emit(True)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.focused.emit(False)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self.wanted.emit()
        super().mousePressEvent(event)


class Composer(Card):
    """The input with its pills and the Send button.

    `meant` tells what is sent for the words in it: the choice for its number, say.
    Signals: `sent(text)`, stripped and not empty; `sent_with(text, pictures)` where pictures go with it; `wanted()` when the user wants to type, so that the window may take
    the keyboard.
    """

    sent = Signal(str)
    sent_with = Signal(str, object)
    wanted = Signal()

    def __init__(self, theme: Theme, info: AgentInfo, parent: QWidget | None = None) -> None:
        super().__init__(theme, parent=parent)
        self.input = ComposerEdit(theme)
        self.send = Button(theme, kind="primary", icon="send", name=tr("Send (Enter)"))
        self.send.setFixedSize(34, 34)
        self.attach = Button(theme, kind="icon", icon="attach", name=tr("Attach a file or picture"))
        self.attach.setFixedSize(30, 34)
        self.attachments = Attachments(theme)
        self.input.attachments = self.attachments
        self.meant: Callable[[str], str] = str
        self.pills = Pills(theme)
        self._lay_out()
        self.input.entered.connect(self._send)
        self.input.wanted.connect(self.wanted)
        self.input.focused.connect(self._show_focus)
        self.input.textChanged.connect(self._text_changed)
        self.send.clicked.connect(self._send)
        self.attach.clicked.connect(self._attach)
        self.attachments.changed.connect(self._text_changed)
        self.show_info(info)
        self.show_state("idle")
        self._text_changed()

    def _lay_out(self) -> None:
        self.box.setContentsMargins(11, 9, 9, 9 + 4)
        self.box.setSpacing(7)
        self.box.addWidget(self.input)
        self.box.addWidget(self.attachments)
        row = QHBoxLayout()
        row.setSpacing(5)
        row.addWidget(self.pills, 1)
        row.addWidget(self.attach)
        row.addWidget(self.send)
        self.box.addLayout(row)

    def show_info(self, info: AgentInfo) -> None:
        """Show target, model, step mode and permission."""
        self.pills.show_info(info)

    def show_state(self, state: State) -> None:
        """Set the placeholder text for the agent's state."""
        self._hint(tr(_HINTS.get(state, _GOAL_HINT)))
        self.pills.show_working(state in WORKING)

    def _hint(self, words: str) -> None:
        self.input.setPlaceholderText(words)
        self.input.viewport().update()

    def ask_instead(self) -> None:
        """Focus the input and ask what to do instead of the proposed action."""
        self._hint(tr("What shall I do instead?"))
        self.wanted.emit()
        self.input.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def fill(self, text: str) -> None:
        """Put `text` into the input and focus it, for the user to change or send."""
        if draft := self.input.toPlainText().strip():
            self.input.history.set_aside(draft)
        self.input.setPlainText(text)
        self.input.moveCursor(self.input.textCursor().MoveOperation.End)
        self.wanted.emit()
        self.input.setFocus(Qt.FocusReason.OtherFocusReason)

    def _show_focus(self, focused: bool) -> None:
        """Draw the edge in the accent colour while typed keys go to this input, not to the application worked in."""
        self.set_look("card", "accent" if focused else "line")

    def _text_changed(self) -> None:
        self.send.setEnabled(bool(self.input.toPlainText().strip()) and self.attachments.ready)

    def _send(self) -> None:
        text = self.input.toPlainText().strip()
        if not text or not self.attachments.ready:
            return
        self.input.clear()
        self.input.history.add(text)
        text = "\n".join(filter(None, (self.meant(text), self.attachments.words())))
        if pictures := self.attachments.empty():
            self.sent_with.emit(text, pictures)
        else:
            self.sent.emit(text)

    def _attach(self) -> None:
        self.wanted.emit()
        self.attachments.choose()

    def show_drop(self, over: bool) -> None:
        """Show that what is held over the window can be dropped."""
        self.set_look(*(("accent_tint", "accent") if over else ("card", "line")))
        if not over:
            self._show_focus(self.input.hasFocus())


class UsageMeter(QWidget):
    """Shows steps, tokens with their cached share, and cost of the run on one line; the tool tip shows all of it."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._usage: Usage | None = None
        self._row = row = QHBoxLayout(self)
        row.setContentsMargins(3, 6, 3, 4)
        self._steps = WrappedText(theme, role="small", color="soft", lines=1)
        self._tokens = WrappedText(theme, role="small", color="soft", lines=1)
        self._money = WrappedText(theme, role="small", color="soft", lines=1, right=True)
        row.addWidget(self._steps)
        row.addStretch(1)
        row.addWidget(self._tokens)
        row.addStretch(1)
        row.addWidget(self._money)

    def show_usage(self, usage: Usage | None) -> None:
        """Show the totals; hidden for None."""
        self._usage = usage
        lines = bill_words.whole(usage) if usage is not None else ()
        self.setToolTip(tool_tip_text("\n".join(lines)))
        self.setAccessibleName(tr("What this run has used"))
        self.setAccessibleDescription("; ".join(lines))
        self._fit()
        self.setVisible(usage is not None)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        """Shorten the text until it fits: first the cached share is dropped, then the words."""
        usage = self._usage
        if usage is None:
            return
        step, price = str(usage.step), bill_words.money(usage, least="≥ {amount}")
        short = tr("step {n}").format(n=step)
        step_of = (
            tr("step {n} of {count}").format(n=step, count=usage.max_steps) if usage.max_steps else short
        )
        count, percent = bill_words.all_tokens(usage), bill_words.cached_percent(usage)
        share = tr("{share} % cached").format(share=percent) if percent else ""
        tokens = tr("{count} tokens").format(count=count) if count else ""
        for words in (
            (step_of, " · ".join(filter(None, (tokens, share))), price),
            (step_of, tokens, price),
            (short, tokens, price),
            (short, count, price),
            (short, count, price.replace(tr(bill_words.UNKNOWN), "$ ?")),
        ):
            for label, text in zip((self._steps, self._tokens, self._money), words, strict=True):
                label.set_words(text)
            if self._row.sizeHint().width() <= self.width():
                break
        self._row.activate()  # now: painted before, the new words would be cut short


class PromptHistory:
    """The last MOST words of the user, oldest first, in a file that only the user may read.

    Marked and known secrets are never among them. Where nothing can be written nothing is remembered.
    """

    def __init__(self) -> None:
        self._texts: list[str] = []
        self._file: Path | None = None
        self._lock = threading.Lock()
        self._reading: threading.Thread | None = None
        self._at = 0
        self._shown: str | None = None

    def keep_in(self, folder: Path) -> None:
        """Read what an earlier start has kept in this folder, in a thread of its own, and keep there what comes."""
        self._file = folder / FILE
        self._reading = threading.Thread(target=self._read, name="input history", daemon=True)
        self._reading.start()

    def add(self, text: str) -> None:
        """Keep words that were sent; the same words again move to the end."""
        self.set_aside(text)
        if self._file is not None:
            threading.Thread(target=self._write, name="input history").start()

    def set_aside(self, text: str) -> None:
        """Keep words that were not sent until the end of the session."""
        text = redactor().clean(redactor().mark(text))
        with self._lock:
            self._shown = None
            if text.strip() and len(text) <= LONGEST:
                self._texts = [*(each for each in self._texts if each != text), text][-MOST:]

    def older(self, text: str) -> str | None:
        """The words before those shown in the input; None when there are none, or `text` was changed by hand."""
        if self._reading is not None:
            self._reading.join(timeout=0.02)
        with self._lock:
            if text == "" or self._shown is None:
                self._at = len(self._texts)
            if (text and text != self._shown) or self._at == 0:
                return None
            return self._show(self._at - 1)

    def newer(self, text: str) -> str | None:
        """The words after those shown, "" after the last; None when none are shown or they were changed by hand."""
        with self._lock:
            if not text or text != self._shown:
                return None
            if self._at + 1 >= len(self._texts):
                self._shown = None
                return ""
            return self._show(self._at + 1)

    def _show(self, at: int) -> str:
        self._at = at
        self._shown = self._texts[at]
        return self._shown

    def _read(self) -> None:
        with self._lock, suppress(OSError, msgspec.DecodeError):
            if self._file is not None and self._file.stat().st_size <= MOST_BYTES:
                kept = msgspec.json.decode(self._file.read_bytes(), type=list[str])
                fresh = [each for each in kept if len(each) <= LONGEST and each not in self._texts]
                self._texts = [*fresh, *self._texts][-MOST:]

    def _write(self) -> None:
        with self._lock, suppress(OSError):
            if self._file is not None:
                private_folder(self._file.parent)
                write_private(self._file, msgspec.json.encode(self._texts))
