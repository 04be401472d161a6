"""The button that asks a model whether it can be reached, with what that costs and what came of it."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from desktop_agent.protocol.stop_flag import StopFlag
from desktop_agent.support.config import Config
from desktop_agent.support.language import tr
from desktop_agent.ui.key_trial import keep_key
from desktop_agent.ui.settings.latest_task import LatestTask
from desktop_agent.ui.settings.options.setting_draft import SettingDraft
from desktop_agent.ui.settings.panels.model_reach import Reached, cost_words, reach
from desktop_agent.ui.welcome.welcome_guide import KeyVerdict
from desktop_agent.ui.widgets.buttons import Button
from desktop_agent.ui.widgets.primitives import Icon
from desktop_agent.ui.widgets.theme import Theme
from desktop_agent.ui.widgets.wrapped_text import WrappedText

_LOOKS = {
    "ok": ("check", "ok"),
    "ready": ("check", "ok"),
    "failed": ("warn", "stop"),
    "stopped": ("stop", "soft"),
    "kept": ("question", "warn"),
    "refused": ("warn", "stop"),
    "unkept": ("warn", "warn"),
}


class ReachPanel(QWidget):
    """Asks with the settings as they are in the dialog, saved or not. Signal: `busy(bool)`."""

    busy = Signal(bool)

    def __init__(self, theme: Theme, name: str, draft: SettingDraft) -> None:
        super().__init__()
        self._name, self._draft = name, draft
        self._stop = StopFlag()
        self.ask = Button(theme, tr("Can I reach it?"), name=f"{tr('Can I reach it?')} {name}")
        self.cancel = Button(theme, tr("Cancel"), name=f"{tr('Cancel')}: {name}")
        self.cost = WrappedText(theme, role="small", color="soft")
        self.icon = Icon(theme, "check", "ok", 16)
        self.told = WrappedText(theme, role="small")
        self._lay_out()
        self._asking, self._costing = LatestTask(self), LatestTask(self)
        self.ask.clicked.connect(self.start)
        self.cancel.clicked.connect(self._cancel)
        self._asking.done.connect(self._show)
        self._asking.failed.connect(lambda problem: self._show(Reached("failed", problem)))
        self._asking.busy.connect(self._show_busy)
        self._costing.done.connect(self._show_cost)
        self._costing.failed.connect(self._show_cost)
        self._show_busy(False)
        self._costing.run(partial(cost_words, self._settings(), name))
        self.destroyed.connect(self._stop.set)

    def _lay_out(self) -> None:
        row = QHBoxLayout()
        row.setSpacing(8)
        row.addWidget(self.ask)
        row.addWidget(self.cancel)
        row.addWidget(self.cost, 1)
        told = QHBoxLayout()
        told.setSpacing(6)
        told.addWidget(self.icon)
        told.addWidget(self.told, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 8, 0, 8)
        column.addLayout(row)
        column.addLayout(told)
        for part in (self.icon, self.told):
            part.hide()

    def start(self) -> None:
        """Ask it."""
        self._run(reach)

    def keep_key(self, secret: str) -> None:
        """Ask it with a new key, which takes the place of the one kept before unless it is refused."""
        self._run(partial(_kept, secret))

    def _run(self, ask: Callable[[Config, str, StopFlag], Reached | KeyVerdict]) -> None:
        self._stop = StopFlag()
        for part in (self.icon, self.told):
            part.hide()
        self._asking.run(partial(ask, self._settings(), self._name, self._stop))

    def _settings(self) -> Config:
        return self._draft.tentative() or self._draft.config

    def _cancel(self) -> None:
        self._stop.set()

    def _show_busy(self, busy: bool) -> None:
        self.ask.setEnabled(not busy)
        self.cancel.setVisible(busy)
        self.busy.emit(busy)

    def _show_cost(self, words: str) -> None:
        self.cost.set_words(words)

    def _show(self, reached: Reached | KeyVerdict) -> None:
        icon, tone = _LOOKS[reached.state]
        self.icon.set_icon(icon, tone)
        self.told.set_words(reached.words)
        self.told.set_color(tone if tone != "ok" else "ink")
        for part in (self.icon, self.told):
            part.show()


def _kept(secret: str, settings: Config, name: str, stop: StopFlag) -> KeyVerdict:
    return keep_key(settings, name, secret, stop)
