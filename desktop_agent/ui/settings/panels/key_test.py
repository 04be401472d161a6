"""Shows whether keys arrive: Esc and any other in this window, and the global shortcuts from the whole desktop."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QEvent, QRectF, Qt, QTimer
from PySide6.QtGui import QHideEvent, QKeyEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from desktop_agent.support.keyboard.hotkey import ESCAPE_STAYS, Hotkey
from desktop_agent.support.language import tr
from desktop_agent.ui.settings.editors.hotkey_editor import hotkey_of
from desktop_agent.ui.shell.hotkeys import HotKeys
from desktop_agent.ui.widgets.buttons import Button
from desktop_agent.ui.widgets.primitives import Card
from desktop_agent.ui.widgets.theme import Theme
from desktop_agent.ui.widgets.wrapped_text import WrappedText

TEST_MS = 20_000


class KeyField(QWidget):
    """While it has the keyboard, says which key arrived, Esc included; Tab leaves it. `seen` is the last one."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self.seen: Hotkey | None = None
        self.words = WrappedText(theme, "", color="soft")
        row = QHBoxLayout(self)
        row.setContentsMargins(12, 10, 12, 10)
        row.addWidget(self.words, 1)
        self.words.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Minimum)
        self._say(tr("Click here and press a key, Esc too: do I see it?"), "soft")

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ShortcutOverride:
            event.accept()
            return True
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            return self._take(event)
        return super().event(event)

    def _take(self, event: QKeyEvent) -> bool:
        if event.key() in (Qt.Key.Key_Tab, Qt.Key.Key_Backtab):
            return super().event(event)
        if (hotkey := hotkey_of(event)) is not None:
            self.seen = hotkey
            self._say(tr("{key} arrived in this window.").format(key=hotkey.title), "ok")
        return True

    def _say(self, words: str, tone: str) -> None:
        self.words.set_words(words)
        self.words.set_color(tone)
        self.setAccessibleName(words)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        focused = self.hasFocus()
        painter.setPen(
            QPen(
                self._theme.color("accent" if focused else "grip"),
                2 if focused else 1,
                Qt.PenStyle.SolidLine if focused else Qt.PenStyle.DashLine,
            )
        )
        painter.setBrush(self._theme.color("accent_tint" if focused else "window"))
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(1, 1, -1, -1), 8, 8)
        painter.end()


class KeyTest(Card):
    """Esc, which cannot be changed, and the two tests. `labels` names the meanings of the shortcuts."""

    def __init__(self, theme: Theme, labels: Mapping[str, str], hotkeys: Mapping[str, str]) -> None:
        super().__init__(theme)
        self._labels = labels
        self.field = KeyField(theme)
        self.register = Button(theme, tr("Try the shortcuts"))
        self.told = WrappedText(theme, "", role="small", color="soft")
        self._chosen = {name: text for name, text in hotkeys.items() if name not in ("show", "hints")}
        self.keys: HotKeys | None = None
        self._end = QTimer(self, singleShot=True, interval=TEST_MS)
        self._lay_out(theme)
        self.register.clicked.connect(self.start)
        self._end.timeout.connect(self.stop)

    def _lay_out(self, theme: Theme) -> None:
        head = QHBoxLayout()
        head.addWidget(WrappedText(theme, tr("Stop"), role="strong"), 1)
        cap = WrappedText(theme, "", role="strong")
        cap.set_words(("Esc", "cap"))
        head.addWidget(cap)
        self.box.setContentsMargins(15, 12, 15, 16)
        self.box.addLayout(head)
        self.box.addWidget(WrappedText(theme, tr(ESCAPE_STAYS), role="small", color="soft"))
        self.box.addWidget(self.field)
        guard = tr(
            "This tells that keys reach this window. While it works, a process of its own watches for Esc, whichever application has the keyboard."
        )
        self.box.addWidget(WrappedText(theme, guard, role="small", color="soft"))
        row = QHBoxLayout()
        row.setSpacing(10)
        row.addWidget(self.register, 0, Qt.AlignmentFlag.AlignTop)
        column = QVBoxLayout()
        column.addWidget(self.told)
        row.addLayout(column, 1)
        self.box.addLayout(row)

    def start(self) -> None:
        """Register the shortcuts for a while, as they are when you are asked."""
        self.register.setEnabled(False)
        self._end.start()
        self.keys = HotKeys(self)
        self.keys.use(self._chosen)
        self.keys.trouble.connect(self._registered)
        self.keys.pressed.connect(self._pressed)
        self.keys.hold(True)

    def stop(self) -> None:
        """Let go of them."""
        self._end.stop()
        self.register.setEnabled(True)
        keys, self.keys = self.keys, None
        if keys is not None:
            keys.close()
            keys.deleteLater()

    def hideEvent(self, event: QHideEvent) -> None:
        self.stop()
        super().hideEvent(event)

    def _registered(self, trouble: str) -> None:
        if not self._end.isActive():
            return
        words = tr("They are registered for 20 seconds. Press one, also in another application.")
        self.told.set_words(trouble or words)
        self.told.set_color("stop" if trouble else "soft")

    def _pressed(self, meaning: str) -> None:
        self.told.set_words(tr("{name} was seen.").format(name=self._labels.get(meaning, meaning)))
        self.told.set_color("ok")
