"""What a section, or a plug-in in it, has besides its settings: keys, tests, and what was allowed for always."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from desktop_agent.ui.settings.options.setting_catalog import Catalog, PluginGroup
from desktop_agent.ui.settings.options.setting_draft import SettingDraft
from desktop_agent.ui.settings.options.surroundings import Surroundings
from desktop_agent.ui.settings.panels.allowed_panel import AllowedPanel
from desktop_agent.ui.settings.panels.key_panel import KeyPanel
from desktop_agent.ui.settings.panels.key_test import KeyTest
from desktop_agent.ui.settings.panels.reach_panel import ReachPanel
from desktop_agent.ui.widgets.theme import Theme


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
