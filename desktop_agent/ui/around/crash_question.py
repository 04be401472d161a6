"""The question after a crash: shows the report whole, and leaves it to the user what becomes of it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication

from desktop_agent.support.language import later, tr
from desktop_agent.ui.around.text_window import TextWindow
from desktop_agent.ui.widgets.theme import Theme

INTRO = later(
    "Something went wrong the last time. This is everything that is known of it; secrets were taken out. It is only a "
    "file on this computer: nothing is sent, and no server waits for it. Copy it if you want to report it, or delete it."
)


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
