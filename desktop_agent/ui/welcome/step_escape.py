"""The step that lets one press Esc, and shows that it was seen, and by whom."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt, QTimer
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from desktop_agent.support.language import tr
from desktop_agent.ui.welcome.welcome_calls import WelcomeCalls
from desktop_agent.ui.welcome.welcome_step import WelcomeStep
from desktop_agent.ui.widgets.primitives import Card
from desktop_agent.ui.widgets.theme import Theme
from desktop_agent.ui.widgets.wrapped_text import WrappedText, escape_invisible

GUARD_MS = 900
"""How long after this window saw Esc the guard is waited for."""


class EscapeKey(QWidget):
    """A drawing of the Esc key; with a tick once it was pressed."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self.pressed = False
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def set_pressed(self, pressed: bool) -> None:
        self.pressed = pressed
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(120, 96)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        theme, tone = self._theme, "ok" if self.pressed else "accent"
        key = QRectF((self.width() - 104) / 2, 8, 104, 72)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme.color("grip"))
        painter.drawRoundedRect(key.adjusted(0, 5, 0, 5), 12, 12)
        if self.pressed:
            key.translate(0, 4)
        painter.setPen(QPen(theme.color(tone), 2))
        painter.setBrush(theme.color("ok_tint" if self.pressed else "card"))
        painter.drawRoundedRect(key, 12, 12)
        painter.setFont(theme.font("title"))
        painter.setPen(theme.color("ok" if self.pressed else "ink"))
        painter.drawText(key, Qt.AlignmentFlag.AlignCenter, "Esc")
        if self.pressed:
            icon = theme.icon("check", "ok", 20, self.devicePixelRatioF())
            painter.drawPixmap(round(key.right() - 28), round(key.top() + 7), icon)
        painter.end()


class EscapeStep(WelcomeStep):
    """Waits for Esc, from the guard where there can be one, else from this window. `by_guard` tells who saw it."""

    def __init__(self, theme: Theme, calls: WelcomeCalls) -> None:
        lead = tr(
            "Whatever I am doing, in whichever program you are: Esc stops me at once, and I let go of every key and "
            "button. Try it."
        )
        super().__init__(theme, tr("Esc stops everything"), lead)
        self._calls = calls
        self.by_guard: bool | None = None
        self._problem: str | None = None
        self.key = EscapeKey(theme)
        self.told = WrappedText(theme, role="strong")
        self.about = WrappedText(theme, role="small", color="soft")
        self._card = Card(theme)
        self._card.box.addWidget(self.key)
        self._card.box.addWidget(self.told)
        self._card.box.addWidget(self.about)
        for part in (self.told, self.about):
            part.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        self.column.addWidget(self._card)
        self.column.addStretch(1)
        self._timer = QTimer(self, singleShot=True, interval=GUARD_MS)
        self._timer.timeout.connect(lambda: self._show_seen(by_guard=False))
        calls.watching.connect(self._show_watching)
        calls.seen.connect(lambda: self._show_seen(by_guard=True))

    def enter(self) -> None:
        self.by_guard = self._problem = None
        self.key.set_pressed(False)
        self._card.set_look("card", "line")
        self._say(tr("Press Esc now"), tr("One moment: I start the process that watches for it …"))
        self._calls.watch_escape()

    def leave(self) -> None:
        self._timer.stop()
        self._calls.unwatch_escape()

    def escape_pressed(self) -> None:
        """This window has seen Esc; what the guard sees counts for more."""
        if self.by_guard is None and not self._timer.isActive():
            self._timer.start(0 if self._problem else GUARD_MS)

    def _show_watching(self, problem: str) -> None:
        if not self.isVisible() or self.by_guard is not None:
            return
        self._problem = problem
        about = tr("A process of its own watches now, as in every run. It hears Esc in any program.")
        if problem:
            about = tr("Here only this window hears it: {why}").format(why=problem)
        self._say(tr("Press Esc now"), about)

    def _show_seen(self, by_guard: bool) -> None:
        if not self.isVisible() or self.by_guard:
            return
        self.by_guard = by_guard
        self._timer.stop()
        self.key.set_pressed(True)
        self._card.set_look("ok_tint", "ok_tint")
        about = tr("Tested: the guard, a process of its own, saw it. In a run it would have stopped me now.")
        if not by_guard:
            about = tr(
                "Tested: this window saw it. In a run a guard, a process of its own, watches for it, too."
            )
        self._say(tr("Seen. Nothing stays pressed."), about)
        QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(self, self.told.text()))

    def _say(self, words: str, about: str) -> None:
        self.told.set_words(words)
        self.told.set_color("ok" if self.by_guard is not None else "ink")
        self.about.set_words(escape_invisible(about))
        self.about.set_color("ink" if self.by_guard is not None else "soft")
        self._card.setAccessibleName(escape_invisible(f"{words}. {about}"))
