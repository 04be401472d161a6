"""The main window: shows the agent's events and sends the user's input to the agent."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtGui import (
    QAccessible,
    QAccessibleAnnouncementEvent,
    QCloseEvent,
    QKeySequence,
    QShortcut,
    QShowEvent,
)
from PySide6.QtWidgets import QApplication, QMenu, QToolTip, QVBoxLayout, QWidget

from desktop_agent.agent.choices import ChoiceName, Choices, Offer
from desktop_agent.agent.port import StepMode
from desktop_agent.protocol.agent_events import FeedEvent
from desktop_agent.protocol.chat_messages import PictureBlock
from desktop_agent.redaction.redactor import redactor
from desktop_agent.support.config import Config, HotKeySettings
from desktop_agent.support.hotkey import parse_hotkey
from desktop_agent.support.language import tr
from desktop_agent.ui.bridge import Bridge
from desktop_agent.ui.chat.attachments import DropCatcher
from desktop_agent.ui.chat.given_pictures import jpeg_of
from desktop_agent.ui.panels.body import MARGIN, Body
from desktop_agent.ui.panels.composer import Composer, UsageMeter
from desktop_agent.ui.panels.header import Header, look_of
from desktop_agent.ui.panels.pills import STEP_WORDS
from desktop_agent.ui.settings_calls import SettingsCalls
from desktop_agent.ui.shell.card_sight import SHOW_WITHIN, CardSight
from desktop_agent.ui.shell.dock import Side, WindowIni
from desktop_agent.ui.shell.frameless import DockFrame
from desktop_agent.ui.shell.hotkeys import HotKeys, answers, key_sequence
from desktop_agent.ui.shell.screen_hints import ScreenHints
from desktop_agent.ui.shell.x11.own_windows import give_focus_back
from desktop_agent.ui.view_model import SECTIONS, RunView, Section
from desktop_agent.ui.welcome.welcome_guide import WelcomeGuide
from desktop_agent.ui.welcome.welcome_host import WelcomeHost
from desktop_agent.ui.widgets.theme import MODES, Theme


class Window(DockFrame):
    """Header, body, usage meter and composer; everything shown comes from one RunView.

    Signals: those of DockFrame.
    """

    def __init__(
        self,
        bridge: Bridge,
        theme: Theme,
        settings: WindowIni,
        choices: Choices | None = None,
        guide: WelcomeGuide | None = None,
    ) -> None:
        """Without `choices` the settings are shown and cannot be changed; without a `guide` there is no first page."""
        super().__init__(theme, settings)
        self.view = RunView()
        self._bridge, self._port = bridge, bridge.port
        self._writing = False
        self._instead_of = ""
        self._settings_theme = choices.settings().window.theme if choices is not None else "system"
        info = self._port.info
        self.header = Header(theme)
        self.body = Body(theme, info)
        self.meter = UsageMeter(theme)
        self.composer = Composer(theme, info)
        self.keys, self.show_keys = HotKeys(self), HotKeys(self)
        self._shortcuts = {meaning: QShortcut(self) for meaning in ("approve", "skip", "edit")}
        self._hint_key = HotKeys(self)
        self.hints = ScreenHints(bridge.port, theme, parent=self)
        self.sight = CardSight(self, self.body.approval)
        self.setWindowTitle("Desktop Agent")
        self._lay_out()
        self.calls = SettingsCalls(choices, self) if choices is not None else None
        self._connect()
        self._connect_hints()
        self._connect_choices()
        self.welcome = self._make_welcome(guide) if guide is not None else None
        self._look_changed()
        self._show(set(SECTIONS))
        self.composer.input.setFocus()

    @property
    def theme(self) -> Theme:
        """The colours and fonts of this window and those it opens."""
        return self._theme

    def _lay_out(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.header)
        column.addWidget(self.body, 1)
        foot = QVBoxLayout()
        foot.setContentsMargins(MARGIN, 4, MARGIN, MARGIN - 4)
        foot.setSpacing(4)
        foot.addWidget(self.meter)
        foot.addWidget(self.composer)
        column.addLayout(foot)

    def _connect(self) -> None:
        header, composer, card = self.header, self.composer, self.body.approval
        self._bridge.arrived.connect(self._arrived)
        self._bridge.broke.connect(self._broke)
        header.stop_pressed.connect(self.stop)
        header.pause_pressed.connect(self._pause)
        header.resume_pressed.connect(self._resume)
        self.body.now.resume.clicked.connect(self._resume)
        header.menu_button.pressed.connect(self._start_writing)
        header.theme_chosen.connect(self._choose_theme)
        header.dock_chosen.connect(self._choose_side)
        header.close_pressed.connect(self.close)
        header.add_to_menu(tr("New conversation"), self.new_conversation)
        composer.sent.connect(self.send)
        composer.sent_with.connect(self.send)
        composer.meant = self.body.question.meant
        composer.input.history.keep_in(self._settings.folder)
        self.drops = DropCatcher(self, composer.attachments)
        self.drops.over.connect(composer.show_drop)
        composer.wanted.connect(self._start_writing)
        composer.input.textChanged.connect(self._port.prepare)
        composer.input.paged.connect(self.body.page)
        self.focus_left.connect(self._stop_writing)
        self.body.activity.fold(self._settings.actions_folded)
        self.body.activity.folded.connect(self._settings.save_actions_folded)
        self.body.environments.fold(self._settings.environments_folded)
        self.body.environments.folded.connect(self._settings.save_environments_folded)
        self.body.ending.replay_wanted.connect(self._show_run)
        self.body.greeting.example_chosen.connect(composer.fill)
        self.body.question.chosen.connect(self.send)
        self.body.chat.deeds.edit_wanted.connect(composer.fill)
        self.body.chat.deeds.retry_wanted.connect(self.send)
        card.approved.connect(self._approve)
        card.skipped.connect(self._skip)
        card.changed.connect(self._port.edit)
        card.instead.connect(self._say_instead)
        card.writing.connect(self._write_in_card)
        card.resized.connect(self.body.fit)
        self.sight.shown.connect(self._port.shown)
        self.sight.hidden.connect(self._port.not_shown)
        self._port.promise_to_show(SHOW_WITHIN)
        self.body.scope.taken_back.connect(self._port.take_back)
        self.keys.pressed.connect(self._key_pressed)
        self.keys.trouble.connect(self._keys_troubled)
        self._theme.changed.connect(self._look_changed)
        for keys, slot in (
            ("Esc", self._escape), ("Ctrl+Q", self.close),
        ):  # fmt: skip
            QShortcut(QKeySequence(keys), self).activated.connect(slot)
        for meaning in ("approve", "skip", "edit"):
            self._shortcuts[meaning].activated.connect(getattr(card, meaning).click)
        self.show_keys.pressed.connect(self._show_at_once)
        self.use_hotkeys(
            self.calls.choices.settings().hotkeys if self.calls is not None else HotKeySettings()
        )

    def _connect_choices(self) -> None:
        pills, calls = self.composer.pills, self.calls
        if calls is None:
            return
        pills.make_choosable()
        pills.opened.connect(self._menu_opened)
        pills.chosen.connect(self._choose)
        calls.offered.connect(self._show_offers)
        calls.changed.connect(self._settings_changed)
        calls.failed.connect(self._setting_failed)

    def _connect_hints(self) -> None:
        """During a run a shortcut switches the hints on the screen on and off."""
        self._hint_key.pressed.connect(lambda _: self.hints.switch())
        self.hints.working.connect(self._hint_key.hold)
        self._bridge.arrived.connect(self.hints.apply)

    def _make_welcome(self, guide: WelcomeGuide) -> WelcomeHost | None:
        column = self.layout()
        if self.calls is None or not isinstance(column, QVBoxLayout):
            return None
        parts = (self.body, self.meter, self.composer)
        write = self.composer.input.setFocus
        host = WelcomeHost(guide, self.calls, self._theme, self._settings, column, parts, write, self)
        host.calls.examples.connect(self.body.greeting.show_examples)
        self.painted.connect(host.calls.ask_examples)
        self.header.add_to_menu(tr("Welcome…"), host.show)
        return host

    def welcome_first(self) -> None:
        """Show the first page if it was neither finished nor skipped yet."""
        if self.welcome is not None and not self.view.working:
            self.welcome.start()

    # ---- from the agent -------------------------------------------------------------------

    def _arrived(self, events: list[FeedEvent]) -> None:
        self.view.apply(events)
        self._show(self.view.take_changes())

    def _broke(self, message: str, advice: str) -> None:
        self.view.broke(message, advice)
        self._show(self.view.take_changes())

    def _show(self, changed: set[Section]) -> None:
        view = self.view
        if "state" in changed:
            if view.working and self.welcome is not None:
                self.welcome.remove()
            self.header.show_state(view.state, view.working, view.answered)
            self.composer.show_info(self._port.info)
            self.composer.show_state(view.state)
            self._announce(tr(look_of(view.state, view.answered)[0]).lower())
        if "usage" in changed:
            self.meter.show_usage(view.usage)
        self.body.show_view(view, changed)
        if changed & {"asked", "state"}:
            self.keys.hold(view.approval is not None)
            self._update_focus_policy()
            self.sight.watch(view.approval.id if view.approval is not None else "")

    def _announce(self, word: str) -> None:
        """Put the state into the window title, and announce a change to screen readers."""
        title = f"Desktop Agent – {word}"
        if title != self.windowTitle():
            self.setWindowTitle(title)
            QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(self, f"{word} {self.view.detail}"))

    def _update_focus_policy(self) -> None:
        """Refuse the keyboard focus while the agent works in an application, unless the user is typing here."""
        self.set_quiet(self.view.working and self.view.state != "paused" and not self._writing)

    # ---- from the user --------------------------------------------------------------------

    def send(self, text: str, pictures: tuple[PictureBlock, ...] = ()) -> None:
        """Send the user's text to the agent: a goal, an answer, or what to do instead; marked secrets are replaced."""
        text = redactor().mark(text)
        self.view.user_said(text, tuple(jpeg_of(each) for each in pictures))
        self._port.send(text, pictures)
        if self._instead_of:
            self._port.skip(self._instead_of)
        self._instead_of = ""
        self.body.follow()
        self._show(self.view.take_changes())
        self.composer.input.clearFocus()
        self._give_keyboard_back()

    def _give_keyboard_back(self) -> None:
        self._writing = False
        self.set_quiet(True)
        if self.isActiveWindow():
            give_focus_back()

    def new_conversation(self) -> None:
        """Clear the conversation; the next run is told nothing of those before it."""
        if not self.view.working:
            self._port.new_conversation()
            self.view.new_conversation()
            self._show(self.view.take_changes())

    def stop(self) -> None:
        """Stop the agent's run."""
        self.header.stop.setEnabled(False)
        self._port.stop()

    def _escape(self) -> None:
        if self.welcome is not None and self.welcome.escape_pressed():
            return
        if self.view.working:
            self.stop()

    def _pause(self) -> None:
        self._port.pause()

    def _resume(self) -> None:
        self._port.resume()

    def _approve(self, id: str, always: bool) -> None:
        self._port.approve(id, always)

    def _skip(self, id: str) -> None:
        self._port.skip(id)

    def _write_in_card(self, begins: bool) -> None:
        """Take the keyboard for the fields of the card, and give it back after them."""
        if begins:
            self._start_writing()
        else:
            self._give_keyboard_back()

    def _say_instead(self, id: str) -> None:
        self._instead_of = id
        self.composer.ask_instead()

    def _key_pressed(self, meaning: str) -> None:
        card = self.body.approval
        {"approve": card.approve, "skip": card.skip, "edit": card.edit}[meaning].click()

    def use_hotkeys(self, settings: HotKeySettings) -> None:
        """Take these shortcuts, in this window and from the whole desktop."""
        chosen = answers(settings)
        self.keys.use(chosen)
        for meaning, shortcut in self._shortcuts.items():
            shortcut.setKey(key_sequence(chosen[meaning]))
        for button, words in ((self.body.approval.approve, "Approve"), (self.body.approval.skip, "Skip")):
            text = chosen[words.lower()]
            hotkey = parse_hotkey(text) if text else None
            button.set_cap(hotkey.cap if hotkey is not None else "")
            button.setAccessibleName(f"{tr(words)} ({hotkey.title})" if hotkey is not None else tr(words))
        self.show_keys.use({"show": settings.show})
        self.show_keys.hold(bool(settings.show))
        self._hint_key.use({"hints": settings.hints})

    def _show_at_once(self, _meaning: str) -> None:
        self.setWindowState(self.windowState() & ~Qt.WindowState.WindowMinimized)
        self.show()
        self.raise_()
        self.take_keyboard()

    def _keys_troubled(self, words: str) -> None:
        self.body.approval.show_keys(words)
        self.body.fit()

    def _show_run(self) -> None:
        """Show what happened in the run that has just ended."""
        from desktop_agent.ui.history.history_window import open_run  # its windows know this one

        open_run(self, Path(self.view.recording), self._port)

    def _start_writing(self) -> None:
        self._writing = True
        self._port.prepare()
        self.take_keyboard()

    def _stop_writing(self) -> None:
        self._writing = False
        self._update_focus_policy()

    def _menu_opened(self, name: ChoiceName) -> None:
        self._start_writing()
        if self.calls is not None:
            self.calls.ask(name)

    def _show_offers(self, name: ChoiceName, offers: tuple[Offer, ...]) -> None:
        if self.calls is not None:
            agent = self.calls.choices.settings().agent
            current = self._port.info.step_mode if name == "step" else str(getattr(agent, name))
            self.composer.pills.show_offers(name, offers, current)

    def _choose(self, name: ChoiceName, value: str) -> None:
        """Put a choice into force; the step mode at once, also during a run, and then for this session alone."""
        if name == "step":
            mode: StepMode = next(known for known in STEP_WORDS if known == value)
            self._port.set_step_mode(mode)
            self.composer.show_info(self._port.info)
        if self.calls is not None and not self.view.working:
            self.calls.change({f"agent.{name}": value})

    def _settings_changed(self) -> None:
        if self.calls is not None:
            self.use_settings(self.calls.choices.settings())

    def use_settings(self, settings: Config) -> None:
        """Show what the settings say now of the agent and of this window."""
        self.body.greeting.show_info(self._port.info)
        self.composer.show_info(self._port.info)
        self.use_hotkeys(settings.hotkeys)
        window = settings.window
        if window.theme != self._settings_theme:
            self._settings_theme = window.theme
            self._choose_theme(window.theme)
        self.snaps, self.body.live.shown = window.snap, window.live_picture
        self.sight.attention = window.attention
        self.hints.switch(window.hints)
        on_top = bool(self.windowFlags() & Qt.WindowType.WindowStaysOnTopHint)
        if window.always_on_top != on_top:
            hidden = self.isHidden()
            self.setWindowFlag(Qt.WindowType.WindowStaysOnTopHint, window.always_on_top)
            if not hidden:
                self.show_quietly()

    def _setting_failed(self, message: str, advice: str) -> None:
        if self.welcome is not None and self.welcome.show_problem(message, advice):
            return
        self.view.told(message, advice)
        self._show(self.view.take_changes())

    def _choose_side(self, side: str) -> None:
        chosen: Side = "left" if side == "left" else "right"
        self.dock(chosen)

    def _choose_theme(self, mode: str) -> None:
        chosen = next(known for known in MODES if known == mode)
        self._theme.set_mode(chosen)
        self._settings.save_theme(chosen)

    # ---- the look -------------------------------------------------------------------------

    def _look_changed(self) -> None:
        palette, sheet = self._theme.palette(), self._theme.style_sheet()
        QApplication.setPalette(palette)
        QToolTip.setPalette(palette)
        for menu in self.findChildren(QMenu):
            menu.setStyleSheet(sheet)
        self.body.chat.recolor()
        for widget in self.findChildren(QWidget):
            widget.update()
        self.update()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._update_focus_policy()

    def closeEvent(self, event: QCloseEvent) -> None:
        """Stop the agent and unregister the shortcuts; the application then waits for the agent's thread."""
        self._port.stop("the window was closed")
        self.keys.close()
        self.sight.close()
        if self.welcome is not None:
            self.welcome.close()
        if self.calls is not None:
            self.calls.close()
        self.show_keys.close()
        self.hints.close()
        self._hint_key.close()
        super().closeEvent(event)


def bring_to_front(window: QWidget) -> None:
    """Show the window above others, with the keyboard unless it refuses that while the agent works elsewhere."""
    window.setWindowState(window.windowState() & ~Qt.WindowState.WindowMinimized)
    window.show()
    window.raise_()
    handle = window.windowHandle()
    if handle is not None and not handle.flags() & Qt.WindowType.WindowDoesNotAcceptFocus:
        window.activateWindow()
