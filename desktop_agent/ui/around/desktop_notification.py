"""Shows a notification the system's way: by the tray where that has them, else by the desktop's notification service.

Source: "Desktop Notifications Specification" 1.3, org.freedesktop.Notifications.Notify.
"""

from __future__ import annotations

import os
import threading
from contextlib import suppress

from PySide6.QtWidgets import QApplication, QSystemTrayIcon, QWidget

from desktop_agent.redaction.redactor import redactor
from desktop_agent.support.language import tr
from desktop_agent.support.operating_system import LINUX
from desktop_agent.ui.around.notification_choice import Notice
from desktop_agent.ui.around.tray import Tray

NAME = "Desktop Agent"
SECONDS = 5.0
_SERVICE = (
    "org.freedesktop.Notifications",
    "/org/freedesktop/Notifications",
    "org.freedesktop.Notifications",
)


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
