"""The text of a new settings file: every setting with its default, as a comment."""

from __future__ import annotations

from itertools import groupby
from pathlib import Path
from typing import Any

import tomlkit
from tomlkit.items import InlineTable

from desktop_agent.protocol.errors import ConfigError
from desktop_agent.support import resources
from desktop_agent.support.paths import private_folder, write_private
from desktop_agent.ui.settings.options.setting_catalog import Setting, config_settings

_HEAD = "# Settings of desktop-agent. Every line shows its default; remove the # to change it.\n"


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
    ordered = sorted(config_settings(), key=_table)
    tables = (f"\n[{name}]\n" + "".join(map(_line, found)) for name, found in groupby(ordered, _table))
    return _HEAD + "".join(tables)


def _inline(values: dict[str, Any]) -> InlineTable:
    """A table in one line."""
    table = tomlkit.inline_table()
    table.update(values)
    return table


def _table(setting: Setting) -> str:
    return setting.name.partition(".")[0]


def _line(setting: Setting) -> str:
    default = setting.option.default
    value = (_inline(default) if isinstance(default, dict) else tomlkit.item(default)).as_string()
    return f"# {setting.option.key} = {value}  # {setting.words.help or setting.words.label}\n"
