"""The activity feed: a strip with the current action, and a card with the last actions and their outcomes."""

from __future__ import annotations

import time

from PySide6.QtCore import QEvent, QRectF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import (
    QEnterEvent,
    QHideEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QShowEvent,
)
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QSizePolicy, QVBoxLayout, QWidget

from desktop_agent.protocol.agent_events import State
from desktop_agent.support.language import capitalized, later, tr
from desktop_agent.ui.view_model import ActivityRow, RunView
from desktop_agent.ui.widgets.buttons import INSET, Button
from desktop_agent.ui.widgets.primitives import Card, Icon, Spinner
from desktop_agent.ui.widgets.theme import Theme
from desktop_agent.ui.widgets.thumbnails import Thumbnail
from desktop_agent.ui.widgets.wrapped_text import WrappedText

LAST, LEAST = 3, 1
# Room for the ring around a row.
PAD = 7
# The strip is shown in these states only.
STRIP_STATES: frozenset[State] = frozenset({"planning", "executing", "paused"})
BUILT_AT_ONCE = 8
RESUME = later("Press Resume: I look again, then go on.")
EFFECTS = {
    "confirmed": (later("verified"), "ok"),
    "changed": (later("unverified: screen changed"), "soft"),
    "unchanged": (later("no effect"), "warn"),
    "unknown": (later("done"), "soft"),
}
OUTCOMES = {
    "refused": (later("refused"), "stop"),
    "failed": (later("failed"), "stop"),
    "stopped": (later("stopped"), "warn"),
    "skipped": (later("skipped"), "soft"),
}


def effect_text(row: ActivityRow) -> tuple[str, str]:
    """The action's outcome or effect in a word or two with its detail, and the colour token for it."""
    word, tone = outcome_words(row)
    return (f"{word} – {row.detail}" if row.detail and row.outcome is not None else word), tone


def outcome_words(row: ActivityRow) -> tuple[str, str]:
    """The action's outcome or effect in a word or two, and the colour token for it."""
    if row.outcome is None:
        return tr("under way"), "soft"
    english, tone = EFFECTS[row.effect] if row.outcome == "done" else OUTCOMES[row.outcome]
    return tr(english), tone


def duration_text(row: ActivityRow) -> str:
    """How long the action took, as in "0.4 s" or "2:05"; empty while it runs or when no result came."""
    if row.outcome is None or (row.outcome == "stopped" and not row.seconds):
        return ""
    if row.seconds < 0.05:
        return "< 0.1 s"
    return f"{row.seconds:.1f} s" if row.seconds < 100 else clock(row.seconds)


