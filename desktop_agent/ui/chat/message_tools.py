"""What can be done with a message: the buttons beside the one that is looked at, and its context menu."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QEvent, QObject, QPoint, Qt, QTimer, QUrl, Signal
from PySide6.QtGui import QDesktopServices, QEnterEvent, QGuiApplication
from PySide6.QtWidgets import QHBoxLayout, QMenu, QWidget

from desktop_agent.support.language import tr
from desktop_agent.support.web_origin import origin_of
from desktop_agent.ui.chat.command_card import CommandCard
from desktop_agent.ui.chat.message_view import MessageText, MessageView
from desktop_agent.ui.widgets.buttons import Button
from desktop_agent.ui.widgets.primitives import SHADOW, Card
from desktop_agent.ui.widgets.theme import Theme

LINGER_MS = 250
MOST_LINKS = 8
SHOWN = 60
"""Characters of an address in a menu: it stands in full in the message."""


class MessageDeeds(QObject):
    """Copies messages, hands the user's on to be edited or sent again, and asks before a link is opened.

    Signals: `edit_wanted(text)`; `retry_wanted(text)`. `working` tells whether a run goes on: nothing is sent again then.
    """

    edit_wanted = Signal(str)
    retry_wanted = Signal(str)

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme, self._over = theme, parent
        self.working: Callable[[], bool] = lambda: False

    def copy(self, view: MessageView) -> None:
        """Put the selected words, or all of the message, on the clipboard."""
        QGuiApplication.clipboard().setText(view.selected or view.message.text)

    def edit(self, view: MessageView) -> None:
        self.edit_wanted.emit(view.message.text)

    def retry(self, view: MessageView) -> None:
        if not self.working():
            self.retry_wanted.emit(view.message.text)

    def open_menu(self, view: MessageView, text: MessageText, place: QPoint) -> QMenu:
        """Open the context menu of a message at a place of the screen."""
        menu = self._menu()
        if view.selected:
            menu.addAction(tr("Copy the selected words"), lambda: self.copy(view))
        menu.addAction(tr("Copy the message"), lambda: _put(view.message.text))
        if code := text.code_at(text.viewport().mapFromGlobal(place)):
            menu.addAction(tr("Copy this code"), lambda: _put(code))
        if view.kind == "user":
            menu.addAction(tr("Edit in the input"), lambda: self.edit(view))
            again = menu.addAction(tr("Send again"), lambda: self.retry(view))
            again.setEnabled(not self.working())
        links = [address for each in view.texts for address in each.links()][:MOST_LINKS]
        if links:
            menu.addSeparator()
        for address in links:
            menu.addAction(_open_words(address), partial(_open, address))
        menu.popup(place)
        return menu

    def open_command_menu(self, card: CommandCard, place: QPoint) -> QMenu:
        """Open the context menu of a command at a place of the screen."""
        menu = self._menu()
        if card.selected:
            menu.addAction(tr("Copy the selected words"), partial(_put, card.selected))
        menu.addAction(tr("Copy the command"), card.copy_command)
        if card.row.output:
            menu.addAction(tr("Copy what it printed"), card.copy_output)
        menu.popup(place)
        return menu

    def ask_to_open(self, address: str, place: QPoint) -> QMenu:
        """Ask, at a place of the screen, whether a link shall be opened; the question names where it leads."""
        menu = self._menu()
        heading = menu.addAction(_literal(_elided(address)))
        heading.setEnabled(False)
        menu.addAction(_open_words(address), lambda: _open(address))
        menu.addAction(tr("Copy the address"), lambda: _put(address))
        menu.popup(place)
        return menu

    def _menu(self) -> QMenu:
        menu = QMenu(self._over)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.setStyleSheet(self._theme.style_sheet())
        return menu


def _put(text: str) -> None:
    QGuiApplication.clipboard().setText(text)


def _open(address: str) -> None:
    """Let the system open a web address; anything else is not opened."""
    if address.startswith(("http://", "https://")) and origin_of(address):
        QDesktopServices.openUrl(QUrl(address))


def _open_words(address: str) -> str:
    return _literal(tr("Open {place} in the browser").format(place=origin_of(address)))


def _elided(address: str) -> str:
    return address if len(address) <= SHOWN else f"{address[: SHOWN - 20]}…{address[-19:]}"


def _literal(words: str) -> str:
    """Words in which a menu marks no key."""
    return words.replace("&", "&&")


class MessageTools(Card):
    """Buttons for the message under the mouse or with the keyboard; they lie over its upper end corner."""

    def __init__(self, theme: Theme, deeds: MessageDeeds, parent: QWidget) -> None:
        super().__init__(theme, parent=parent)
        self._deeds = deeds
        self._view: MessageView | None = None
        row = QHBoxLayout()
        row.setSpacing(0)
        self.box.setContentsMargins(2, 2, 2, 2 + SHADOW)
        self.box.addLayout(row)
        self.copy = self._button("copy", tr("Copy"), deeds.copy, row)
        self.edit = self._button("edit", tr("Edit in the input"), deeds.edit, row)
        self.retry = self._button("retry", tr("Send again"), deeds.retry, row)
        self._timer = QTimer(self, singleShot=True, interval=LINGER_MS)
        self._timer.timeout.connect(self._leave)
        self.hide()

    def _button(self, icon: str, name: str, deed: Callable[[MessageView], None], row: QHBoxLayout) -> Button:
        button = Button(self._theme, kind="icon", icon=icon, name=name)
        button.setFixedSize(28, 28)
        button.clicked.connect(lambda: deed(self._view) if self._view is not None else None)
        row.addWidget(button)
        return button

    def show_for(self, view: MessageView | None) -> None:
        """Show the tools of a message; for None hide them a little later, so that the mouse reaches them."""
        if view is None:
            self._timer.start()
            return
        self._timer.stop()
        if view is not self._view:
            self._view = view
            view.destroyed.connect(self._forget)
            QWidget.setTabOrder(view, self.copy)
            QWidget.setTabOrder(self.copy, self.edit)
            QWidget.setTabOrder(self.edit, self.retry)
        for button in (self.edit, self.retry):
            button.setVisible(view.kind == "user")
        self.retry.setEnabled(not self._deeds.working())
        self.adjustSize()
        self.place()
        self.show()
        self.raise_()

    def place(self) -> None:
        """Follow the message when it moves."""
        view, over = self._view, self.parentWidget()
        if view is None or over is None:
            return
        corner = view.mapTo(over, view.rect().topRight())
        x = 0 if self.layoutDirection() == Qt.LayoutDirection.RightToLeft else over.width() - self.width()
        self.move(x, max(0, corner.y() - self.height() + SHADOW + 8))

    def _forget(self) -> None:
        self._view = None
        self.hide()

    def _leave(self) -> None:
        view = self._view
        held = any(each.hasFocus() for each in (self.copy, self.edit, self.retry, view) if each is not None)
        if not held and not self.underMouse():
            self.hide()

    def enterEvent(self, event: QEnterEvent) -> None:
        self._timer.stop()

    def leaveEvent(self, event: QEvent) -> None:
        self._timer.start()
