"""Lists all settings (the fields of config.toml and the options of each plug-in found) and writes a new settings file with their defaults."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import groupby
from pathlib import Path
from types import ModuleType
from typing import Any

import msgspec
import tomlkit
from tomlkit.items import InlineTable

from desktop_agent.agent.choices import Choices, Offer
from desktop_agent.protocol.errors import ConfigError
from desktop_agent.support import plugins, resources
from desktop_agent.support.config import TABLES, Config, Table
from desktop_agent.support.language import language_in_use
from desktop_agent.support.paths import private_folder, write_private
from desktop_agent.support.plugins import Plugin
from desktop_agent.ui.settings.options.option_types import Option, options_of
from desktop_agent.ui.settings.options.setting_words import (
    OTHER_SECTION,
    SettingLabel,
    plain_label,
    setting_words,
)

_SECTION_OF: dict[Table, str] = {
    "llm": "model",
    "target": "target",
    "wire": "target",
    "environment": "permission",
}
_HEAD = "# Settings of desktop-agent. Every line shows its default; remove the # to change it.\n"


@dataclass(frozen=True)
class Setting:
    """One setting as the dialog shows it. `group` is the plug-in it belongs to, "" for none."""

    option: Option
    section: str
    words: SettingLabel
    advanced: bool = False
    browse: str = ""
    group: str = ""

    @property
    def name(self) -> str:
        return self.option.name

    @property
    def spoken(self) -> str:
        """Its label, with the plug-in it belongs to: other plug-ins have settings of the same label."""
        return f"{self.group}: {self.words.label}" if self.group else self.words.label

    def value_words(self, value: Any) -> str:
        """A value that can be chosen, in words."""
        return self.words.values.get(str(value), str(value))

    def parts(self) -> tuple[Setting, ...]:
        """The options within it: of a group, or of an entry of a table."""
        table = self.option.kind == "table"
        named = (
            dataclasses.replace(each, name=f"{self.name}.{each.key}") if table else each
            for each in self.option.parts
        )
        return tuple(setting_of(each, self.section, self.group) for each in named)

    def matches(self, words: str) -> bool:
        """Does every one of these words stand in its label, help or name?"""
        text = f"{self.words.label} {self.words.help} {self.name} {self.group}".casefold()
        return all(word in text for word in words.casefold().split())


@dataclass(frozen=True)
class PluginGroup:
    """A plug-in with its settings. `problem` says why it cannot be used, "" when it can; `rare` ones stand last."""

    family: Table
    name: str
    title: str
    section: str
    about: str
    problem: str
    settings: tuple[Setting, ...] = ()
    rare: bool = False

    @property
    def takes_key(self) -> bool:
        """Is it a model that sends a key of the user's?"""
        names = {each.option.key for each in self.settings}
        return "key_env" in names and self.name != "local"  # that one's key is made by this program


@dataclass(frozen=True)
class Catalog:
    """All that the dialog shows, as it was when it was read."""

    config: Config
    settings: tuple[Setting, ...]
    groups: tuple[PluginGroup, ...]
    offers: dict[str, tuple[Offer, ...]] = field(default_factory=dict)
    dialects: tuple[str, ...] = ()

    def everything(self) -> Iterator[Setting]:
        """The settings of config.toml, then those of the plug-ins."""
        yield from self.settings
        for group in self.groups:
            yield from group.settings

    def sections(self) -> tuple[str, ...]:
        """The sections that hold something, in the order of the dialog."""
        used = {each.section for each in self.everything()} | {each.section for each in self.groups}
        return tuple(name for name in setting_words().section if name in used)


def read_catalog(choices: Choices) -> Catalog:
    """Read the settings and find every plug-in; takes a second. Raises ConfigError."""
    return Catalog(
        choices.settings(),
        config_settings(),
        tuple(_group(family, each) for family in TABLES for each in plugins.discover(family)),
        {name: choices.offers(name) for name in ("model", "target")},
        plugins.names("dialect"),
    )


def config_settings() -> tuple[Setting, ...]:
    """The settings of config.toml's own tables, in the order of the words, then those without words."""
    found = [
        setting_of(option)
        for each in msgspec.structs.fields(Config)
        if isinstance(each.default, msgspec.Struct)
        for option in options_of(type(each.default), each.name)
    ]
    order = {name: number for number, name in enumerate(setting_words().setting)}
    return tuple(sorted(found, key=lambda each: order.get(each.name, len(order))))


def setting_of(option: Option, section: str = OTHER_SECTION, group: str = "") -> Setting:
    """The setting of an option, with its words; without any it stands in `section` under its name."""
    entry = setting_words().of(option.name)
    if entry is None:
        return Setting(option, section, SettingLabel(plain_label(option.key), ""), group=group)
    where = section if group else entry.section
    return Setting(option, where, entry.words(language_in_use()), entry.advanced, entry.browse, group)


def _group(family: Table, plugin: Plugin) -> PluginGroup:
    section, prefix = _SECTION_OF[family], f"{family}.{plugin.name}"
    entry = None if plugin.package else setting_words().plugin.get(prefix)
    title = entry.words(language_in_use()).title if entry is not None else plugin.name
    if plugin.module is None:
        return PluginGroup(family, plugin.name, title, section, plugin.package, plugin.problem)
    about = entry.words(language_in_use()).about if entry is not None else _about(plugin, plugin.module)
    found = tuple(setting_of(each, section, title) for each in options_of(plugin.module.Options, prefix))
    rare = entry is not None and entry.rare
    return PluginGroup(family, plugin.name, title, section, about, "", found, rare)


def _about(plugin: Plugin, module: ModuleType) -> str:
    """Its docstring's first line, and the package it comes from."""
    line = (module.__doc__ or "").strip().partition("\n")[0]
    return f"{line} ({plugin.package})" if plugin.package else line


# ---- a new settings file --------------------------------------------------------------------------


def make_settings_file(path: Path) -> None:
    """Write the commented template where there is no file yet. Raises ConfigError."""
    try:
        if not path.exists():
            private_folder(path.parent) if not path.parent.exists() else None
            write_private(path, settings_template().encode())
    except OSError as error:
        raise ConfigError(
            f"{path} cannot be written: {error}.", "Check the rights of that folder."
        ) from error


def settings_template() -> str:
    """The file that the program ships, or the same made of the typed settings where it is not at hand."""
    shipped = resources.path().parent / "config.toml"
    return shipped.read_text(encoding="utf-8") if shipped.is_file() else commented_defaults()


def commented_defaults() -> str:
    """Each table with its settings as comments: `# max_steps = 60  # Turns of the model in one run.`"""
    ordered = sorted(config_settings(), key=_table_of)
    tables = (f"\n[{name}]\n" + "".join(map(_line, found)) for name, found in groupby(ordered, _table_of))
    return _HEAD + "".join(tables)


def _inline(values: dict[str, Any]) -> InlineTable:
    """A table in one line."""
    table = tomlkit.inline_table()
    table.update(values)
    return table


def _table_of(setting: Setting) -> str:
    return setting.name.partition(".")[0]


def _line(setting: Setting) -> str:
    default = setting.option.default
    value = (_inline(default) if isinstance(default, dict) else tomlkit.item(default)).as_string()
    return f"# {setting.option.key} = {value}  # {setting.words.help or setting.words.label}\n"
