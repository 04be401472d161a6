"""Which editor each setting gets: by its name where it is special, else by its type."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject

from desktop_agent.agent.choices import Offer
from desktop_agent.support.language import tr
from desktop_agent.ui.settings.editors.compound_editors import TableEditor, editor_for
from desktop_agent.ui.settings.editors.hotkey_editor import HotkeyEditor
from desktop_agent.ui.settings.editors.list_editor import ListEditor, ToggleListEditor
from desktop_agent.ui.settings.editors.mask_editor import MaskEditor
from desktop_agent.ui.settings.editors.value_editors import ChoiceEditor, Editor, OfferEditor
from desktop_agent.ui.settings.editors.window_picker import WindowPicker
from desktop_agent.ui.settings.options.setting_catalog import Catalog, Setting
from desktop_agent.ui.settings.options.setting_draft import SettingDraft
from desktop_agent.ui.settings.options.surroundings import Surroundings
from desktop_agent.ui.widgets.theme import Theme


class EditorFactory:
    """Makes editors; `owner` is the dialog, with which the pickers end."""

    def __init__(
        self, theme: Theme, catalog: Catalog, draft: SettingDraft, surroundings: Surroundings, owner: QObject
    ) -> None:
        self._theme, self._catalog, self._draft = theme, catalog, draft
        self._surroundings, self._owner = surroundings, owner
        self.windows = WindowPicker(theme, surroundings, "windows", owner)
        self.applications = WindowPicker(theme, surroundings, "applications", owner)
        self._special: dict[str, Callable[[Setting], Editor]] = {
            "agent.model": lambda setting: self._offers(setting, catalog.offers["model"]),
            "agent.target": lambda setting: self._offers(setting, catalog.offers["target"]),
            "agent.dialect": self._dialects,
            "agent.environments": self._environments,
            "privacy.regions": lambda _setting: MaskEditor(theme, surroundings),
            "privacy.windows": lambda setting: ListEditor(theme, setting, self.windows.pick),
            "policy.allow_applications": lambda setting: ListEditor(theme, setting, self.applications.pick),
            "policy.deny": lambda setting: TableEditor(theme, setting, self.applications.pick),
        }

    def editor(self, setting: Setting) -> Editor:
        """The editor for a setting."""
        if setting.name.startswith("hotkeys."):
            return HotkeyEditor(self._theme, setting, self._same_hotkey)
        make = self._special.get(setting.name)
        return make(setting) if make is not None else editor_for(self._theme, setting)

    def _same_hotkey(self, name: str, text: str) -> str:
        """The label of another setting with the same shortcut, "" when there is none."""
        others = (
            each for each in self._catalog.settings if each.name.startswith("hotkeys.") and each.name != name
        )
        return next((each.words.label for each in others if text and self._draft.value(each) == text), "")

    def _offers(self, setting: Setting, offers: tuple[Offer, ...]) -> Editor:
        about = [
            (each.value, each.title, f"{each.does} {each.costs}".strip(), each.problem) for each in offers
        ]
        return OfferEditor(self._theme, setting, about)

    def _dialects(self, setting: Setting) -> Editor:
        names = ("auto", *self._catalog.dialects)
        return ChoiceEditor(
            self._theme, setting, [(each, tr("Automatic") if each == "auto" else each) for each in names]
        )

    def _environments(self, setting: Setting) -> Editor:
        groups = (each for each in self._catalog.groups if each.family == "environment")
        return ToggleListEditor(
            self._theme,
            setting,
            [(each.name, each.title, each.problem or each.about, bool(each.problem)) for each in groups],
        )
