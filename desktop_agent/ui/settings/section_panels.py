"""What a section, or a plug-in in it, has besides its settings: keys, tests, and what was allowed for always."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from desktop_agent.ui.settings.allowed_panel import AllowedPanel
from desktop_agent.ui.settings.key_panel import KeyPanel
from desktop_agent.ui.settings.reach_panel import ReachPanel
from desktop_agent.ui.settings.setting_catalog import PluginGroup
from desktop_agent.ui.settings.setting_draft import SettingDraft
from desktop_agent.ui.settings.surroundings import Surroundings
from desktop_agent.ui.widgets.theme import Theme


def panels_of_section(section: str, theme: Theme, surroundings: Surroundings) -> list[QWidget]:
    """The panels of a section, in order."""
    return [AllowedPanel(theme, surroundings)] if section == "permission" else []


def panels_of_group(group: PluginGroup, theme: Theme, draft: SettingDraft) -> list[QWidget]:
    """A model's key and the test whether it can be reached; nothing for any other plug-in."""
    if group.family != "llm":
        return []
    reach = ReachPanel(theme, group.name, draft)
    return [KeyPanel(theme, group.name, draft, reach), reach] if group.takes_key else [reach]
