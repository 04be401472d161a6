"""One setting in the dialog: its label and help, its editor, what is wrong with it, and a button that resets it."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QHBoxLayout, QLabel, QSizePolicy, QVBoxLayout, QWidget

from desktop_agent.support.language import tr
from desktop_agent.ui.settings.editors.value_editors import Editor, SwitchEditor
from desktop_agent.ui.settings.options.setting_catalog import Setting
from desktop_agent.ui.settings.options.setting_draft import SettingDraft
from desktop_agent.ui.widgets.buttons import Button
from desktop_agent.ui.widgets.primitives import Icon
from desktop_agent.ui.widgets.theme import Theme
from desktop_agent.ui.widgets.wrapped_text import WrappedText

BESIDE = 430
"""Pixels of width from which an editor stands beside its label."""


class Badge(QLabel):
    """A few words on a tinted ground, said to screen readers as they are."""

    def __init__(self, theme: Theme, text: str, tone: str, tint: str) -> None:
        super().__init__(text)
        self._theme, self._tone, self._tint = theme, tone, tint
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setFont(theme.font("caps"))
        self.setContentsMargins(8, 2, 8, 2)
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._theme.color(self._tint))
        area = QRectF(self.rect())
        painter.drawRoundedRect(area, area.height() / 2, area.height() / 2)
        painter.setPen(self._theme.color(self._tone))
        painter.setFont(self.font())
        painter.drawText(area, Qt.AlignmentFlag.AlignCenter, self.text())
        painter.end()


class SettingRow(QWidget):
    """Shows a setting as the draft has it and writes into the draft. No signals of its own."""

    def __init__(self, theme: Theme, setting: Setting, editor: Editor, draft: SettingDraft) -> None:
        super().__init__()
        self.setting, self.editor, self._draft = setting, editor, draft
        self._widens = False
        self.label = WrappedText(theme, setting.words.label, role="strong")
        self.help = WrappedText(theme, setting.words.help, role="small", color="soft")
        self.problem = WrappedText(theme, role="small", color="stop")
        self.problem_icon = Icon(theme, "warn", "stop", 14)
        self.rights = Badge(theme, tr("MORE RIGHTS"), "warn", "warn_tint")
        where = draft.locked.get(setting.name, "")
        self.locked = WrappedText(theme, where, role="small", color="warn")
        self.reset = Button(
            theme, kind="icon", icon="undo", name=f"{tr('Back to the default')}: {setting.spoken}"
        )
        self.direction = QBoxLayout(QBoxLayout.Direction.TopToBottom)
        self._lay_out()
        self.help.setVisible(bool(setting.words.help))
        self.locked.setVisible(bool(where))
        editor.setEnabled(not where)
        editor.setAccessibleDescription(setting.words.help)
        editor.edited.connect(self._edited)
        self.reset.clicked.connect(self._reset)
        editor.show_value(draft.value(setting))
        self.show_draft()

    def _lay_out(self) -> None:
        head = QHBoxLayout()
        head.setSpacing(6)
        head.addWidget(self.label, 1)
        head.addWidget(self.rights, 0, Qt.AlignmentFlag.AlignVCenter)
        head.addWidget(self.reset, 0, Qt.AlignmentFlag.AlignVCenter)
        self.reset.setFixedSize(28, 28)
        keep = self.reset.sizePolicy()
        keep.setRetainSizeWhenHidden(True)
        self.reset.setSizePolicy(keep)
        words = QVBoxLayout()
        words.setSpacing(1)
        words.addLayout(head)
        words.addWidget(self.help)
        words.addWidget(self.locked)
        self.direction.setSpacing(8)
        self.direction.addLayout(words, 1)
        self.direction.addWidget(self.editor)
        wrong = QHBoxLayout()
        wrong.setSpacing(6)
        wrong.addWidget(self.problem_icon)
        wrong.addWidget(self.problem, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 8, 0, 8)
        column.setSpacing(5)
        column.addLayout(self.direction)
        column.addLayout(wrong)

    def show_draft(self) -> None:
        """Show the draft's value, unless it is wrong and still being typed."""
        draft, name = self._draft, self.setting.name
        problem = draft.problem(name)
        if not problem:
            self.editor.show_value(draft.value(self.setting))
        self.editor.set_wrong(bool(problem))
        self.problem.set_words(problem)
        self.problem.setVisible(bool(problem))
        self.problem_icon.setVisible(bool(problem))
        self.reset.setVisible(not draft.is_default(self.setting) and name not in draft.locked)
        self.rights.setVisible(self._widens)

    def show_widening(self, widens: bool) -> None:
        """Mark that the changed value gives more rights."""
        if widens != self._widens:
            self._widens = widens
            self.rights.setVisible(widens)

    def resizeEvent(self, event: QResizeEvent) -> None:
        beside = not self.editor.wide and (self.width() >= BESIDE or isinstance(self.editor, SwitchEditor))
        way = QBoxLayout.Direction.LeftToRight if beside else QBoxLayout.Direction.TopToBottom
        if way != self.direction.direction():
            self.direction.setDirection(way)
            self.direction.setAlignment(
                self.editor, Qt.AlignmentFlag.AlignVCenter if beside else Qt.AlignmentFlag(0)
            )
        super().resizeEvent(event)

    def _edited(self, value: Any, problem: str) -> None:
        self._draft.set(self.setting, value, problem)

    def _reset(self) -> None:
        self._draft.reset([self.setting])
        self.editor.setFocus()
