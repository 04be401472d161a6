"""The step of the first page for the model: choose one, paste a key into its card, or go on without a key."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout

from desktop_agent.agent.choices import Offer
from desktop_agent.support.language import tr
from desktop_agent.support.providers import Provider
from desktop_agent.ui.settings_calls import SettingsCalls
from desktop_agent.ui.welcome.welcome_calls import WelcomeCalls
from desktop_agent.ui.welcome.welcome_guide import KeyVerdict
from desktop_agent.ui.welcome.welcome_step import WelcomeStep
from desktop_agent.ui.widgets.buttons import Button
from desktop_agent.ui.widgets.choice_popup import ChoiceRow
from desktop_agent.ui.widgets.form_controls import SecretField
from desktop_agent.ui.widgets.primitives import Card, Icon, Spinner
from desktop_agent.ui.widgets.theme import Theme
from desktop_agent.ui.widgets.wrapped_text import WrappedText, escape_invisible

MOST = 6
"""Models that are shown; the pill under the input lists all."""
NAME = "agent.model"


_LOOKS = {
    "ok": ("check", "ok"), "kept": ("question", "warn"), "refused": ("warn", "stop"), "unkept": ("warn", "warn"),
    "stopped": ("open", "soft"),
}  # fmt: skip


class ThinkerStep(WelcomeStep):
    """Lists the models that can be used now; choosing one puts it into force."""

    def __init__(self, theme: Theme, calls: WelcomeCalls, settings: SettingsCalls) -> None:
        lead = tr(
            "A model decides what to do next. The offline model needs no key and understands plain instructions; a "
            "large one understands more. You can change it at any time."
        )
        super().__init__(theme, tr("Who thinks?"), lead)
        self._settings = settings
        self.rows: list[ChoiceRow] = []
        self._list = QVBoxLayout()
        self._list.setSpacing(6)
        self._waiting = WrappedText(theme, tr("Looking for what is here …"), color="soft")
        self._spinner = Spinner(theme)
        waiting = QHBoxLayout()
        waiting.setSpacing(8)
        waiting.addWidget(self._spinner)
        waiting.addWidget(self._waiting, 1)
        self.problem = WrappedText(theme, color="stop")
        self.problem.hide()
        self.key = KeyCard(theme, calls)
        self.column.addLayout(waiting)
        self.column.addLayout(self._list)
        self.column.addWidget(self.problem)
        self.column.addWidget(self.key)
        self.column.addStretch(1)
        settings.offered.connect(self._show_offers)
        settings.changed.connect(self._changed)
        self.key.kept.connect(self._choose)
        calls.judged.connect(lambda _verdict: self.news.emit(self.key.told))

    def enter(self) -> None:
        self._settings.ask("model")

    def show_problem(self, message: str, advice: str) -> None:
        """Say why a choice is not in force."""
        self.problem.set_words(escape_invisible(f"{message} {advice}".strip()))
        self.problem.show()

    def _choose(self, value: str) -> None:
        self.problem.hide()
        self._settings.change({NAME: value})

    def _changed(self) -> None:
        if self.isVisible():
            self._settings.ask("model")

    def _show_offers(self, name: str, offers: tuple[Offer, ...]) -> None:
        if name != "model":
            return
        for part in (self._waiting, self._spinner):
            part.hide()
        current = self._settings.choices.settings().agent.model
        focused = next((each.offer.value for each in self.rows if each.hasFocus()), "")
        for row in self.rows:
            self._list.removeWidget(row)
            row.hide()
            row.deleteLater()
        self.rows = [ChoiceRow(self._theme, each, each.value == current) for each in _shown(offers, current)]
        for row in self.rows:
            row.clicked.connect(partial(self._choose, row.offer.value))
            self._list.addWidget(row)
            if row.offer.value == focused:
                row.setFocus(Qt.FocusReason.TabFocusReason)


def _shown(offers: tuple[Offer, ...], current: str) -> list[Offer]:
    """Those that can be used now, at most MOST, the one in force among them."""
    usable = [each for each in offers if not each.problem]
    late = [each for each in usable[MOST:] if each.value == current]
    return [*usable[: MOST - len(late)], *late]


class KeyCard(Card):
    """Keeps one key at a time, and has it tried. Signal: `kept(provider)` when it is in the key store."""

    kept = Signal(str)

    def __init__(self, theme: Theme, calls: WelcomeCalls) -> None:
        super().__init__(theme)
        self._calls = calls
        self.makers = calls.guide.key_makers()
        self.maker = self.makers[0]
        self._judging: Provider | None = None
        self.chips: dict[str, Button] = {each.name: Button(theme, kind="chip") for each in self.makers}
        self.field = SecretField(theme, "", tr("Paste a key"))
        self.keep = Button(theme, tr("Keep and test"), kind="plain")
        self.cancel = Button(theme, tr("Cancel"), name=tr("Cancel the test of the key"))
        self._spinner = Spinner(theme)
        self._icon = Icon(theme, "check", "ok", 18)
        self.told = WrappedText(theme, role="small")
        self._lay_out(theme)
        self._connect()
        self._choose(self.maker)
        self._show(None)

    def _lay_out(self, theme: Theme) -> None:
        self.box.addWidget(WrappedText(theme, tr("I HAVE A KEY"), role="caps", color="soft"))
        chips = QHBoxLayout()
        chips.setSpacing(6)
        for chip in self.chips.values():
            chips.addWidget(chip)
        chips.addStretch(1)
        self.box.addLayout(chips)
        self.box.addWidget(self.field)
        buttons = QHBoxLayout()
        buttons.setSpacing(8)
        buttons.addWidget(self.keep)
        buttons.addWidget(self.cancel)
        buttons.addStretch(1)
        self.box.addLayout(buttons)
        told = QHBoxLayout()
        told.setSpacing(8)
        told.addWidget(self._spinner)
        told.addWidget(self._icon, 0, Qt.AlignmentFlag.AlignTop)
        told.addWidget(self.told, 1)
        self.box.addLayout(told)

    def _connect(self) -> None:
        for maker in self.makers:
            self.chips[maker.name].clicked.connect(partial(self._choose, maker))
        self.field.textChanged.connect(self._typed)
        self.field.returnPressed.connect(self.keep_key)
        self.keep.clicked.connect(self.keep_key)
        self.cancel.clicked.connect(self._calls.cancel_key)
        self._calls.judged.connect(self._judged)

    def _choose(self, maker: Provider, _checked: bool = False) -> None:
        self.maker = maker
        for each in self.makers:
            chip, chosen = self.chips[each.name], each is maker
            chip.setText(f"✓ {each.label}" if chosen else each.label)
            chip.setAccessibleName(f"{each.label}, {tr('chosen')}" if chosen else each.label)
            chip.tone = "accent" if chosen else ""
            chip.updateGeometry()
            chip.update()
        self.field.setAccessibleName(tr("Key of {provider}").format(provider=maker.label))

    def _typed(self, text: str) -> None:
        self.keep.setEnabled(bool(text.strip()) and self._judging is None)
        begun = [each for each in self.makers if each.key_prefix and text.strip().startswith(each.key_prefix)]
        if begun:
            self._choose(max(begun, key=lambda each: len(each.key_prefix)))

    def keep_key(self) -> None:
        """Have the pasted key kept and tried; the field forgets it."""
        if self._judging is not None or not (secret := self.field.take()):
            return
        self._judging = self.maker
        self._show(None)
        self._calls.keep_key(self.maker.name, secret)

    def _judged(self, verdict: KeyVerdict) -> None:
        maker, self._judging = self._judging, None
        self._show(verdict)
        if verdict.state in ("refused", "stopped"):
            self.field.setFocus(Qt.FocusReason.OtherFocusReason)
        if maker is not None and verdict.state in ("ok", "kept"):
            self.kept.emit(maker.name)

    def _show(self, verdict: KeyVerdict | None) -> None:
        judging = self._judging
        words = tr("It goes into the system's key store, never into a file, and is never shown again.")
        tone = "soft"
        if judging is not None:
            words = tr("Asking {provider} one short question …").format(provider=judging.label)
        elif verdict is not None:
            icon, tone = _LOOKS[verdict.state]
            self._icon.set_icon(icon, tone)
            words = verdict.words
        self.told.set_words(escape_invisible(words))
        self.told.set_color("ink" if verdict is not None else tone)
        self._spinner.setVisible(judging is not None)
        self._icon.setVisible(verdict is not None)
        self.cancel.setVisible(judging is not None)
        self.field.setEnabled(judging is None)
        self._typed(self.field.text())
