"""Ties the window to what surrounds it: tray, notifications, crash reports, and the windows that the menus open."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple, Protocol

from PySide6.QtCore import QEvent, QObject, Qt, QTimer, QUrl
from PySide6.QtGui import QAction, QCloseEvent, QDesktopServices, QGuiApplication
from PySide6.QtWidgets import QApplication, QSystemTrayIcon, QWidget

from desktop_agent.protocol.agent_events import State
from desktop_agent.redaction.redactor import redactor
from desktop_agent.support.language import later, tr
from desktop_agent.support.operating_system import LINUX
from desktop_agent.ui.around.jump_list import show_tasks, tasks
from desktop_agent.ui.around.taskbar_progress import TaskbarProgress, progress_of
from desktop_agent.ui.around.text_window import TextWindow
from desktop_agent.ui.around.tray import Tray
from desktop_agent.ui.background_work import BackgroundWork
from desktop_agent.ui.bridge import Bridge
from desktop_agent.ui.settings.options.surroundings import Surroundings
from desktop_agent.ui.shell.window import Window, bring_to_front
from desktop_agent.ui.shell.windows.taskbar import on_windows
from desktop_agent.ui.view_model import RunView
from desktop_agent.ui.widgets.theme import Theme

TRAY_LOST_MS = 10_000
"""How often a hidden window looks whether the tray is still there."""


INTRO = later(
    "Something went wrong the last time. This is everything that is known of it; secrets were taken out. It is only a "
    "file on this computer: nothing is sent, and no server waits for it. Copy it if you want to report it, or delete it."
)


NAME = "Desktop Agent"
SECONDS = 5.0
_SERVICE = (
    "org.freedesktop.Notifications",
    "/org/freedesktop/Notifications",
    "org.freedesktop.Notifications",
)


@dataclass(frozen=True)
class AroundOptions:
    """What surrounds the window.

    `logs` is the folder of the log; `licences` gives the text of all licences; `keep_in_tray`: closing hides the window
    where there is a tray; `notifications`: the user is told what they cannot see; `hidden`: the window starts in the tray;
    `crashes` are reports to ask about, at a start that shows the window; `runs` is the folder of the runs and
    `surroundings` makes what the settings show of the place worked in, None where there is nothing to show;
    `command` starts this program, for the menu of the button in the task bar.
    """

    logs: Path
    licences: Callable[[], str]
    keep_in_tray: bool = False
    notifications: bool = True
    hidden: bool = False
    crashes: Crashes | None = None
    runs: Path | None = None
    command: tuple[str, ...] = ()
    surroundings: Callable[[], Surroundings] | None = None


class Around(QObject):
    """The tray icon, the notifications and the entries of the menus of one window; lives as long as the window.

    Closing the window stops a run in any case. It ends the program unless the user keeps it in the tray and there is one.
    """

    def __init__(self, window: Window, bridge: Bridge, theme: Theme, options: AroundOptions) -> None:
        super().__init__(window)
        self.options = options
        self._window, self._bridge, self._theme = window, bridge, theme
        self._background = BackgroundWork(self)
        self._choice = NotificationChoice()
        self._ending = False
        self._progress: TaskbarProgress | None = None
        self.opened: TextWindow | None = None
        """The window of the licences or of the logs' place, while it is open."""
        self.asking: TextWindow | None = None
        """The window that asks about a crash, once it was opened."""
        self.tray = Tray(window)
        self._lost = QTimer(self, interval=TRAY_LOST_MS)
        self._lost.timeout.connect(self._come_back)
        self._connect()
        self._fill_menu()
        if options.hidden:
            self.start()
        else:
            window.painted.connect(self.start)

    def _connect(self) -> None:
        tray = self.tray
        tray.toggle_wanted.connect(self.toggle)
        tray.pause_wanted.connect(self._pause)
        tray.stop_wanted.connect(self._window.stop)
        tray.settings_wanted.connect(self.show_settings)
        tray.logs_wanted.connect(self.open_logs)
        tray.licences_wanted.connect(self.show_licences)
        tray.quit_wanted.connect(self.quit)
        tray.messageClicked.connect(self.show)
        self._bridge.arrived.connect(self._changed)  # after the window's own slot: its view is up to date
        self._bridge.broke.connect(self._changed)
        self._window.installEventFilter(self)
        app = QApplication.instance()
        assert isinstance(app, QApplication)  # noqa: S101 - a widget cannot exist without it
        app.commitDataRequest.connect(self._end)  # the end of a session is no wish to keep the window

    def _fill_menu(self) -> None:
        """Put our entries before the last one of the window's menu, which closes it."""
        menu = self._window.header.menu
        last = menu.actions()[-1]
        hints = QAction(tr("Hints on the screen"), menu)
        hints.setCheckable(True)
        hints.setChecked(self._window.hints.on)
        hints.toggled.connect(self._window.hints.switch)
        self._window.hints.switched.connect(hints.setChecked)
        menu.insertAction(last, hints)
        menu.insertSeparator(hints)
        menu.insertSeparator(last)
        for words, slot in (
            (tr("Open the logs folder"), self.open_logs),
            (tr("Licences"), self.show_licences),
        ):
            action = menu.addAction(words, slot)
            menu.insertAction(last, action)
        menu.insertSeparator(last)
        if self._window.calls is not None:
            self._window.header.add_window(tr("Settings …"), self.show_settings)
        if self.options.runs is not None:
            self._window.header.add_window(tr("Earlier runs …"), self.show_history)

    def start(self) -> None:
        """Show the icon: after the first painting, which it would delay."""
        self._changed()
        self.tray.show()
        if on_windows():
            self._progress = TaskbarProgress(int(self._window.winId()))
            if self.options.command:
                show_tasks(tasks(self.options.command))
        if self.options.crashes is not None and not self.options.hidden:
            self.asking = ask_about(self.options.crashes, self._theme, self.open_logs, on_top=self._on_top)

    # ---- the window -----------------------------------------------------------------------

    @property
    def starts_hidden(self) -> bool:
        """True where the window is to stay in the tray until it is asked for, and there is one."""
        return self.options.hidden and self.options.keep_in_tray and self.tray.there

    @property
    def in_sight(self) -> bool:
        """True while the user can see the window: it is on the screen, and on top or active."""
        window = self._window
        handle = window.windowHandle()
        if handle is None or not handle.isExposed() or window.isMinimized() or not window.isVisible():
            return False
        return self._on_top or window.isActiveWindow()

    @property
    def _on_top(self) -> bool:
        return bool(self._window.windowFlags() & Qt.WindowType.WindowStaysOnTopHint)

    def toggle(self) -> None:
        """Hide the window when it is there, else show it."""
        if self._window.isVisible() and not self._window.isMinimized():
            self.hide()
        else:
            self.show()

    def show(self) -> None:
        """Show the window before all others: the user asked for it."""
        bring_to_front(self._window)

    def hide(self) -> None:
        """Hide the window in the tray, or minimise it where there is none: it must be found again."""
        if self.tray.there:
            self._window.hide()
        else:
            self._window.showMinimized()

    def quit(self) -> None:
        """End the program as closing the window does where it is not kept."""
        self._end()
        self._window.close()
        QApplication.quit()

    def _end(self, *_: object) -> None:
        self._ending = True

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Turn the closing of a window that is kept into hiding; learn when it is shown and hidden."""
        if watched is not self._window:
            return False
        if isinstance(event, QCloseEvent):
            return self._close(event)
        if event.type() in (QEvent.Type.Show, QEvent.Type.Hide, QEvent.Type.WindowStateChange):
            self._shown_or_hidden()
        return False

    def _close(self, event: QCloseEvent) -> bool:
        """Hide the window in place of closing it, and return True; or let it close, and take the icon away."""
        if not self._kept():
            self._end()
            self.tray.hide()  # Windows keeps the icon of a program that has ended until the mouse comes over it
            return False
        event.ignore()
        if self._window.view.working:
            self._bridge.port.stop("the window was closed")
        self._window.hide()
        return True

    def _kept(self) -> bool:
        return self.options.keep_in_tray and not self._ending and self.tray.there

    def _shown_or_hidden(self) -> None:
        if self._ending:
            return
        hidden = self._window.isHidden()
        QApplication.setQuitOnLastWindowClosed(not hidden)  # else closing the licences would end us
        if hidden:
            self._lost.start()
        else:
            self._lost.stop()
        self._show_state()

    def look_every(self, milliseconds: int) -> None:
        """Look that often whether the tray is still there, while the window is hidden."""
        self._lost.setInterval(milliseconds)

    def _come_back(self) -> None:
        """Show the window where the tray that hid it has gone."""
        if not self.tray.there:
            self._window.show_quietly()

    # ---- the agent ------------------------------------------------------------------------

    def _changed(self, *_: object) -> None:
        view = self._window.view
        notice = self._choice.of(view, self.in_sight)
        self._show_state()
        if notice is None:
            return
        if self.options.notifications:
            notify(notice, self.tray, self._window)
        if view.approval or view.question:
            self._show_asked()

    def _show_asked(self) -> None:
        """A question is never left in a hidden window; the keyboard stays where it is."""
        if self._window.isHidden():
            self._window.show_quietly()

    def _show_state(self) -> None:
        view = self._window.view
        if self._progress is not None:
            self._progress.show(progress_of(view))
        self.tray.show_state(view.state, view.working, not self._window.isHidden(), view.answered)

    def _pause(self) -> None:
        port = self._bridge.port
        if self._window.view.state == "paused":
            port.resume()
        else:
            port.pause()

    # ---- what the menus open --------------------------------------------------------------

    def show_settings(self) -> None:
        """Show the settings; for a served window, whose client has chosen, the menu."""
        from desktop_agent.ui.settings.dialog import open_settings  # many parts: loaded when it is wanted

        self.show()
        if self._window.calls is None:  # the client of a served window has chosen
            self._window.header.show_menu()
            return
        surroundings = self.options.surroundings() if self.options.surroundings is not None else None
        dialog = open_settings(self._window, self._theme, self._window.calls.choices, surroundings)
        dialog.saved.connect(self._window.use_settings, Qt.ConnectionType.UniqueConnection)

    def show_history(self) -> None:
        """Show the earlier runs."""
        from desktop_agent.ui.history.history_window import open_history  # loaded when it is wanted

        if self.options.runs is not None:
            open_history(self._window, self.options.runs, self._bridge.port)

    def open_logs(self) -> None:
        """Open the folder of the logs, or say where it is when nothing can open it."""
        if not QDesktopServices.openUrl(QUrl.fromLocalFile(str(self.options.logs))):
            self._open(
                tr("Logs"), tr("No program here opens folders. The logs are in:"), str(self.options.logs)
            )

    def show_licences(self) -> None:
        """Show the licences of all parts, as soon as they are read: that takes most of a second."""
        self._open(tr("Licences"), tr("The licences of all parts of this program."), "…")
        self._background.run(self.options.licences, self._fill_licences)

    def _fill_licences(self, text: str) -> None:
        if self.opened is not None and self.opened.windowTitle() == tr("Licences"):
            self.opened.fill(text)

    def _open(self, title: str, intro: str, text: str) -> None:
        if self.opened is not None:
            self.opened.close()
        opened = self.opened = TextWindow(self._theme, title, intro, text, on_top=self._on_top)
        opened.closed.connect(lambda: self._forget(opened))
        opened.show()

    def _forget(self, closed: TextWindow) -> None:
        if self.opened is closed:
            self.opened = None


class Crashes(Protocol):
    """The reports of crashes the user has not been told of."""

    def text(self) -> str: ...
    def told(self) -> None: ...
    def delete(self) -> None: ...


def ask_about(
    crashes: Crashes, theme: Theme, open_folder: Callable[[], object], *, on_top: bool = True
) -> TextWindow | None:
    """Show the reports beside the work, without taking the keyboard; None when there are none."""
    text = crashes.text()
    if not text:
        return None
    window = TextWindow(theme, tr("Report of a crash"), tr(INTRO), text, on_top=on_top)
    window.setAttribute(Qt.WidgetAttribute.WA_ShowWithoutActivating)

    def delete() -> None:
        crashes.delete()
        window.close()

    window.add_button(tr("Delete it")).clicked.connect(delete)
    window.add_button(tr("Open its folder")).clicked.connect(lambda: open_folder())
    window.add_button(tr("Copy it")).clicked.connect(lambda: QGuiApplication.clipboard().setText(text))
    window.close_button.setText(tr("Keep it"))
    window.closed.connect(crashes.told)
    window.show()
    return window


# Source: "Desktop Notifications Specification" 1.3, org.freedesktop.Notifications.Notify.
def notify(notice: Notice, tray: Tray, window: QWidget) -> None:
    """Tell the user, and mark the window in the task bar. A desktop without notifications shows that mark alone."""
    title, text = (redactor().clean(tr(each)) for each in notice)
    QApplication.alert(window)
    if tray.there and _by_tray(tray):
        tray.showMessage(title, text, QSystemTrayIcon.MessageIcon.NoIcon)
    elif LINUX:
        threading.Thread(target=_by_service, args=(title, text), name="notification", daemon=True).start()


def _by_tray(tray: Tray) -> bool:
    """True where the tray has notifications of the system's; Qt draws a balloon of its own beside an icon in an X11 panel.

    That balloon would stand in the way of the work. Only those icons have a place on the screen that Qt knows.
    """
    return QSystemTrayIcon.supportsMessages() and (not LINUX or tray.geometry().isEmpty())


def _by_service(title: str, text: str) -> None:
    from desktop_agent.vision.atspi.bus import Bus, BusError
    from desktop_agent.vision.atspi.bus_session import session_address
    from desktop_agent.vision.atspi.wire import Call

    hints = {"desktop-entry": ("s", "desktop-agent")}
    values: tuple[object, ...] = (NAME, 0, "desktop-agent", title, text, [], hints, -1)
    with suppress(BusError, OSError):  # a session without a bus or without such a service
        bus = Bus(session_address(os.environ), SECONDS)
        try:
            bus.ask(Call(*_SERVICE, "Notify", "susssasa{sv}i", values), SECONDS)
        finally:
            bus.close()


class Notice(NamedTuple):
    """What a notification says, in English: fixed words of ours, so that none can hold a secret or what is on the screen."""

    title: str
    text: str


APPROVAL = Notice(later("The agent asks before it acts"), later("It waits for your yes or no in its window."))


QUESTION = Notice(later("The agent has a question"), later("It waits for your answer in its window."))


ANSWERED = Notice(later("The agent has answered"), later("Its answer is in its window."))


ENDS: dict[State, Notice] = {
    "done": Notice(later("The run is done"), later("What it did is in its window.")),
    "stopped": Notice(later("The run was stopped"), later("Nothing is held down any more.")),
    "error": Notice(later("The run has failed"), later("What went wrong is in its window.")),
}


class NotificationChoice:
    """Remembers what has been told: each question and each end is told once."""

    def __init__(self) -> None:
        self._asked: object = None
        self._worked = False

    def of(self, view: RunView, in_sight: bool) -> Notice | None:
        """What the user is to be told now that the view is like this; None while they can see it, or know it."""
        asked = view.approval or view.question
        new = asked is not None and asked is not self._asked
        ended = self._worked and not view.working
        self._asked, self._worked = asked, view.working
        if in_sight:
            return None
        if new:
            return APPROVAL if view.approval is not None else QUESTION
        if not ended:
            return None
        return ANSWERED if view.state == "done" and view.answered else ENDS.get(view.state)
