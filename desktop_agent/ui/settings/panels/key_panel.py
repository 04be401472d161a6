"""Keeps a model's key in the system's key store: pasted, tested at once, never shown again, and removed."""

from __future__ import annotations

from functools import partial
from typing import NamedTuple

from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from desktop_agent.support import key_store
from desktop_agent.support.config import Config
from desktop_agent.support.language import tr
from desktop_agent.ui.settings.latest_task import LatestTask
from desktop_agent.ui.settings.options.setting_draft import SettingDraft
from desktop_agent.ui.settings.panels.reach_panel import ReachPanel
from desktop_agent.ui.widgets.buttons import Button
from desktop_agent.ui.widgets.form_controls import SecretField
from desktop_agent.ui.widgets.theme import Theme
from desktop_agent.ui.widgets.wrapped_text import WrappedText


class KeyState(NamedTuple):
    """Where a key was found, in words ("" for nowhere), whether it is the store's, and why there is no store."""

    source: str
    stored: bool
    problem: str
    variable: str


class KeyPanel(QWidget):
    """The key of one provider. `reach` tests a pasted one before it takes the place of another. No signals of its own."""

    def __init__(self, theme: Theme, provider: str, draft: SettingDraft, reach: ReachPanel) -> None:
        super().__init__()
        self._provider, self._draft, self._reach = provider, draft, reach
        self.state = WrappedText(theme, tr("Looking for a key…"), role="small", color="soft")
        self.field = SecretField(theme, tr("Key of {provider}").format(provider=provider), tr("Paste a key"))
        self.keep = Button(theme, tr("Keep and test"), name=f"{tr('Keep and test')}: {provider}")
        self.remove = Button(theme, tr("Remove the key"), name=f"{tr('Remove the key')}: {provider}")
        self._lay_out(theme)
        self._work = LatestTask(self)
        self._work.done.connect(self._show)
        self._work.failed.connect(self._show_problem)
        self.keep.clicked.connect(self.keep_key)
        self.field.returnPressed.connect(self.keep_key)
        self.remove.clicked.connect(self._remove)
        self.field.textChanged.connect(self._typed)
        self._problem, self._trying = "", False
        self._typed("")
        self.remove.hide()
        reach.busy.connect(self._show_trying)
        self._look()

    def _lay_out(self, theme: Theme) -> None:
        row = QHBoxLayout()
        row.setSpacing(8)
        row.addWidget(self.field, 1)
        row.addWidget(self.keep)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 8, 0, 8)
        column.setSpacing(5)
        column.addWidget(WrappedText(theme, tr("Key"), role="strong"))
        column.addWidget(self.state)
        column.addLayout(row)
        removing = QHBoxLayout()
        removing.addWidget(self.remove)
        removing.addStretch(1)
        column.addLayout(removing)

    def keep_key(self) -> None:
        """Forget here what was pasted, test it, and keep it unless it is refused."""
        if not self._trying and (secret := self.field.take()):
            self._reach.keep_key(secret)

    def _typed(self, text: str) -> None:
        self.keep.setEnabled(bool(text.strip()) and not self._trying)

    def _show_trying(self, trying: bool) -> None:
        """While a key is tried it is neither removed nor replaced; afterwards look what is kept."""
        self._trying = trying
        self._typed(self.field.text())
        self.remove.setEnabled(not trying)
        self.field.setEnabled(not trying and not self._problem)
        if not trying:
            self._look()

    def _look(self) -> None:
        self._work.run(partial(key_state, self._provider, self._key_env()))

    def _remove(self) -> None:
        self._work.run(partial(_removed, self._provider, self._key_env()))

    def _show(self, state: KeyState) -> None:
        self.remove.setVisible(state.stored)
        self._problem = state.problem
        self.field.setEnabled(not self._trying and not state.problem)
        self.state.set_color("soft")
        if state.source:
            words = tr("Found in {source}. It is never shown.").format(source=state.source)
        elif state.problem:
            words = tr("No key found.")
        else:
            words = tr(
                "No key yet. It is kept in the system's key store, never in a file, and never shown again."
            )
        if state.problem and not state.source:
            told = tr("None can be kept here: {problem}. Set the environment variable {name} instead.")
            words = f"{words} {told.format(problem=state.problem, name=state.variable)}"
        self.state.set_words(words)

    def _show_problem(self, problem: str) -> None:
        self.state.set_color("stop")
        self.state.set_words(problem)

    def _key_env(self) -> str:
        settings: Config = self._draft.tentative() or self._draft.config
        return str(settings.llm.get(self._provider, {}).get("key_env", ""))


def key_state(provider: str, key_env: str) -> KeyState:
    """Where the key is; may take as long as the key store does. Raises ModelError for one that cannot be one."""
    found = key_store.find_key(provider, key_env)
    stored = found is not None and found.name.startswith("store:")
    problem = "" if stored else key_store.store_problem() or ""
    source = found.source if found is not None else ""
    return KeyState(source, stored, problem, key_store.environment_name(provider, key_env))


def _removed(provider: str, key_env: str) -> KeyState:
    key_store.delete_key(provider)
    return key_state(provider, key_env)
