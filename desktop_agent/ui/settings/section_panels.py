"""What a section has besides its settings: keys, tests, and what was allowed for always."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from PySide6.QtWidgets import QWidget

from desktop_agent.ui.settings.setting_catalog import Catalog
from desktop_agent.ui.settings.setting_draft import SettingDraft
from desktop_agent.ui.settings.surroundings import Surroundings
from desktop_agent.ui.widgets.theme import Theme


def panels_for(
    section: str,
    theme: Theme,
    catalog: Catalog,
    draft: SettingDraft,
    surroundings: Surroundings,
    ask: Callable[..., Any],
) -> list[QWidget]:
    """The panels of a section, in order."""
    return []
