"""States of the settings dialog, and what is around it."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QTimer

from desktop_agent.protocol.geometry import Rect
from desktop_agent.ui.settings.dialog import SettingsDialog
from desktop_agent.ui.settings.editors.mask_editor import MaskCanvas
from desktop_agent.ui.settings.options.surroundings import (
    AlwaysAllowed,
    OpenWindow,
    ScreenPicture,
    Surroundings,
)
from desktop_agent.ui.settings.panels.section_panels import KeyPanel
from desktop_agent.ui.widgets.form_controls import LineField
from tests.ui.scenes import desktop_picture

REGION = Rect(0, 0, 1920, 1080)
SURROUNDINGS = Surroundings(
    picture=lambda: ScreenPicture(desktop_picture(1280, 720), REGION),
    windows=lambda: (OpenWindow("Inbox – Mail", "Thunderbird"), OpenWindow("Expenses", "Chromium")),
    allowed=lambda: (AlwaysAllowed("click “Send” in chromium at https://shop.example", lambda: None),),
)


def _section(name: str, dialog: SettingsDialog) -> None:
    dialog.show_section(name)


def changed(dialog: SettingsDialog) -> None:
    """Changes of three kinds: one gives more rights, one is wrong."""
    assert dialog.catalog is not None
    settings = {each.name: each for each in dialog.catalog.everything()}
    dialog.show_section("permission")
    dialog.draft.set(settings["agent.permission"], "full")
    dialog.draft.set(settings["agent.step"], "action")
    dialog.draft.set(settings["privacy.windows"], ["*KeePass*"])


def wrong(dialog: SettingsDialog) -> None:
    assert dialog.catalog is not None
    settings = {each.name: each for each in dialog.catalog.everything()}
    dialog.show_section("budgets")
    field = dialog.page.rows["agent.max_steps"].editor.findChild(LineField)
    assert field is not None
    field.setText("20000")
    field.textEdited.emit("20000")
    dialog.draft.set(settings["agent.max_dollars"], 5.0)


def question(dialog: SettingsDialog) -> None:
    changed(dialog)
    dialog.save()


def key(dialog: SettingsDialog) -> None:
    dialog.show_section("model")
    assert dialog.catalog is not None
    dialog.reveal(next(each for each in dialog.catalog.everything() if each.name == "llm.openai.model"))


def key_panel(dialog: SettingsDialog) -> None:
    key(dialog)
    panel = next(each for each in dialog.page.findChildren(KeyPanel) if each.isVisible())
    QTimer.singleShot(250, panel, lambda: dialog.page_area.ensureWidgetVisible(panel, 0, 150))


def masks(dialog: SettingsDialog) -> None:
    dialog.show_section("privacy")
    assert dialog.catalog is not None
    settings = {each.name: each for each in dialog.catalog.everything()}
    dialog.draft.set(settings["privacy.windows"], ["*KeePass*", "Signal"])
    dialog.draft.set(settings["privacy.regions"], [[100, 60, 500, 160], [1200, 640, 420, 300]])
    canvas = dialog.page.findChildren(MaskCanvas)[0]
    canvas.select(0)
    QTimer.singleShot(250, canvas, lambda: dialog.page_area.ensureWidgetVisible(canvas, 0, 110))


def found(dialog: SettingsDialog) -> None:
    dialog.search.setText("token")


SCENES: dict[str, Callable[[SettingsDialog], None]] = {
    **{
        name: partial(_section, name)
        for name in (
            "general", "model", "target", "permission", "privacy", "budgets", "hotkeys", "notes", "history", "advanced"
        )
    },
    "changed": changed, "wrong": wrong, "question": question, "found": found, "key-panel": key_panel, "masks": masks, "key": key,
}  # fmt: skip
