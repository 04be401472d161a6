"""Finds targets, models and environments by file name: a new one is one new file, no registry."""

from __future__ import annotations

import importlib
import importlib.util
import pkgutil
import re
from types import ModuleType

from desktop_agent.protocol.errors import ConfigError

_WORDS = {"llm": "model"}
_PACKAGES = {"target": "targets"}
_NAME = re.compile(r"[a-z][a-z0-9_]*")


def load(family: str, name: str) -> ModuleType:
    """The module `desktop_agent.FAMILY.NAME`, which must define `Options` and `create`.

    Raises ConfigError naming the known ones when there is none.
    """
    path = f"desktop_agent.{_PACKAGES.get(family, family)}.{name}"
    if _NAME.fullmatch(name) and importlib.util.find_spec(path) is not None:
        module = importlib.import_module(path)
        if is_plugin(module):
            return module
    word = _WORDS.get(family, family)
    raise ConfigError(f"There is no {word} called {name!r}.", f"Known: {', '.join(names(family))}.")


def names(family: str) -> tuple[str, ...]:
    """The names of all plugins of a family, sorted."""
    package = importlib.import_module(f"desktop_agent.{_PACKAGES.get(family, family)}")
    found = (each.name for each in pkgutil.iter_modules(package.__path__))
    return tuple(sorted(name for name in found if _is_plugin_name(family, name)))


def is_plugin(module: ModuleType) -> bool:
    """True for a module with the two things every plugin defines."""
    return hasattr(module, "Options") and hasattr(module, "create")


def _is_plugin_name(family: str, name: str) -> bool:
    return is_plugin(importlib.import_module(f"desktop_agent.{_PACKAGES.get(family, family)}.{name}"))
