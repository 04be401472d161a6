"""What was changed in the dialog and is not saved yet."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

import msgspec
from PySide6.QtCore import QObject, Signal

from desktop_agent.agent.choices import Choices
from desktop_agent.support.config import TABLES, Config
from desktop_agent.support.rights import parts_of, rights_of, widened
from desktop_agent.ui.settings.options.option_types import fault, plain
from desktop_agent.ui.settings.options.setting_catalog import Setting


class SettingDraft(QObject):
    """The settings in force with what was changed on top of them; nothing is written before `save`.

    Signal: `changed(name)` after a value was changed or taken back, "" for all of them.
    """

    changed = Signal(str)

    def __init__(self, config: Config, locked: Mapping[str, str], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.config = config
        self.locked = locked
        """Names of what is set elsewhere, with where that is in words: they cannot be changed here."""
        self._values: dict[str, Any] = {}
        self._resets: set[str] = set()
        self._problems: dict[str, str] = {}

    # ---- one setting ----------------------------------------------------------------------

    def value(self, setting: Setting) -> Any:
        """Its plain value as it would be saved."""
        return self._values[setting.name] if setting.name in self._values else self.in_force(setting)

    def in_force(self, setting: Setting) -> Any:
        """Its plain value now."""
        family, _, rest = setting.name.partition(".")
        if family in TABLES:
            plugin, _, key = rest.partition(".")
            return plain(getattr(self.config, family).get(plugin, {}).get(key, setting.option.default))
        return plain(getattr(getattr(self.config, family), rest))

    def set(self, setting: Setting, value: Any, problem: str = "") -> None:
        """Change it. `problem` says why what was entered is no value at all; it stays in its field."""
        self._resets.discard(setting.name)
        self._values[setting.name] = value
        if problem := problem or fault(setting.option, value):
            self._problems[setting.name] = problem
        else:
            self._problems.pop(setting.name, None)
            if value == self.in_force(setting):
                del self._values[setting.name]
        self.changed.emit(setting.name)

    def reset(self, settings: Collection[Setting]) -> None:
        """Put these back to their defaults."""
        for each in settings:
            if each.name not in self.locked:
                self.take_back(each.name)
                if self.in_force(each) != each.option.default:
                    self._values[each.name] = each.option.default
                    self._resets.add(each.name)
                self.changed.emit(each.name)

    def take_back(self, name: str) -> None:
        """Forget what was changed of it."""
        self._values.pop(name, None)
        self._problems.pop(name, None)
        self._resets.discard(name)

    def is_default(self, setting: Setting) -> bool:
        return setting.name not in self._problems and bool(self.value(setting) == setting.option.default)

    def is_changed(self, name: str) -> bool:
        return name in self._values

    def problem(self, name: str) -> str:
        """Why its value cannot be saved, "" when it can."""
        return self._problems.get(name, "")

    def blame(self, name: str, problem: str) -> None:
        """Show a problem at a setting that was found on saving."""
        self._problems[name] = problem
        self.changed.emit(name)

    # ---- all of them ----------------------------------------------------------------------

    @property
    def names(self) -> tuple[str, ...]:
        """What was changed."""
        return tuple(self._values)

    @property
    def problems(self) -> Mapping[str, str]:
        return self._problems

    def discard(self) -> None:
        """Forget every change."""
        self._values.clear()
        self._problems.clear()
        self._resets.clear()
        self.changed.emit("")

    def widening(self) -> dict[str, tuple[Any, Any]]:
        """Names of the changed settings that would give it more rights, with the values before and after."""
        after = self.tentative() if self._values else None
        if after is None:
            return {}
        rights = widened(rights_of(self.config), rights_of(after))
        found = {each.name: (each.before, each.now) for each in rights if each.name in self._values}
        if rights and not found:  # a right that has no name here: better one question too many
            return dict.fromkeys(self._values, (None, None))
        return found

    def tentative(self) -> Config | None:
        """The settings as they would be; None while something is wrong."""
        plain_config = msgspec.to_builtins(self.config)
        for name, value in self._values.items():
            if name in self._problems:
                continue
            *tables, key = parts_of(name)
            table = plain_config
            for each in tables:
                table = table.setdefault(each, {})
            if name in self._resets or value is None:
                table.pop(key, None)
            else:
                table[key] = value
        try:
            return msgspec.convert(plain_config, Config, strict=True)
        except msgspec.ValidationError:
            return None

    def save(self, choices: Choices) -> Config:
        """Write all changes, and return the settings then in force; call it off the UI thread. Raises ConfigError."""
        unset = {name for name, value in self._values.items() if value is None} | self._resets
        if values := self._values | dict.fromkeys(sorted(unset)):
            choices.change(values)  # all of them, or none
        return choices.settings()

    def saved(self, config: Config) -> None:
        """Take over what is in force after saving."""
        self.config = config
        self.discard()
