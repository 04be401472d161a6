"""What a section, or a plug-in in it, has besides its settings: keys, tests, and what was allowed for always."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import NamedTuple

from PySide6.QtCore import QEvent, QRectF, Qt, QTimer, Signal
from PySide6.QtGui import QHideEvent, QKeyEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from desktop_agent.protocol.stop_flag import StopFlag
from desktop_agent.support import key_store
from desktop_agent.support.config import Config
from desktop_agent.support.hotkey import ESCAPE_STAYS, Hotkey
from desktop_agent.support.language import tr
from desktop_agent.ui.background_work import LatestTask
from desktop_agent.ui.key_trial import keep_key
from desktop_agent.ui.settings.editors.hotkey_editor import hotkey_of
from desktop_agent.ui.settings.options.setting_catalog import Catalog, PluginGroup
from desktop_agent.ui.settings.options.setting_draft import SettingDraft
from desktop_agent.ui.settings.options.surroundings import AlwaysAllowed, Surroundings
from desktop_agent.ui.settings.panels.model_reach import Reached, cost_words, reach
from desktop_agent.ui.shell.hotkeys import HotKeys
from desktop_agent.ui.welcome.welcome_guide import KeyVerdict
from desktop_agent.ui.widgets.buttons import Button
from desktop_agent.ui.widgets.form_controls import SecretField
from desktop_agent.ui.widgets.primitives import Card, Icon
from desktop_agent.ui.widgets.theme import Theme
from desktop_agent.ui.widgets.wrapped_text import WrappedText

TEST_MS = 20_000


_LOOKS = {
    "ok": ("check", "ok"),
    "ready": ("check", "ok"),
    "failed": ("warn", "stop"),
    "stopped": ("stop", "soft"),
    "kept": ("question", "warn"),
    "refused": ("warn", "stop"),
    "unkept": ("warn", "warn"),
}


def panels_of_section(
    section: str, theme: Theme, catalog: Catalog, draft: SettingDraft, surroundings: Surroundings
) -> list[QWidget]:
    """The panels of a section, in order."""
    if section == "permission":
        return [AllowedPanel(theme, surroundings)]
    if section == "hotkeys":
        hotkeys = [each for each in catalog.settings if each.section == section]
        labels = {each.option.key: each.words.label for each in hotkeys}
        return [KeyTest(theme, labels, {each.option.key: str(draft.value(each)) for each in hotkeys})]
    return []


def panels_of_group(group: PluginGroup, theme: Theme, draft: SettingDraft) -> list[QWidget]:
    """A model's key and the test whether it can be reached; nothing for any other plug-in."""
    if group.family != "llm":
        return []
    reach = ReachPanel(theme, group.name, draft)
    return [KeyPanel(theme, group.name, draft, reach), reach] if group.takes_key else [reach]


class AllowedPanel(Card):
    """A card with one line each; taking one back counts at once. No signals of its own."""

    def __init__(self, theme: Theme, surroundings: Surroundings) -> None:
        super().__init__(theme)
        self._theme, self._surroundings = theme, surroundings
        self.buttons: list[Button] = []
        self._rows: list[QWidget] = []
        self.box.addWidget(WrappedText(theme, tr("Always allowed"), role="strong"))
        about = tr("What you answered with “Always here”. Taking one back counts at once.")
        self.box.addWidget(WrappedText(theme, about, role="small", color="soft"))
        self._lines = QVBoxLayout()
        self._lines.setSpacing(4)
        self.box.addLayout(self._lines)
        self.state = WrappedText(theme, "", role="small", color="soft")
        self.box.addWidget(self.state)
        self._work = LatestTask(self)
        self._work.done.connect(self._show)
        self._work.failed.connect(self.state.set_words)
        self._work.run(surroundings.allowed)

    def _show(self, allowed: Sequence[AlwaysAllowed]) -> None:
        for row in self._rows:
            self._lines.removeWidget(row)
            row.hide()
            row.deleteLater()
        self._rows, self.buttons = [], []
        for each in allowed:
            self._add(each)
        self.state.set_words("" if allowed else tr("Nothing yet."))
        self.state.setVisible(not allowed)

    def _add(self, each: AlwaysAllowed) -> None:
        line = QWidget()
        row = QHBoxLayout(line)
        row.setContentsMargins(0, 0, 0, 0)
        button = Button(self._theme, tr("Take back"), name=f"{tr('Take back')}: {each.words}")
        button.clicked.connect(partial(self._take_back, each))
        self.buttons.append(button)
        row.addWidget(WrappedText(self._theme, each.words), 1)
        row.addWidget(button)
        self._lines.addWidget(line)
        self._rows.append(line)

    def _take_back(self, each: AlwaysAllowed) -> None:
        for button in self.buttons:
            button.setEnabled(False)
        self._work.run(partial(_removed_one, each, self._surroundings))


def _removed_one(each: AlwaysAllowed, surroundings: Surroundings) -> Sequence[AlwaysAllowed]:
    each.remove()
    return surroundings.allowed()


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
