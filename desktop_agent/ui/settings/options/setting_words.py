"""The words of the settings dialog: sections, labels and help, from `settings/settings.toml` of the program's assets and of each extra's."""

from __future__ import annotations

from functools import lru_cache
from typing import Literal

import msgspec

from desktop_agent.support import resources
from desktop_agent.support.language import Language, capitalized

Section = str
OTHER_SECTION: Section = "advanced"
"""Where a setting stands that has no words."""


class SectionTitle(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a section is called and about, in one language."""

    title: str
    about: str


class SectionEntry(SectionTitle, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A section: its icon (a file of assets/icons) and words."""

    icon: str
    de: SectionTitle

    def words(self, language: Language) -> SectionTitle:
        return self.de if language == "de" else self


class PluginEntry(SectionTitle, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What a plug-in is called and about; `rare` ones stand last."""

    de: SectionTitle
    rare: bool = False

    def words(self, language: Language) -> SectionTitle:
        return self.de if language == "de" else self


class SettingLabel(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a setting is called in one language: `values` are words for what can be chosen."""

    label: str
    help: str
    unit: str = ""
    values: dict[str, str] = {}


class SettingEntry(SettingLabel, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A setting: its place and words. `advanced` ones are folded away; `browse` is for paths."""

    section: str
    de: SettingLabel
    browse: Literal["", "file", "folder"] = ""
    advanced: bool = False

    def words(self, language: Language) -> SettingLabel:
        return self.de if language == "de" else self


class SettingWords(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """All the words; sections stand in the order of the dialog."""

    section: dict[str, SectionEntry] = {}
    plugin: dict[str, PluginEntry] = {}
    setting: dict[str, SettingEntry] = {}

    def of(self, name: str) -> SettingEntry | None:
        """The entry of a setting by its dotted name, or of the same field of every plug-in; None without one."""
        family, _, rest = name.partition(".")
        return self.setting.get(name) or self.setting.get(f"{family}.*.{rest.partition('.')[2]}")


@lru_cache(maxsize=1)
def setting_words() -> SettingWords:
    """The assets, read once. Raises OSError or msgspec.ValidationError."""
    found = SettingWords()
    for each in resources.all_paths("settings", "settings.toml"):
        more = msgspec.toml.decode(each.read_bytes(), type=SettingWords)
        found = SettingWords(
            found.section | more.section, found.plugin | more.plugin, found.setting | more.setting
        )
    return found


def plain_label(key: str) -> str:
    """A label made of a field's name: `max_output_tokens` → `Max output tokens`."""
    return capitalized(key.replace("_", " ").strip())