def clock(seconds: float) -> str:
    """Seconds as m:ss, or h:mm:ss."""
    whole = max(0, int(seconds))
    hours, minutes = divmod(whole // 60, 60)
    return f"{hours}:{minutes:02}:{whole % 60:02}" if hours else f"{minutes}:{whole % 60:02}"


class CurrentActionStrip(Card):
    """Shows the current action, its exact operation and the time since it began, updated twice a second."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, "accent_tint", "accent_tint", shadow=False, parent=parent)
        self.box.setContentsMargins(13, 10, 13, 10 + 4)
        self._since = 0.0
        self._row = row = QHBoxLayout()
        row.setSpacing(10)
        self._spinner = Spinner(theme)
        self._still = Icon(theme, "pause", "warn", 18)
        self._words = WrappedText(theme, role="strong", lines=3)
        self._exact = WrappedText(theme, role="mono", color="soft", lines=3)
        self._time = WrappedText(theme, "0:00", color="soft", right=True)
        column = QVBoxLayout()
        column.setSpacing(1)
        column.addWidget(self._words)
        column.addWidget(self._exact)
        self.resume = Button(theme, tr("Resume"), kind="primary", icon="play")
        column.addSpacing(7)
        column.addWidget(self.resume, 0, Qt.AlignmentFlag.AlignLeft)
        row.addWidget(self._spinner)
        row.addWidget(self._still, 0, Qt.AlignmentFlag.AlignTop)
        row.addLayout(column, 1)
        row.addWidget(self._time)
        self.box.addLayout(row)
        self._timer = QTimer(self, interval=500)
        self._timer.timeout.connect(self._tick)
        self.hide()

    def show_now(self, view: RunView) -> None:
        """Show the current action, the pause reason with a Resume button, or hide when nothing runs."""
        row = view.doing
        self.setVisible(view.state in STRIP_STATES)
        if self.isHidden():
            return
        paused = view.state == "paused"
        self.set_look(*(("warn_tint", "warn_tint") if paused else ("accent_tint", "accent_tint")))
        self._spinner.setVisible(not paused)
        self._still.setVisible(paused)
        self.resume.setVisible(paused)
        self._row.setAlignment(self._time, Qt.AlignmentFlag.AlignTop if paused else Qt.AlignmentFlag(0))
        words, exact, since = self._said(view, row)
        self._words.set_words(words)
        self._exact.set_role("small" if paused else "mono")
        self._exact.set_words(exact)
        self._exact.setVisible(bool(exact))
        self._since = since or time.time()
        self._tick()

    @staticmethod
    def _said(view: RunView, row: ActivityRow | None) -> tuple[str, str, float]:
        if view.state == "paused":
            return (
                tr("Paused"),
                f"{capitalized(view.detail).rstrip('.')}. {tr(RESUME)}".lstrip(". "),
                view.since,
            )
        if row is not None:
            return capitalized(row.words), row.command.strip() or row.exact, row.started
        if view.state == "planning":
            return capitalized(view.detail) or tr("Looking and thinking…"), "", view.since
        return capitalized(view.detail) or tr("Waiting for the screen…"), "", view.since

    def _tick(self) -> None:
        self._time.set_words(clock(time.time() - self._since))

    def showEvent(self, event: QShowEvent) -> None:
        self._timer.start()
        super().showEvent(event)

    def hideEvent(self, event: QHideEvent) -> None:
        self._timer.stop()
        super().hideEvent(event)


class ActivityRowView(QPushButton):
    """Shows one action: thumbnail, words, effect, seconds. A click, Space or Return unfolds the exact operation."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._open = self._inside = False
        self._shown: tuple[object, ...] = ()
        self.first = True
        self._thumb = Thumbnail(theme)
        self._words = WrappedText(theme, lines=2)
        self._effect = WrappedText(theme, role="small", lines=2)
        self._exact = WrappedText(theme, role="mono", color="soft", lines=12)
        self._exact.hide()
        self._seconds = WrappedText(theme, role="small", color="soft", right=True)
        self._row = row = QHBoxLayout(self)
        row.setContentsMargins(PAD, 8, PAD, 8)
        row.setSpacing(10)
        column = QVBoxLayout()
        column.setSpacing(1)
        for part in (self._words, self._effect, self._exact):
            column.addWidget(part)
        row.addWidget(self._thumb)
        row.addLayout(column, 1)
        row.addWidget(self._seconds)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setAutoDefault(True)  # Return presses it as well
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self.clicked.connect(self._toggle)

    def sizeHint(self) -> QSize:
        return self._row.sizeHint()

    def minimumSizeHint(self) -> QSize:
        return self._row.minimumSize()

    def show_row(self, row: ActivityRow, first: bool) -> bool:
        """Show `row`; returns True when something shown has changed. `first` rows have no line above them."""
        self.first = first
        shown = (row.number, row.words, row.exact, row.outcome, row.detail, row.effect, row.seconds)
        if shown == self._shown:
            return False
        self._shown = shown
        effect, tone = effect_text(row)
        self._thumb.show_shot(row.shot, row.at)
        self._words.set_words(row.words)
        self._effect.set_color(tone)
        self._effect.set_words(effect)
        self._exact.set_words(row.exact)
        self._seconds.set_words(duration_text(row))
        number = tr("Action {number}").format(number=row.number)
        self.setAccessibleName(f"{number}: {row.words[:300]}, {effect[:300]}, {row.seconds:.1f} s")
        return True

    def _toggle(self) -> None:
        self._open = not self._open
        self._words.set_lines(40 if self._open else 2)
        self._effect.set_lines(40 if self._open else 2)
        self._exact.setVisible(self._open)

    def heightForWidth(self, width: int) -> int:
        return self._row.heightForWidth(width)

    def hasHeightForWidth(self) -> bool:
        return True

    def enterEvent(self, event: QEnterEvent) -> None:
        self._inside = True
        self.update()

    def leaveEvent(self, event: QEvent) -> None:
        self._inside = False
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        if not self.first:
            painter.fillRect(PAD, 0, self.width() - 2 * PAD, 1, self._theme.color("line"))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        area = QRectF(self.rect()).adjusted(1, 3, -1, -2)
        painter.setPen(QPen(self._theme.color("accent"), 2) if self.hasFocus() else Qt.PenStyle.NoPen)
        painter.setBrush(self._theme.color("ink", 0.05) if self._inside else Qt.BrushStyle.NoBrush)
        painter.drawRoundedRect(area, 6, 6)
        painter.end()


class ActionsCard(Card):
    """Lists the last LAST actions, newest first, or all that are kept (MAX_ROWS); its heading folds it to itself alone.

    Signals: `folded(bool)` when the user has folded or unfolded it.
    """

    folded = Signal(bool)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, parent=parent)
        self.box.setContentsMargins(13 - PAD, 8, 13 - PAD, 6 + 4)
        self.box.setSpacing(0)
        self._theme = theme
        self._view: RunView | None = None
        self._all = self._folded = False
        self._fewest = LAST
        self._rows: list[ActivityRowView] = []
        self._wanted: list[ActivityRow] = []
        self._timer = QTimer(self, singleShot=True, interval=0)
        self._timer.timeout.connect(self._build)
        head = QHBoxLayout()
        head.setContentsMargins(PAD - INSET, 0, PAD, 0)
        self._count = WrappedText(theme, role="small", color="soft", right=True)
        self.heading = Button(theme, tr("ACTIONS"), kind="head", icon="down")
        self.heading.clicked.connect(self._flip)
        self.more = Button(theme, kind="chip")
        self.more.clicked.connect(self._show_more)
        head.addWidget(self.heading)
        head.addStretch(1)
        head.addWidget(self.more)
        head.addWidget(self._count)
        self.box.addLayout(head)
        self._tell()
        self.hide()

    def show_actions(self, view: RunView) -> None:
        """Show the finished actions of the view but for commands, which stand in the chat; hidden while an approval is asked."""
        self._view = view
        over = [row for row in reversed(view.rows) if row is not view.doing and not row.command]
        shown = over if self._all else over[: self._fewest]
        crowded = self._fewest == LEAST and view.state in STRIP_STATES
        self.setVisible(bool(over) and view.approval is None and not crowded)
        self._count.set_words(
            str(view.actions - view.commands) if len(over) > self._fewest or not self._all else str(len(over))
        )
        self.more.setVisible(len(over) > self._fewest and not self._folded)
        self._wanted = [] if self._folded else shown
        self._build()

    def set_compact(self, compact: bool) -> None:
        """Show only the last action while `compact`, that is on a low window, and none while the strip is shown."""
        fewest = LEAST if compact else LAST
        if fewest != self._fewest and self._view is not None:
            self._fewest = fewest
            self.show_actions(self._view)
        self._fewest = fewest

    def fold(self, folded: bool) -> None:
        """Show the heading alone while `folded`."""
        self._folded = folded
        self._tell()
        if self._view is not None:
            self.show_actions(self._view)

    def _flip(self) -> None:
        self.fold(not self._folded)
        self.folded.emit(self._folded)

    def _show_more(self) -> None:
        self._all = not self._all
        self._tell()
        if self._view is not None:
            self.show_actions(self._view)

    def _tell(self) -> None:
        """Name the two buttons by what is shown."""
        folded = tr("Actions, collapsed") if self._folded else tr("Actions, expanded")
        self.heading.set_icon("right" if self._folded else "down", folded)
        self.more.setText(tr("Show less") if self._all else tr("Show all"))
        self.more.setAccessibleName(tr("Show the last actions only") if self._all else tr("Show all actions"))

    def _build(self) -> None:
        """Update the rows, at most BUILT_AT_ONCE in one pass of the event loop, so that a flood does not block it."""
        while len(self._rows) > len(self._wanted):
            widget = self._rows.pop()
            self.box.removeWidget(widget)
            widget.deleteLater()
        changed = 0
        for index, row in enumerate(self._wanted):
            if changed == BUILT_AT_ONCE:
                self._timer.start()
                return
            if index == len(self._rows):
                self._rows.append(ActivityRowView(self._theme))
                self.box.addWidget(self._rows[index])
            changed += self._rows[index].show_row(row, index == 0)
